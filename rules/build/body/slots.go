package body

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/term"
)

// newSlot adds a local for values of type t and returns its number.
func (e *body) newSlot(t term.Type) int {
	*e.slots = append(*e.slots, e.env.Game.KernelType(t))
	return len(*e.slots) - 1
}

// settle keeps the present value of x in a new local, so that later statements do not change it.
// The statement that sets it is appended to out.
func (e *body) settle(t term.Type, x rules.Expr, out *[]rules.Stmt) rules.Expr {
	slot := e.newSlot(t)
	*out = append(*out, rules.SetLocal(slot, x))
	return rules.LocalAt(slot)
}

// forget returns statements that reset the locals from slot from on. It ends each turn of a loop,
// because a loop is endless if a state comes back, locals included, and these are not read in the
// next turn.
func (e *body) forget(from int) []rules.Stmt {
	var out []rules.Stmt
	for slot := from; slot < len(*e.slots); slot++ {
		zero := rules.Const{Type: (*e.slots)[slot]}
		if zero.Type == rules.PitType || zero.Type == rules.PlayerType {
			zero.Value = rules.None
		}
		out = append(out, rules.SetLocal(slot, zero))
	}
	return out
}

// gather moves all seeds of some pits into one. Pits that depend on numbers of seeds are evaluated
// before the first seed is moved.
func (e *body) gather(from []rules.Expr, into rules.Expr, at diag.Range) []rules.Stmt {
	var out []rules.Stmt
	if rules.CountsSeeds(into) && len(from) > 1 {
		into = e.settle(term.Type{Kind: term.PitKind}, into, &out)
	}
	for i, x := range from {
		if rules.CountsSeeds(x) && i > 0 {
			from[i] = e.settle(term.Type{Kind: term.PitKind}, x, &out)
		}
	}
	return append(out, lists.Map(from, func(x rules.Expr) rules.Stmt { return rules.Transfer{From: x, Into: into, At: at} })...)
}

// single returns a list with one statement.
func single(s rules.Stmt) []rules.Stmt { return []rules.Stmt{s} }

// settleSet keeps which pits belong to a set now.
func (e *body) settleSet(s term.PitSet, out *[]rules.Stmt) term.PitSet {
	s = term.Distinct(e.env, s)
	s.Elems = slices.Clone(s.Elems)
	for i, m := range s.Elems {
		if _, ok := term.ConstOf(m.Pit); !ok {
			s.Elems[i].Pit = e.settle(term.Type{Kind: term.PitKind}, m.Pit, out)
		}
		if m.Cond != rules.True {
			s.Elems[i].Cond = e.settle(term.Type{Kind: term.BoolKind}, m.Cond, out)
		}
	}
	return s
}

// settleList keeps what the values of a list are now.
func (e *body) settleList(list []term.Value, at diag.Range, out *[]rules.Stmt) []term.Value {
	list = slices.Clone(list)
	for i, v := range list {
		if v.Type.Kind == term.EnumNameKind {
			v = term.LonelyName(e.env, v, at)
		}
		if _, known := term.ConstOf(v.X); v.Type.Kind == term.LapKind {
			v = e.settleLap(v, at, out)
		} else if v.X != nil && !known {
			v.X = e.settle(v.Type, v.X, out)
		}
		list[i] = v
	}
	return list
}

// settleLap keeps which lap a value is now.
func (e *body) settleLap(v term.Value, at diag.Range, out *[]rules.Stmt) term.Value {
	if v.X == nil || v.Settled != nil {
		return v
	}
	which := rules.Number(-1)
	for i, c := range slices.Backward(term.CasesOf(e.env, v, at)) {
		which = term.Simple(rules.Cond{If: c.Cond, Then: rules.Number(i), Else: which})
	}
	cases := slices.Clone(term.CasesOf(e.env, v, at))
	now := e.settle(term.Type{Kind: term.IntKind}, which, out)
	for i := range cases {
		cases[i].Cond = rules.Binary{Op: rules.Eq, L: now, R: rules.Number(i)}
	}
	name := v.X
	if _, fixed := term.ConstOf(name); !fixed {
		name = e.settle(v.Type, name, out)
	}
	return term.Value{Type: v.Type, X: name, Cases: cases, Settled: &cases}
}
