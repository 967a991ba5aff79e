package cert

import (
	"encoding/base64"
	"encoding/binary"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
)

// pack writes states one after another: outcome, mover, kept variables, kept pits, each as a
// variable-length number, and all in base64.
func (c coder) pack(states []rules.State) string {
	var out []byte
	put := func(n int) { out = binary.AppendVarint(out, int64(n)) }
	for _, s := range states {
		put(s.Outcome)
		put(s.Mover)
		for v, kept := range c.kept.VarsOf(s.Outcome) {
			if kept {
				put(s.Vars[v])
			}
		}
		for p, kept := range c.kept.Pits {
			if kept {
				put(s.Seeds[p])
			}
		}
	}
	return base64.StdEncoding.EncodeToString(out)
}

// unpack is the reverse of pack. It fails if the text contains something that is not a state.
func (c coder) unpack(text string, count int) ([]rules.State, error) {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, reject("the packed states: %v", err)
	}
	u := unpacking{coder: c, rest: data}
	var states []rules.State
	for len(u.rest) > 0 && u.ok() {
		states = append(states, u.state())
	}
	if !u.ok() || len(states) != count {
		return nil, reject("the packed states are not %d states of this System", count)
	}
	return states, nil
}

// unpacking reads packed numbers. After an error it only fails.
type unpacking struct {
	coder
	rest []byte
	bad  bool
}

func (u *unpacking) ok() bool { return !u.bad }

// next reads a number and fails unless it passes.
func (u *unpacking) next(pass func(int) bool) int {
	v, n := binary.Varint(u.rest)
	if n <= 0 || int64(int(v)) != v || !pass(int(v)) {
		u.bad, u.rest = true, nil
		return 0
	}
	u.rest = u.rest[n:]
	return int(v)
}

func within(lo, hi int) func(int) bool { return func(n int) bool { return lo <= n && n <= hi } }

func (u *unpacking) state() rules.State {
	s := u.sys.EmptyStart()
	s.Outcome = u.next(within(rules.Live, len(u.sys.Outcomes)-1))
	if s.Live() {
		s.Mover = u.next(within(0, len(u.sys.Players)-1))
	} else {
		s.Mover = u.next(within(rules.None, rules.None))
	}
	for v, kept := range u.kept.VarsOf(s.Outcome) {
		if kept {
			s.Vars[v] = u.next(u.sys.Vars[v].Contains)
		}
	}
	for p, kept := range u.kept.Pits {
		if kept {
			s.Seeds[p] = u.next(within(0, num.Most))
		}
	}
	return s
}
