package cert

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/proofs/cert/internal/refuse"
	"github.com/mancheck/mancheck/rules"
)

// coder converts states to text and bytes, and back, with the parts that are kept.
type coder struct {
	sys  *rules.System
	kept rules.Kept
}

// reject returns the rejection for a reason.
func reject(format string, args ...any) error { return refuse.Because(format, args...) }

// encode returns the text form of a state.
func (c coder) encode(s rules.State) State {
	out := State{Seeds: []int{}}
	if s.Live() {
		out.Mover = c.sys.Players[s.Mover]
	} else {
		out.Outcome = c.sys.OutcomeName(s.Outcome)
	}
	for p := range lists.Marked(c.kept.Pits) {
		out.Seeds = append(out.Seeds, s.Seeds[p])
	}
	for v := range lists.Marked(c.kept.VarsOf(s.Outcome)) {
		x := &c.sys.Vars[v]
		out.Vars = append(out.Vars, c.sys.ValueName(x.Type, s.Vars[v]))
	}
	return out
}

// decode reverses encode. It fails if the text is not a state of the System.
func (c coder) decode(t State) (rules.State, error) {
	s := c.sys.EmptyStart()
	if err := c.turn(&s, t); err != nil {
		return s, err
	}
	seeds := t.Seeds
	for p := range lists.Marked(c.kept.Pits) {
		if len(seeds) == 0 || seeds[0] < 0 || seeds[0] > num.Most {
			return s, reject("a state that does not say how many seeds are in `%s`", c.sys.Pits[p].Name)
		}
		s.Seeds[p], seeds = seeds[0], seeds[1:]
	}
	vars := t.Vars
	for v := range lists.Marked(c.kept.VarsOf(s.Outcome)) {
		if len(vars) == 0 {
			return s, reject("a state that does not say what `%s` is", c.sys.Vars[v].Name)
		}
		n, err := valueNamed(c.sys, v, vars[0])
		if err != nil {
			return s, err
		}
		s.Vars[v], vars = n, vars[1:]
	}
	if len(seeds)+len(vars) > 0 {
		return s, reject("a state that says more than what is kept")
	}
	return s, nil
}

// decodeAll decodes a list of states.
func (c coder) decodeAll(list []State) ([]rules.State, error) {
	var out []rules.State
	for i, t := range list {
		s, err := c.decode(t)
		if err != nil {
			return nil, fmt.Errorf("state %d: %w", i+1, err)
		}
		out = append(out, s)
	}
	return out, nil
}

// turn decodes who is to move, or how the game ended.
func (c coder) turn(s *rules.State, t State) error {
	if t.Outcome == "" {
		if s.Mover = slices.Index(c.sys.Players, t.Mover); s.Mover < 0 {
			return reject("a state with the unknown player `%s` to move", t.Mover)
		}
		return nil
	}
	s.Outcome, s.Mover = c.sys.OutcomeNamed(t.Outcome), rules.None
	if s.Outcome < 0 || t.Mover != "" {
		return reject("a state with the outcome `%s` and the mover `%s`", t.Outcome, t.Mover)
	}
	return nil
}

// valueNamed returns the value of a variable with this name.
func valueNamed(sys *rules.System, v int, name string) (int, error) {
	x := &sys.Vars[v]
	for _, n := range x.Domain {
		if sys.ValueName(x.Type, n) == name {
			return n, nil
		}
	}
	return 0, reject("`%s` is not a value of `%s`", name, x.Name)
}

// keptOf returns which parts are kept. Their names must be in order of declaration and without
// duplicates, so that there is only one way to write them.
func keptOf(sys *rules.System, k *Kept) (rules.Kept, error) {
	vars := func(i int) string { return sys.Vars[i].Name }
	pits, err := marked(len(sys.Pits), func(i int) string { return sys.Pits[i].Name }, k.Pits)
	if err != nil {
		return rules.Kept{}, err
	}
	live, err := marked(len(sys.Vars), vars, k.Vars)
	if err != nil {
		return rules.Kept{}, err
	}
	over, err := marked(len(sys.Vars), func(i int) string {
		if !live[i] { // what is kept when the game is over is kept before
			return ""
		}
		return vars(i)
	}, k.VarsWhenOver)
	return rules.Kept{Parts: rules.Parts{Pits: pits, Vars: live}, Over: over}, err
}

// marked returns which of n names are listed.
func marked(n int, name func(int) string, listed []string) ([]bool, error) {
	in := make([]bool, n)
	for i := range in {
		if len(listed) > 0 && listed[0] == name(i) {
			in[i], listed = true, listed[1:]
		}
	}
	if len(listed) > 0 {
		return nil, reject("`%s` is not a part of a state, or is out of order", listed[0])
	}
	return in, nil
}

