package cert

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
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
