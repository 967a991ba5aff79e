package family

import (
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// expr returns the image of an expression, or nil.
func (in *insertion) expr(x rules.Expr) rules.Expr {
	if x == nil {
		return nil
	}
	if c, is := x.(rules.Const); is && c.Type == rules.PitType {
		return rules.FixedPit(in.pit(c.Value))
	}
	if cell, is := x.(rules.Cell); is {
		return in.cell(cell)
	}
	if sum, is := x.(rules.Sum); is {
		return rules.Sum{Pits: in.list(sum.Pits)}
	}
	if l, is := x.(rules.Lookup); is {
		return rules.Lookup{Table: in.table(l.Table), X: in.expr(l.X), At: l.At}
	}
	return rules.WithChildren(x, in.expr)
}

func (in *insertion) cell(x rules.Cell) rules.Expr {
	switch {
	case x.Table != nil && x.Key == rules.PitType:
		in.fail("each pit has a variable of its own")
		return x
	case x.Index != nil:
		x.Index = in.expr(x.Index)
	case x.Sort == rules.PitCell:
		x.Slot = in.pit(x.Slot)
	}
	return x
}

func (in *insertion) table(t *rules.Table) *rules.Table {
	if t.IsOwn() {
		in.fail("the claim has a lap or relation of its own")
		return t
	}
	out := &rules.Table{Kind: t.Kind, Lap: t.Lap, Relation: t.Relation}
	switch t.Kind {
	case rules.NextOn:
		out.Of = in.laps[t.Lap].Next
	case rules.BeforeOn:
		out.Of = in.laps[t.Lap].Prev
	case rules.RelationOf:
		out.Of = in.rels[t.Relation].To
	case rules.IndexOf:
		out.Of = in.numbers
	case rules.MemberOf:
		set := lists.Map(t.Of, func(n int) bool { return n != 0 })
		out.Of = lists.Map(in.set(set), num.Truth)
	}
	return out
}

// body returns the image of a list of statements.
func (in *insertion) body(body []rules.Stmt) []rules.Stmt {
	return lists.Map(body, in.stmt)
}

func (in *insertion) stmt(s rules.Stmt) rules.Stmt {
	sow, is := s.(rules.Sow)
	if !is {
		if set, is := s.(rules.Set); is && set.To.Table != nil && set.To.Key == rules.PitType {
			in.fail("each pit has a variable of its own")
		}
		return rules.Rewrite(s, in.expr, in.body)
	}
	skip := sow.SkipIf
	sow.SkipIf = nil
	sow = rules.Rewrite(sow, in.expr, in.body).(rules.Sow)
	sow.OnlyLast, sow.SkipIf = in.set(sow.OnlyLast), nil
	if skip == nil {
		return sow
	}
	sow.SkipIf = make([]rules.Expr, in.pits)
	was := in.copied
	in.copied.seam = -1
	for p, x := range skip {
		sow.SkipIf[in.to[p]] = in.expr(x)
	}
	for i, s := range in.Seams {
		for _, e := range in.fresh[i] {
			in.copied = copied{seam: i, as: e}
			sow.SkipIf[e] = in.expr(skip[s.X])
		}
	}
	in.copied = was
	return sow
}
