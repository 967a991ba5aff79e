package everysize

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/family"
)

// growing is a running check that no statement takes seeds out of some pits.
type growing struct {
	sys  *rules.System
	from []bool // the pits
	why  string
}

// Growing reports why a statement may take a seed out of some pits, on this board or a larger one.
// It returns nothing if none does.
func Growing(sys *rules.System, seams []family.Seam, pits []bool) (why string) {
	if why := notIn(sys, seams, pits); why != "" {
		return why
	}
	g := &growing{sys: sys, from: pits}
	for _, b := range slices.Concat(moves(sys), reactions(sys)) {
		g.list(&b, b.stmts, nil)
	}
	return g.why
}

// Kept reports why a statement may make or lose seeds. It returns nothing if none does.
func Kept(sys *rules.System) (why string) {
	for _, b := range slices.Concat(moves(sys), reactions(sys)) {
		rules.WalkStmts(b.stmts, func(s rules.Stmt) {
			if assigns(s) {
				why = b.why("assigns to a pit")
			}
		})
	}
	return why
}

// list checks statements, of which last is known to be in one of some sets before them.
func (g *growing) list(b *body, list []rules.Stmt, in []*rules.Table) {
	for _, s := range list {
		if assigns(s) {
			g.refuse(b.why("assigns to a pit"))
		}
		if t, is := s.(rules.Transfer); is && (pitOf(t.From) == rules.None || pitOf(t.From) != pitOf(t.Into)) {
			g.leaves(b, t.From, in)
		}
		if sow, is := s.(rules.Sow); is {
			g.leaves(b, sow.Source, in)
		}
		for i, block := range rules.Blocks(s) {
			g.list(b, block, knownInside(s, i, in))
		}
		if sows(s) {
			in = nil // last may be another pit
		}
	}
}

// knownInside lists the sets that last is in at the beginning of a block of a statement.
func knownInside(s rules.Stmt, block int, in []*rules.Table) []*rules.Table {
	if choice, is := s.(rules.If); is {
		if block == 0 {
			return append(slices.Clip(in), setsOfLast(choice.Cond)...)
		}
		return in
	}
	if loop, is := s.(rules.While); is {
		return setsOfLast(loop.Cond)
	}
	return nil
}

func (g *growing) refuse(why string) {
	if g.why == "" {
		g.why = why
	}
}

// sows reports whether a statement sows, or one inside it.
func sows(s rules.Stmt) (does bool) {
	rules.WalkStmts([]rules.Stmt{s}, func(s rules.Stmt) {
		_, is := s.(rules.Sow)
		does = does || is
	})
	return does
}

// setsOfLast lists the sets that last is in where a condition is true.
func setsOfLast(cond rules.Expr) (sets []*rules.Table) {
	for _, x := range rules.Conjuncts(cond) {
		if l, is := x.(rules.Lookup); is && l.Table.Kind == rules.MemberOf && rules.IsFixed(l.X, rules.RegisterCell, rules.LastReg) {
			sets = append(sets, l.Table)
		}
	}
	return sets
}

// leaves checks that seeds that leave a pit do not leave one of those that are to lose none.
func (g *growing) leaves(b *body, from rules.Expr, in []*rules.Table) {
	pits, ok := valuesOf(g.sys, from)
	if !ok {
		pits, ok = g.ofLast(from, in)
	}
	if !ok && slices.Contains(g.from, true) {
		g.refuse(b.why("takes seeds out of a pit that may be any"))
	}
	for _, p := range pits {
		if g.from[p] {
			g.refuse(b.why("may take seeds out of `%s`", g.sys.Pits[p].Name))
		}
	}
}

// ofLast lists the pits that last may be, or those that a relation leads to from there. On a larger
// board there are inserted ones besides; a relation leads from these to inserted ones or to none.
func (g *growing) ofLast(x rules.Expr, in []*rules.Table) (pits []int, ok bool) {
	if l, is := x.(rules.Lookup); is && l.Table.Kind == rules.RelationOf {
		from, ok := g.ofLast(l.X, in)
		for _, p := range from {
			if to := l.Table.Of[p]; to != rules.None {
				pits = append(pits, to)
			}
		}
		return pits, ok
	}
	if !rules.IsFixed(x, rules.RegisterCell, rules.LastReg) {
		return nil, false
	}
	for p := range g.sys.Pits {
		if !slices.ContainsFunc(in, func(t *rules.Table) bool { return t.Of[p] == 0 }) {
			pits = append(pits, p)
		}
	}
	return pits, true
}

// valuesOf returns the pits that an expression may be: one pit, or the values of a variable. ok is
// false for other expressions.
func valuesOf(sys *rules.System, x rules.Expr) (pits []int, ok bool) {
	if p := pitOf(x); p != rules.None {
		return []int{p}, true
	}
	cell, is := x.(rules.Cell)
	if !is || cell.Sort != rules.VarCell || cell.Index != nil || sys.Vars[cell.Slot].Type != rules.PitType {
		return nil, false
	}
	return slices.DeleteFunc(slices.Clone(sys.Vars[cell.Slot].Domain), func(p int) bool { return p == rules.None }), true
}
