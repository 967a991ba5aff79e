package flow

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
)

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
