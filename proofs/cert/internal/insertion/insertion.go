// Package insertion has conditions under which a set of states that is closed under predecessors
// stays so on every larger board. A larger board has empty pits in between: each of them is
// inserted between two neighbours X and Y, a seam.
//
// Let a step of the larger board lead into the set, in which X, Y and the inserted pit e are empty.
// If e had seeds before, it is the pit sown from, as nothing else takes seeds away; and then the
// first seed fell into X or Y, which have taken it. So e was empty, and since a sowing that comes
// to X, e or Y leaves a seed there, none did. What the rules ask for is the same without e. So the
// step is one of the smaller board, and began in the set. docs/certificates.md has the whole
// argument.
//
//	insertion.go  the set, the seams, and the states of the larger board
//	check.go      all conditions; those of starts and targets
//	rules.go      what the rules may ask and do, and what else an action must be
package insertion

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/family"
)

// Set is a set of states, given by their kept parts. Finished states keep no variables.
type Set struct {
	Pits, Vars []bool
	States     []rules.State
}

// Unfit is the condition that does not hold.
type Unfit struct {
	Reason string
	Larger bool // on a larger board it may hold
}

func (e *Unfit) Error() string { return e.Reason }

// checking is a running Check.
type checking struct {
	sys    *rules.System
	set    Set
	seams  []family.Seam
	moving []int // the variables whose values may be pits of a seam
	err    *Unfit
}

// refuse notes a condition that no board of the rules satisfies.
func (c *checking) refuse(format string, args ...any) {
	if c.err == nil {
		c.err = &Unfit{Reason: fmt.Sprintf(format, args...)}
	}
}

// atSeam reports whether a pit is one of a seam.
func (c *checking) atSeam(pit int) bool {
	return pit != rules.None && slices.ContainsFunc(c.seams, func(s family.Seam) bool { return pit == s.X || pit == s.Y })
}

func (c *checking) pit(p int) string { return c.sys.Pits[p].Name }

// board checks laps and variables. The pits of a seam are neighbours on every lap that has one.
func (c *checking) board() {
	if len(c.sys.Relations) > 0 {
		c.refuse("the rules use `%s`, which leads from pits to others", c.sys.Relations[0].Name)
	}
	if !c.sys.WellTyped() {
		c.refuse("the rules use a pit as a number")
	}
	for _, s := range c.seams {
		for _, l := range c.sys.Laps {
			on := func(p int) bool { return slices.Contains(l.Pits, p) }
			switch forth, back := l.Next[s.X] == s.Y, l.Next[s.Y] == s.X; {
			case !on(s.X) && !on(s.Y):
			case !on(s.X) || !on(s.Y) || forth == back:
				c.refuse("`%s` and `%s` are no neighbours on the lap `%s`", c.pit(s.X), c.pit(s.Y), l.Name)
			}
		}
		for _, v := range c.moving {
			if x := &c.sys.Vars[v]; x.Contains(s.X) != x.Contains(s.Y) {
				c.refuse("of `%s` and `%s` only one can be a value of `%s`", c.pit(s.X), c.pit(s.Y), x.Name)
			}
		}
	}
}

// states checks the set: the pits of the seams are kept and empty, and no variable names one.
func (c *checking) states() {
	for _, s := range c.seams {
		for _, p := range []int{s.X, s.Y} {
			if !c.set.Pits[p] {
				c.refuse("whether the claim holds does not depend on `%s`, and so the set says nothing of it", c.pit(p))
			}
		}
	}
	for _, v := range c.moving {
		if !c.set.Vars[v] {
			c.refuse("whether the claim holds does not depend on `%s`, and so the set says nothing of it", c.sys.Vars[v].Name)
		}
	}
	for _, st := range c.set.States {
		if c.touches(st) {
			c.err = &Unfit{Reason: "a state of the set has seeds where the board grows", Larger: true}
		}
	}
}

// touches reports whether a state has seeds in a pit of a seam, or a variable that names one.
func (c *checking) touches(st rules.State) bool {
	for _, s := range c.seams {
		if st.Seeds[s.X] != 0 || st.Seeds[s.Y] != 0 {
			return true
		}
	}
	return st.Live() && slices.ContainsFunc(c.moving, func(v int) bool { return c.atSeam(st.Vars[v]) })
}

// Place returns a place for a seam in a stretch of a board: behind x are two pits that are empty in
// all states of the set, and that no variable names. It is as near as possible to the middle.
func Place(sys *rules.System, set Set, s family.Stretch) (x int, err error) {
	best, off := -1, 0
	for x := s.First; x < s.Last; x++ {
		c := &checking{sys: sys, set: set, seams: []family.Seam{{X: x, Y: x + 1}}}
		for v := range sys.Vars {
			if sys.Vars[v].Type == rules.PitType && set.Vars[v] {
				c.moving = append(c.moving, v)
			}
		}
		aside := max(2*x+1-s.First-s.Last, s.First+s.Last-2*x-1)
		if !slices.ContainsFunc(set.States, c.touches) && (best < 0 || aside < off) {
			best, off = x, aside
		}
	}
	if best < 0 {
		return best, &Unfit{fmt.Sprintf("of `%s` to `%s` no two neighbours are empty in all states of the set",
			sys.Pits[s.First].Name, sys.Pits[s.Last].Name), true}
	}
	return best, nil
}

// Grown returns the set on the board of a larger System: the inserted pits are empty. to has for
// each pit its index there.
func (s Set) Grown(larger *rules.System, to []int, pits int) Set {
	image := func(t rules.Type, v int) int {
		if t == rules.PitType && v != rules.None {
			return to[v]
		}
		return v
	}
	out := Set{Pits: slices.Repeat([]bool{true}, pits), Vars: s.Vars}
	for p, q := range to {
		out.Pits[q] = s.Pits[p]
	}
	for _, st := range s.States {
		grown := st.Clone()
		grown.Seeds = make([]int, pits)
		for p, q := range to {
			grown.Seeds[q] = st.Seeds[p]
		}
		for v := range larger.Vars {
			grown.Vars[v] = image(larger.Vars[v].Type, st.Vars[v])
		}
		out.States = append(out.States, grown)
	}
	return out
}