// namesOf reverses keptOf.
func namesOf(sys *rules.System, k rules.Kept) Kept {
	out := Kept{Pits: []string{}, Vars: []string{}, VarsWhenOver: []string{}}
	for p := range lists.Marked(k.Pits) {
		out.Pits = append(out.Pits, sys.Pits[p].Name)
	}
	for v, x := range sys.Vars {
		if k.Vars[v] {
			out.Vars = append(out.Vars, x.Name)
		}
		if k.Over[v] {
			out.VarsWhenOver = append(out.VarsWhenOver, x.Name)
		}
	}
	return out
}

// increasing fails unless the states are in order and without duplicates.
func increasing(states []rules.State) error {
	for i := 1; i < len(states); i++ {
		if states[i-1].Compare(states[i]) >= 0 {
			return reject("state %d of the set is out of order", i+1)
		}
	}
	return nil
}

// pack encodes states one after another: outcome, mover, kept variables and kept pits, each as a
// variable-length number. The bytes are in base64. With numbers, each state is followed by its
// number.
func (c coder) pack(states []rules.State, numbers []int) Packed {
	var out []byte
	for i, s := range states {
		out = partial.AppendState(out, s, c.kept)
		if numbers != nil {
			out = binary.AppendVarint(out, int64(numbers[i]))
		}
	}
	return packed(len(states), out)
}

func packed(count int, data []byte) Packed {
	return Packed{Count: count, Text: base64.StdEncoding.EncodeToString(data)}
}

// bytes reverses packed. There is one text for each list of bytes.
func (p *Packed) bytes() ([]byte, error) {
	data, err := base64.StdEncoding.Strict().DecodeString(p.Text)
	if err != nil {
		return nil, reject("the packed states: %v", err)
	}
	return data, nil
}

// unpack reverses pack. It fails if there is something that is not a state of the System, or a
// negative number.
func (c coder) unpack(ctx context.Context, p *Packed, numbered bool) ([]rules.State, []int, error) {
	data, err := p.bytes()
	if err != nil {
		return nil, nil, err
	}
	var numbers []int
	u := unpacking{coder: c, rest: data}
	states := make([]rules.State, 0, max(0, min(p.Count, len(data))))
	for len(u.rest) > 0 && !u.bad {
		if len(states)%lookEvery == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		states = append(states, u.state())
		if numbered {
			numbers = append(numbers, u.next(within(0, num.Most)))
		}
	}
	if u.bad || len(states) != p.Count {
		return nil, nil, reject("the packed states are not %d states of this System", p.Count)
	}
	return states, numbers, nil
}

// unpacking decodes packed numbers. After an error every call fails.
type unpacking struct {
	coder
	rest []byte
	bad  bool
	room []int // allocated ahead for the cells of the next states
}

// cells returns n zeros for the cells of a state. They come from large blocks, because there are
// many states.
func (u *unpacking) cells(n int) []int {
	if len(u.room) < n {
		u.room = make([]int, max(n, 1<<14))
	}
	out := u.room[:n:n]
	u.room = u.room[n:]
	return out
}

// next decodes a number. It fails if pass rejects it, or if it has more bytes than it needs.
func (u *unpacking) next(pass func(int) bool) int {
	v, n := binary.Varint(u.rest)
	if n <= 0 || n > 1 && u.rest[n-1] == 0 || int64(int(v)) != v || !pass(int(v)) {
		u.bad, u.rest = true, nil
		return 0
	}
	u.rest = u.rest[n:]
	return int(v)
}

func within(lo, hi int) func(int) bool { return func(n int) bool { return lo <= n && n <= hi } }

// state decodes a state. Parts that are not kept get their initial values.
func (u *unpacking) state() rules.State {
	s := rules.State{Seeds: u.cells(len(u.sys.Pits)), Vars: u.cells(len(u.sys.Vars))}
	for v := range s.Vars {
		s.Vars[v] = u.sys.Vars[v].Init
	}
	s.Outcome = u.next(within(rules.Live, len(u.sys.Outcomes)-1))
	if s.Live() {
		s.Mover = u.next(within(0, len(u.sys.Players)-1))
	} else {
		s.Mover = u.next(within(rules.None, rules.None))
	}
	for v := range lists.Marked(u.kept.VarsOf(s.Outcome)) {
		s.Vars[v] = u.next(u.sys.Vars[v].Contains)
	}
	for p := range lists.Marked(u.kept.Pits) {
		s.Seeds[p] = u.next(within(0, num.Most))
	}
	return s
}
