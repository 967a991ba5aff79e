package everysize

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
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
			switch s := s.(type) {
			case rules.Set:
				if s.To.Sort == rules.PitCell {
					why = b.why("assigns to a pit")
				}
			case rules.Sow, rules.Transfer, rules.If, rules.While, rules.Stop:
			default:
				why = b.unknown()
			}
		})
	}
	return why
}

// list checks statements, of which last is known to be in one of some sets before them.
func (g *growing) list(b *body, list []rules.Stmt, in []*rules.Table) {
	for _, s := range list {
		switch s := s.(type) {
		case rules.Set:
			if s.To.Sort == rules.PitCell {
				g.refuse(b.why("assigns to a pit"))
			}
		case rules.Transfer:
			if pitOf(s.From) == rules.None || pitOf(s.From) != pitOf(s.Into) {
				g.leaves(b, s.From, in)
			}
		case rules.Sow:
			g.leaves(b, s.Source, in)
		case rules.If, rules.While, rules.Stop:
		default:
			g.refuse(b.unknown())
			return
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
	pits, ok := g.among(from, in)
	if !ok && slices.Contains(g.from, true) {
		g.refuse(b.why("takes seeds out of a pit that may be any"))
	}
	for _, p := range pits {
		if g.from[p] {
			g.refuse(b.why("may take seeds out of `%s`", g.sys.Pits[p].Name))
		}
	}
}

// among lists the pits that an expression may be. ok is false if that is not known. On a larger
// board it may be inserted ones besides: a relation leads from these to inserted ones or to none.
func (g *growing) among(x rules.Expr, in []*rules.Table) (pits []int, ok bool) {
	pits, ok = g.values(x, in)
	return slices.DeleteFunc(pits, func(p int) bool { return p == rules.None }), ok
}

func (g *growing) values(x rules.Expr, in []*rules.Table) (values []int, ok bool) {
	if k, is := x.(rules.Const); is {
		return []int{k.Value}, true
	}
	if choice, is := x.(rules.Cond); is {
		yes, known := g.values(choice.Then, in)
		no, also := g.values(choice.Else, in)
		return append(yes, no...), known && also
	}
	if l, is := x.(rules.Lookup); is && l.Table.Kind == rules.RelationOf {
		from, ok := g.among(l.X, in)
		return lists.Map(from, func(p int) int { return l.Table.Of[p] }), ok
	}
	c, is := x.(rules.Cell)
	if is && c.IsRegister(rules.LastReg) {
		return lists.Filter(num.Run(0, len(g.sys.Pits)), func(p int) bool {
			return !slices.ContainsFunc(in, func(t *rules.Table) bool { return t.Of[p] == 0 })
		}), true
	}
	if is && c.Index == nil && c.Sort == rules.VarCell {
		return slices.Clone(g.sys.Vars[c.Slot].Domain), true
	}
	return nil, false
}
