package abstract

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// Values returns the set of values that x may have in e.
func (e *Env) Values(x rules.Expr) Set {
	if e.tired() {
		return Anything
	}
	switch x := x.(type) {
	case rules.Const:
		return Of(x.Value)
	case rules.Cell:
		return e.cellValues(x)
	case rules.Lookup:
		return e.lookupValues(x)
	case rules.Cond:
		return e.condValues(x)
	case rules.Old:
		return e.Forget().Values(x.X)
	case rules.Not, rules.Question:
		return truths
	case rules.Binary:
		return e.binaryValues(x)
	case rules.Sum:
		return counts
	case rules.OpenParam:
		return Between(e.sys.Params[x.Param].Range())
	}
	panic(fmt.Sprintf("abstract: unknown %T", x))
}

func (e *Env) cellValues(x rules.Cell) Set {
	if x.Sort == rules.VarCell {
		s := nothing
		for _, v := range e.Slots(x) {
			s = s.Union(e.vars[v])
		}
		return s
	}
	if c := e.cell(x); c != nil {
		return *c
	}
	switch {
	case x.Sort == rules.PitCell, x.IsRegister(rules.LastWasReg):
		return counts
	case x.IsRegister(rules.MoverReg):
		return Between(num.Interval{Lo: rules.None, Hi: len(e.sys.Players) - 1})
	case x.IsRegister(rules.OutcomeReg):
		return Between(num.Interval{Lo: rules.Live, Hi: len(e.sys.Outcomes) - 1})
	}
	return Anything
}

// binaryValues bounds the values. In a loop sums and products are not followed: they may grow with
// each round. Nor are quotients of unknown numbers anywhere, which checkers of evidence do not see.
func (e *Env) binaryValues(x rules.Binary) Set {
	l, r := e.Values(x.L).operand(), e.Values(x.R).operand()
	switch x.Op {
	case rules.And, rules.Or:
		return truths
	case rules.Add, rules.Sub, rules.Mul:
		if e.repeats {
			return Anything
		}
	case rules.Div, rules.Mod:
		if e.repeats || !l.IsPoint() {
			return Anything
		}
	}
	return Between(Apply(x.Op, l, r))
}

// lookupValues looks up the pits that x.X may be. A missing entry for none has no value.
func (e *Env) lookupValues(x rules.Lookup) Set {
	var to []int
	s := e.Values(x.X)
	if v, ok := x.Table.OfNone(); ok && s.Has(rules.None) {
		to = append(to, v)
	}
	pits := s.From(0, len(x.Table.Of)-1)
	return Of(append(to, lists.Map(pits, func(p int) int { return x.Table.Of[p] })...)...)
}

func (e *Env) condValues(x rules.Cond) Set {
	s := nothing
	yes, no := e.split(x.If)
	if yes != nil {
		s = yes.Values(x.Then)
	}
	if no != nil {
		s = s.Union(no.Values(x.Else))
	}
	return s
}

// cell returns the place in e that x names, or nil if it names none or one of several.
func (e *Env) cell(x rules.Expr) *Set {
	c, is := x.(rules.Cell)
	switch {
	case !is:
	case c.Sort == rules.LocalCell:
		return &e.locals[c.Slot]
	case c.Sort == rules.VarCell:
		if vars := e.Slots(c); len(vars) == 1 {
			return &e.vars[vars[0]]
		}
	case c.Sort == rules.RegisterCell && c.Slot == rules.LastReg:
		return &e.last
	case c.Sort == rules.RegisterCell && c.Slot == rules.OriginReg:
		return &e.origin
	}
	return nil
}

// Slots lists the pits or variables that c may be.
func (e *Env) Slots(c rules.Cell) []int {
	switch {
	case c.Index == nil:
		return []int{c.Slot}
	case c.Table == nil:
		return e.Pits(c.Index)
	}
	slots := lists.Map(e.Values(c.Index).From(0, len(c.Table)-1), func(i int) int { return c.Table[i] })
	return lists.Filter(slots, func(slot int) bool { return slot >= 0 })
}

// with returns e with the cell x set to s.
func (e *Env) with(x rules.Expr, s Set) *Env {
	c := e.clone()
	*c.cell(x) = s
	return c
}

// Pits lists the pits that x may be.
func (e *Env) Pits(x rules.Expr) []int {
	return e.Values(x).From(0, len(e.sys.Pits)-1)
}

// Assume returns e restricted to the runs in which x is true, or false. It is nil if there is none.
func (e *Env) Assume(x rules.Expr, truth bool) *Env {
	if e == nil || e.tired() {
		return e
	}
	switch x := x.(type) {
	case rules.Not:
		return e.Assume(x.X, !truth)
	case rules.Lookup:
		at := e.Values(x.X)
		return e.restrict(x.X, at, Of(lists.Filter(at.From(rules.None, len(x.Table.Of)-1), func(v int) bool {
			entry, ok := x.Table.Entry(v)
			return ok && (entry != 0) == truth
		})...))
	case rules.Cond:
		yes, no := e.split(x.If)
		return Join(yes.Assume(x.Then, truth), no.Assume(x.Else, truth))
	case rules.Binary:
		return e.assumeBinary(x, truth)
	case rules.Const, rules.OpenParam, rules.Cell, rules.Sum, rules.Question, rules.Old:
	default:
		panic(fmt.Sprintf("abstract: unknown %T", x))
	}
	return e.assumeTruth(x, truth)
}

func (e *Env) assumeTruth(x rules.Expr, truth bool) *Env {
	before := e.Values(x)
	if truth {
		return e.restrict(x, before, before.Without(0))
	}
	return e.restrict(x, before, Of(0))
}

