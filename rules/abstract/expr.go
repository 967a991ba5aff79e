package abstract

import (
	"fmt"

	"github.com/mancheck/mancheck/rules"
)

// Values returns the set of values that x may have in e.
func (e *Env) Values(x rules.Expr) Set {
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
		return Of(0, 1)
	case rules.Binary:
		if x.Op <= rules.Ge {
			return Of(0, 1)
		}
		return Anything
	case rules.Sum, rules.OpenParam:
		return Anything
	}
	panic(fmt.Sprintf("abstract: unknown %T", x))
}

func (e *Env) cellValues(x rules.Cell) Set {
	if x.Sort == rules.VarCell {
		var s Set
		for _, v := range e.Slots(x) {
			s = s.Union(e.vars[v])
		}
		return s
	}
	if c := e.cell(x); c != nil {
		return *c
	}
	return Anything
}

// lookupValues looks up the pits that x.X may be. A missing entry for none has no value.
func (e *Env) lookupValues(x rules.Lookup) Set {
	var to []int
	s := e.Values(x.X)
	if v, ok := x.Table.OfNone(); ok && s.Has(rules.None) {
		to = append(to, v)
	}
	for _, p := range indices(s, len(x.Table.Of)) {
		to = append(to, x.Table.Of[p])
	}
	return Of(to...)
}

func (e *Env) condValues(x rules.Cond) Set {
	var s Set
	if t := e.Assume(x.If, true); t != nil {
		s = t.Values(x.Then)
	}
	if f := e.Assume(x.If, false); f != nil {
		s = s.Union(f.Values(x.Else))
	}
	return s
}

// indices lists the members of s from 0 to n-1.
func indices(s Set, n int) []int {
	var list []int
	if s.Any {
		for i := range n {
			list = append(list, i)
		}
		return list
	}
	for _, v := range s.Values {
		if v >= 0 && v < n {
			list = append(list, v)
		}
	}
	return list
}

// Pits lists the pits that x may be.
func (e *Env) Pits(x rules.Expr) []int {
	return indices(e.Values(x), len(e.sys.Pits))
}

// Assume returns e restricted to the runs in which x is true, or false. It is nil if there is none.
func (e *Env) Assume(x rules.Expr, truth bool) *Env {
	if e == nil {
		return nil
	}
	switch x := x.(type) {
	case rules.Not:
		return e.Assume(x.X, !truth)
	case rules.Lookup:
		return e.restrict(x.X, func(v int) bool {
			entry, ok := x.Table.Entry(v)
			return ok && (entry != 0) == truth
		})
	case rules.Cond:
		return Join(e.Assume(x.If, true).Assume(x.Then, truth), e.Assume(x.If, false).Assume(x.Else, truth))
	case rules.Binary:
		return e.assumeBinary(x, truth)
	case rules.Const, rules.OpenParam, rules.Cell, rules.Sum, rules.Question, rules.Old:
	default:
		panic(fmt.Sprintf("abstract: unknown %T", x))
	}
	return e.restrict(x, func(v int) bool { return (v != 0) == truth })
}

func (e *Env) assumeBinary(x rules.Binary, truth bool) *Env {
	switch x.Op {
	case rules.And, rules.Or:
		return e.assumeJoined(x, truth)
	case rules.Eq, rules.Ne:
		if (x.Op == rules.Eq) == truth {
			return e.assumeSame(x.L, x.R)
		}
		return e.assumeDifferent(x.L, x.R)
	case rules.Lt, rules.Le, rules.Gt, rules.Ge:
		return e
	}
	return e.restrict(x, func(v int) bool { return (v != 0) == truth })
}

// assumeJoined follows the short circuit: the right side is evaluated only if the left one does not
// decide.
func (e *Env) assumeJoined(x rules.Binary, truth bool) *Env {
	decides := x.Op == rules.Or
	on := e.Assume(x.L, !decides).Assume(x.R, truth)
	if truth == decides {
		return Join(e.Assume(x.L, decides), on)
	}
	return on
}

func (e *Env) assumeSame(l, r rules.Expr) *Env {
	if left := e.Values(l); !left.Any {
		e = e.restrict(r, left.Has)
	}
	if e == nil {
		return nil
	}
	if right := e.Values(r); !right.Any {
		e = e.restrict(l, right.Has)
	}
	return e
}

func (e *Env) assumeDifferent(l, r rules.Expr) *Env {
	if v, ok := e.Values(r).Single(); ok {
		return e.restrict(l, func(x int) bool { return x != v })
	}
	if v, ok := e.Values(l).Single(); ok {
		return e.restrict(r, func(x int) bool { return x != v })
	}
	return e
}

// restrict restricts e to the runs in which the value of x passes. If the value of x is not kept in
// a cell, it only determines whether there is such a run.
func (e *Env) restrict(x rules.Expr, pass func(int) bool) *Env {
	s := e.Values(x).Filter(pass)
	if s.Empty() {
		return nil
	}
	if s.Any || e.cell(x) == nil {
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
		e.Assume(x.If, true).Walk(x.Then, f)
		e.Assume(x.If, false).Walk(x.Else, f)
	case rules.Old:
		e.Forget().Walk(x.X, f)
	case rules.Binary:
		e.Walk(x.L, f)
		e.rightOf(x).Walk(x.R, f)
	case rules.Const, rules.OpenParam, rules.Cell, rules.Sum, rules.Lookup, rules.Not, rules.Question:
		for _, c := range rules.Children(x) {
			e.Walk(c, f)
		}
	default:
		panic(fmt.Sprintf("abstract: unknown %T", x))
	}
}

// rightOf returns the Env in which the right side of x is evaluated.
func (e *Env) rightOf(x rules.Binary) *Env {
	switch x.Op {
	case rules.And:
		return e.Assume(x.L, true)
	case rules.Or:
		return e.Assume(x.L, false)
	}
	return e
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
	var slots []int
	for _, i := range indices(e.Values(c.Index), len(c.Table)) {
		if c.Table[i] >= 0 {
			slots = append(slots, c.Table[i])
		}
	}
	return slots
}

// with returns e with the cell x set to s.
func (e *Env) with(x rules.Expr, s Set) *Env {
	c := e.clone()
	*c.cell(x) = s
	return c
}
