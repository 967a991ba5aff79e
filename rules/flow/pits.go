package flow

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
)

// target is a pit into which a sowing may drop seeds. A sure one takes each seed that comes to it.
type target struct {
	pit  int
	sure bool
}

// firsts lists the pits that may be tried for the first seed.
func (e *env) firsts(s rules.Sow, source int) []int {
	switch {
	case s.StartAt != nil:
		return e.pits(s.StartAt)
	case s.OriginFirst:
		return []int{source}
	}
	if next := e.sys.Laps[s.Lap].Next[source]; next != rules.None {
		return []int{next}
	}
	return nil // the sowing is illegal
}

// targets lists the pits that may take seeds, in the order in which they are tried.
func (e *env) targets(s rules.Sow, first int) (list []target) {
	tried := make([]bool, len(e.sys.Pits))
	for p := first; p != rules.None && !tried[p]; p = e.sys.Laps[s.Lap].Next[p] {
		tried[p] = true
		t := target{p, true}
		if s.SkipIf != nil && s.SkipIf[p] != nil {
			if e.assume(s.SkipIf[p], false) == nil {
				continue
			}
			t.sure = e.assume(s.SkipIf[p], true) == nil
		}
		t.sure = t.sure && (s.OnlyLast == nil || !s.OnlyLast[p])
		list = append(list, t)
	}
	return list
}

// holdsSome says that a pit holds a seed.
func holdsSome(pit rules.Expr) rules.Expr {
	return rules.Binary{Op: rules.Gt, L: rules.Seeds(pit), R: rules.Number(0)}
}

// holdsSeeds reports whether a pit is known to hold a seed: one of the facts is false if it holds
// none. A fact that has no value is none.
func (e *env) holdsSeeds(pit rules.Expr) bool {
	seeds, at := rules.ExprString(e.sys, rules.Seeds(pit)), e.values(pit)
	isSeeds := func(x rules.Expr) bool {
		c, is := x.(rules.Cell)
		if !is || c.Sort != rules.PitCell {
			return false
		}
		other := one(c.Slot)
		if c.Index != nil {
			other = e.values(c.Index)
		}
		return !at.any && len(at.of) == 1 && other.equal(at) || rules.ExprString(e.sys, x) == seeds
	}
	return slices.ContainsFunc(e.facts, func(x rules.Expr) bool { return e.assume(instead(x, isSeeds, rules.Number(0)), true) == nil })
}

// instead returns x with another expression in the place of some.
func instead(x rules.Expr, of func(rules.Expr) bool, other rules.Expr) rules.Expr {
	if of(x) {
		return other
	}
	return rules.WithChildren(x, func(y rules.Expr) rules.Expr { return instead(y, of, other) })
}