func (e *Env) assumeBinary(x rules.Binary, truth bool) *Env {
	switch x.Op {
	case rules.And, rules.Or:
		return assumeJoined(e, x, truth)
	case rules.Eq, rules.Ne, rules.Lt, rules.Le, rules.Gt, rules.Ge:
		op := x.Op
		if !truth {
			op = Opposite[op]
		}
		return e.assumeCompared(op, x, e.Values(x.L), e.Values(x.R))
	}
	return e.assumeTruth(x, truth)
}

// assumeJoined follows the short circuit: the right side is evaluated only if the left one does not
// decide.
func assumeJoined(e *Env, x rules.Binary, truth bool) *Env {
	decides := x.Op == rules.Or
	if truth != decides {
		return e.Assume(x.L, truth).Assume(x.R, truth)
	}
	yes, no := e.split(x.L)
	if decides {
		return Join(yes, no.Assume(x.R, true))
	}
	return Join(no, yes.Assume(x.R, false))
}

// split is Assume for both truth values. What both ask is found once: otherwise each condition
// inside others would be gone through twice for each of them.
func (e *Env) split(x rules.Expr) (yes, no *Env) {
	if e == nil || e.tired() {
		return e, e
	}
	switch x := x.(type) {
	case rules.Not:
		no, yes = e.split(x.X)
		return yes, no
	case rules.Cond:
		return splitCond(e, x)
	case rules.Binary:
		switch x.Op {
		case rules.And, rules.Or:
			return splitJoined(e, x)
		case rules.Eq, rules.Ne, rules.Lt, rules.Le, rules.Gt, rules.Ge:
			l, r := e.Values(x.L), e.Values(x.R)
			return e.assumeCompared(x.Op, x, l, r), e.assumeCompared(Opposite[x.Op], x, l, r)
		}
	case rules.Const, rules.OpenParam, rules.Cell, rules.Lookup, rules.Sum, rules.Question, rules.Old:
	}
	return e.Assume(x, true), e.Assume(x, false)
}

func splitJoined(e *Env, x rules.Binary) (yes, no *Env) {
	yes, no = e.split(x.L)
	if x.Op == rules.Or {
		rightYes, rightNo := no.split(x.R)
		return Join(yes, rightYes), rightNo
	}
	rightYes, rightNo := yes.split(x.R)
	return rightYes, Join(no, rightNo)
}

func splitCond(e *Env, x rules.Cond) (yes, no *Env) {
	then, other := e.split(x.If)
	thenYes, thenNo := then.split(x.Then)
	otherYes, otherNo := other.split(x.Else)
	return Join(thenYes, otherYes), Join(thenNo, otherNo)
}

// assumeCompared restricts each side of x, whose values are l and r, to what compares by op with
// some value of the other one.
func (e *Env) assumeCompared(op rules.Op, x rules.Binary, l, r Set) *Env {
	f := e.restrict(x.R, r, compared(l, op.Mirror(), r))
	if f == nil {
		return nil
	}
	if f != e {
		l, r = f.Values(x.L), f.Values(x.R)
	}
	return f.restrict(x.L, l, compared(r, op, l))
}

// compared returns the members of s for which `member op other` holds for some other. A side that
// has no value excludes nothing but an equal one, as an operand.
func compared(other Set, op rules.Op, s Set) Set {
	switch {
	case op == rules.Eq:
		return s.Intersect(other)
	case other.Empty():
		return s
	case op != rules.Ne:
		return s.Intersect(Between(Allowed(op).Plus(other.in)))
	case other.in.IsPoint():
		return s.Without(other.in.Lo)
	}
	return s
}

// restrict restricts e to the runs in which the value of x, one of before, is one of to. If the
// value of x is not kept in a cell, it only determines whether there is such a run.
func (e *Env) restrict(x rules.Expr, before, to Set) *Env {
	s := before.Intersect(to)
	if s.Empty() {
		return nil
	}
	if s.Equal(before) || e.cell(x) == nil {
		return e
	}
	return e.with(x, s)
}

// Walk calls f for x and each subexpression that may be evaluated, with the Env of its evaluation:
// the right side of `and` knows that the left one holds.
func (e *Env) Walk(x rules.Expr, f func(sub rules.Expr, at *Env)) {
	if e == nil || x == nil {
		return
	}
	f(x, e)
	switch x := x.(type) {
	case rules.Cond:
		e.Walk(x.If, f)
		yes, no := e.split(x.If)
		yes.Walk(x.Then, f)
		no.Walk(x.Else, f)
	case rules.Old:
		e.Forget().Walk(x.X, f)
	case rules.Binary:
		e.chain(x, f).Walk(x.R, f)
	case rules.Cell:
		e.Walk(x.Index, f)
	case rules.Lookup:
		e.Walk(x.X, f)
	case rules.Not:
		e.Walk(x.X, f)
	case rules.Const, rules.OpenParam, rules.Sum, rules.Question:
	default:
		panic(fmt.Sprintf("abstract: unknown %T", x))
	}
}

// chain walks the left side of x, and returns the Env in which the right side is evaluated. What
// the first parts of a chain imply is found once.
func (e *Env) chain(x rules.Binary, f func(sub rules.Expr, at *Env)) *Env {
	joins := x.Op == rules.And || x.Op == rules.Or
	l, is := x.L.(rules.Binary)
	switch {
	case joins && is && l.Op == x.Op:
		f(x.L, e)
		right := e.chain(l, f)
		right.Walk(l.R, f)
		return right.Assume(l.R, x.Op == rules.And)
	case joins:
		e.Walk(x.L, f)
		return e.Assume(x.L, x.Op == rules.And)
	}
	e.Walk(x.L, f)
	return e
}
