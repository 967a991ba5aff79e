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
	seeds, at := rules.Seeds(pit), e.values(pit)
	isSeeds := func(x rules.Expr) bool {
		if alike(x, seeds) {
			return true
		}
		c, is := x.(rules.Cell)
		if !is || c.Sort != rules.PitCell || at.any || len(at.of) != 1 {
			return false
		}
		other := one(c.Slot)
		if c.Index != nil {
			other = e.values(c.Index)
		}
		return other.equal(at)
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

// alike reports whether two expressions are the same cell, wherever they stand in the text.
func alike(x, y rules.Expr) bool {
	switch x := any(x).(type) { // others are no cells
	case rules.Const:
		c, is := y.(rules.Const)
		return is && c.Value == x.Value
	case rules.Cell:
		c, is := y.(rules.Cell)
		return is && c.Sort == x.Sort && c.Slot == x.Slot && slices.Equal(c.Table, x.Table) &&
			(c.Index == nil) == (x.Index == nil) && (c.Index == nil || alike(c.Index, x.Index))
	case rules.Lookup:
		c, is := y.(rules.Lookup)
		return is && c.Table.Kind == x.Table.Kind && slices.Equal(c.Table.Of, x.Table.Of) && alike(c.X, x.X)
	}
	return false
}
