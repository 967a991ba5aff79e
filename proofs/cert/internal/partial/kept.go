package partial

import (
	"encoding/binary"
	"fmt"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// BlurInto makes out s with everything unknown that is not kept.
func (m *Machine) BlurInto(out *State, s rules.State, k rules.Kept) {
	out.Seeds, out.Vars = append(out.Seeds[:0], m.blank.Seeds...), append(out.Vars[:0], m.blank.Vars...)
	out.Mover, out.Outcome = s.Mover, s.Outcome
	for p := range lists.Marked(k.Pits) {
		out.Seeds[p] = Known(s.Seeds[p])
	}
	for v := range lists.Marked(k.VarsOf(s.Outcome)) {
		out.Vars[v] = Known(s.Vars[v])
	}
}

// Key returns what AppendKey appends, as text.
func (m *Machine) Key(s State, k rules.Kept) (string, error) {
	key, err := m.AppendKey(make([]byte, 0, 64), s, k)
	return string(key), err
}

// AppendState is AppendKey for a state of which all kept parts are known.
func AppendState(key []byte, s rules.State, k rules.Kept) []byte {
	key = binary.AppendVarint(key, int64(s.Outcome))
	key = binary.AppendVarint(key, int64(s.Mover))
	for v := range lists.Marked(k.VarsOf(s.Outcome)) {
		key = binary.AppendVarint(key, int64(s.Vars[v]))
	}
	for p := range lists.Marked(k.Pits) {
		key = binary.AppendVarint(key, int64(s.Seeds[p]))
	}
	return key
}

// AppendKey appends the kept parts of s, different for different parts. It fails with an *Unknown
// if some of them are unknown.
func (m *Machine) AppendKey(key []byte, s State, k rules.Kept) ([]byte, error) {
	key = binary.AppendVarint(key, int64(s.Outcome))
	key = binary.AppendVarint(key, int64(s.Mover))
	for v := range lists.Marked(k.VarsOf(s.Outcome)) {
		n, known := s.Vars[v].Is()
		if !known {
			return nil, unknownPart(m.sys.Vars[v].Name, s.Vars[v])
		}
		key = binary.AppendVarint(key, int64(n))
	}
	for p := range lists.Marked(k.Pits) {
		n, known := s.Seeds[p].Is()
		if !known {
			return nil, unknownPart(m.sys.Pits[p].Name, s.Seeds[p])
		}
		key = binary.AppendVarint(key, int64(n))
	}
	return key, nil
}

func unknownPart(name string, v Value) error {
	return &Unknown{fmt.Sprintf("%s, for what becomes of `%s`", v.Of, name)}
}

// Text describes the known parts of s.
func (m *Machine) Text(s State) string {
	text := ""
	for p, v := range s.Seeds {
		if n, known := v.Is(); known && n != 0 {
			text += fmt.Sprintf(", %s = %d", m.sys.Pits[p].Name, n)
		}
	}
	for i, v := range s.Vars {
		if n, known := v.Is(); known {
			text += fmt.Sprintf(", %s = %s", m.sys.Vars[i].Name, m.sys.ValueName(m.sys.Vars[i].Type, n))
		}
	}
	if s.Live() {
		if name := m.sys.Players[s.Mover]; name != "" {
			text += ", " + name + " to move"
		}
	} else {
		text += ", finished with " + m.sys.OutcomeName(s.Outcome)
	}
	if text == "" {
		return "(nothing in any pit)"
	}
	return "(" + text[2:] + ")"
}

// Exactly returns s with everything known.
func (m *Machine) Exactly(s rules.State) State {
	return State{Seeds: lists.Map(s.Seeds, Known), Vars: lists.Map(s.Vars, Known), Mover: s.Mover, Outcome: s.Outcome}
}

// Numbers returns s with 0 for what is not known.
func (s State) Numbers() rules.State {
	out := rules.State{Seeds: make([]int, len(s.Seeds)), Vars: make([]int, len(s.Vars)), Mover: s.Mover, Outcome: s.Outcome}
	for p, v := range s.Seeds {
		out.Seeds[p], _ = v.Is()
	}
	for v, x := range s.Vars {
		out.Vars[v], _ = x.Is()
	}
	return out
}
