package flow

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// env is what is known at one place of a body: which values cells may have, and which conditions on
// seeds hold. It is never changed in place; nil is the env of a place that no run comes to.
type env struct {
	*body
	cells []set        // the registers last and origin, then variables, then locals
	facts []rules.Expr // conditions that ask for seeds and are true
}

// body is what does not change while a body is followed.
type body struct {
	sys   *rules.System
	mover int
}

const (
	lastCell = iota
	originCell
	firstVar
)

// before returns the env in which a body of a player to move begins. A register without a value has
// no values: what reads it meets a fault.
func before(sys *rules.System, mover, locals int) *env {
	e := &env{body: &body{sys: sys, mover: mover}, cells: make([]set, firstVar, firstVar+len(sys.Vars)+locals)}
	for i := range sys.Vars {
		e.cells = append(e.cells, listed(slices.Clone(sys.Vars[i].Domain)))
	}
	e.cells = append(e.cells, slices.Repeat([]set{one(0)}, locals)...)
	return e
}

// with returns e with other values of a cell, and without the facts that read it.
func (e *env) with(cell int, s set) *env {
	c := e.narrowed(cell, s)
	c.facts = slices.DeleteFunc(slices.Clone(e.facts), func(x rules.Expr) bool { return e.reads(x, cell) })
	return c
}

// reads reports whether a condition may read a cell.
func (e *env) reads(x rules.Expr, cell int) bool {
	return rules.Mentions(x, func(x rules.Expr) bool {
		c, is := x.(rules.Cell)
		at, followed := e.cell(x)
		return is && (c.Sort == rules.VarCell && c.Index != nil || c.IsRegister(rules.LastWasReg)) || followed && at == cell
	})
}

// narrowed is e with fewer values of a cell: what is known stays known.
func (e *env) narrowed(cell int, s set) *env {
	c := &env{body: e.body, cells: slices.Clone(e.cells), facts: e.facts}
	c.cells[cell] = s
	return c
}

// forgetful returns e without facts, which seeds that move may have made false.
func (e *env) forgetful() *env { return &env{body: e.body, cells: e.cells} }

// begin returns the env in which a body of a player begins, if this is known of the state.
func (e *env) begin(mover, locals int) *env {
	c := before(e.sys, mover, locals)
	copy(c.cells[firstVar:], e.cells[firstVar:firstVar+len(e.sys.Vars)])
	c.facts = e.facts
	return c
}

// mostFacts bounds the facts that are kept: the latest ones.
const mostFacts = 24

// knowing returns e with one more fact, if it asks for seeds and nothing else changes it.
func (e *env) knowing(x rules.Expr) *env {
	if e == nil || !rules.CountsSeeds(x) || rules.HasA[rules.Question](x) {
		return e
	}
	facts := e.facts
	if len(facts) == mostFacts {
		facts = facts[1:]
	}
	return &env{body: e.body, cells: e.cells, facts: append(slices.Clip(facts), x)}
}

func join(e, f *env) *env {
	switch {
	case e == nil:
		return f
	case f == nil || e == f:
		return e
	}
	c := &env{body: e.body, cells: slices.Clone(e.cells)}
	for i := range c.cells {
		c.cells[i] = c.cells[i].union(f.cells[i])
	}
	c.facts = lists.Filter(e.facts, func(x rules.Expr) bool {
		return slices.ContainsFunc(f.facts, func(y rules.Expr) bool { return reflect.DeepEqual(x, y) })
	})
	return c
}

func (e *env) equal(f *env) bool {
	if e == nil || f == nil {
		return e == f
	}
	return slices.EqualFunc(e.cells, f.cells, set.equal) && len(e.facts) == len(f.facts)
}

// cell returns the place in e of the cell that x is, if that is one that is followed.
func (e *env) cell(x rules.Expr) (int, bool) {
	c, is := x.(rules.Cell)
	if !is || c.Index != nil {
		return 0, false
	}
	switch {
	case c.IsRegister(rules.LastReg):
		return lastCell, true
	case c.IsRegister(rules.OriginReg):
		return originCell, true
	case c.Sort == rules.VarCell:
		return firstVar + c.Slot, true
	case c.Sort == rules.LocalCell:
		return firstVar + len(e.sys.Vars) + c.Slot, true
	}
	return 0, false
}

// vars lists the places of the variables that a cell may be.
func (e *env) vars(c rules.Cell) []int {
	if at, ok := e.cell(c); ok {
		return []int{at}
	}
	var list []int
	index := e.values(c.Index)
	for i, slot := range c.Table {
		if slot >= 0 && index.has(i) {
			list = append(list, firstVar+slot)
		}
	}
	return list
}

// pits lists the pits that x may be.
func (e *env) pits(x rules.Expr) []int {
	return lists.Filter(num.Run(0, len(e.sys.Pits)), e.values(x).has)
}

// values returns the values that x may have. There are none if its evaluation meets a fault.
func (e *env) values(x rules.Expr) set {
	switch x := x.(type) {
	case rules.Const:
		return one(x.Value)
	case rules.Cell:
		return e.cellValues(x)
	case rules.Lookup:
		return e.entries(x)
	case rules.Not:
		return e.truths(x)
	case rules.Cond:
		yes, no := e.assume(x.If, true), e.assume(x.If, false)
		var s set
		if yes != nil {
			s = yes.values(x.Then)
		}
		if no != nil {
			s = s.union(no.values(x.Else))
		}
		return s
	case rules.Binary:
		if x.Op == rules.And || x.Op == rules.Or {
			return e.truths(x)
		}
		return applied(x.Op, e.values(x.L), e.values(x.R))
	case rules.OpenParam, rules.Sum, rules.Question, rules.Old:
		return anything
	}
	panic(fmt.Sprintf("flow: unknown %T", x))
}

func (e *env) cellValues(x rules.Cell) set {
	if at, ok := e.cell(x); ok {
		return e.cells[at]
	}
	switch {
	case x.IsRegister(rules.MoverReg):
		return one(e.mover)
	case x.Sort != rules.VarCell:
		return anything
	}
	var s set
	for _, at := range e.vars(x) {
		s = s.union(e.cells[at])
	}
	return s
}

func (e *env) entries(x rules.Lookup) set {
	pits := e.values(x.X)
	var list []int
	for p := rules.None; p < len(x.Table.Of); p++ {
		if v, ok := x.Table.Entry(p); ok && pits.has(p) {
			list = append(list, v)
		}
	}
	return listed(list)
}

func (e *env) truths(x rules.Expr) set {
	var list []int
	if e.assume(x, false) != nil {
		list = append(list, 0)
	}
	if e.assume(x, true) != nil {
		list = append(list, 1)
	}
	return set{of: list}
}

// applied returns the results of an operator. Pairs for which it has none meet a fault.
func applied(op rules.Op, l, r set) set {
	switch {
	case l.empty() || r.empty():
		return set{}
	case l.any || r.any || len(l.of)*len(r.of) > most*most/16:
		return anything
	}
	var list []int
	for _, a := range l.of {
		for _, b := range r.of {
			switch v, err := rules.Apply(op, a, b); {
			case err == nil:
				list = append(list, v)
			case errors.Is(err, num.ErrRange): // a limit of computation, and no fault
				return anything
			}
		}
	}
	return listed(list)
}

// assume returns e where x is true, or false. It is nil if that cannot be.
func (e *env) assume(x rules.Expr, truth bool) *env {
	if e == nil {
		return nil
	}
	switch x := x.(type) {
	case rules.Not:
		return e.assume(x.X, !truth)
	case rules.Cond:
		return join(e.assume(x.If, true).assume(x.Then, truth), e.assume(x.If, false).assume(x.Else, truth))
	case rules.Binary:
		if x.Op != rules.And && x.Op != rules.Or {
			break
		}
		decides := x.Op == rules.Or // this value of the left side
		on := e.assume(x.L, !decides).assume(x.R, truth)
		if truth != decides {
			return on
		}
		out := join(e.assume(x.L, decides), on)
		if truth {
			return out.knowing(x)
		}
		return out
	case rules.Const, rules.Cell, rules.Lookup, rules.OpenParam, rules.Sum, rules.Question, rules.Old:
	default:
		panic(fmt.Sprintf("flow: unknown %T", x))
	}
	return e.atom(x, truth)
}

// atom keeps of each cell that x reads the values with which x may be true, or false.
func (e *env) atom(x rules.Expr, truth bool) *env {
	may := func(e *env) bool {
		s := e.values(x)
		if truth {
			return s.any || len(s.of) > 1 || len(s.of) == 1 && s.of[0] != 0
		}
		return s.has(0)
	}
	if !may(e) || e.denies(x, truth) {
		return nil
	}
	rules.Walk(x, func(sub rules.Expr) bool {
		at, ok := e.cell(sub)
		if !ok || e.cells[at].any || len(e.cells[at].of) < 2 {
			return true
		}
		try := e.narrowed(at, set{})
		e = e.narrowed(at, set{of: lists.Filter(e.cells[at].of, func(v int) bool {
			try.cells[at] = one(v)
			return may(try)
		})})
		return true
	})
	if !may(e) {
		return nil
	}
	if truth {
		return e.knowing(x)
	}
	return e.knowing(rules.Not{X: x})
}

// denies reports whether one of the facts says the contrary of x, or of its negation.
func (e *env) denies(x rules.Expr, truth bool) bool {
	return slices.ContainsFunc(e.facts, func(fact rules.Expr) bool {
		not, is := fact.(rules.Not)
		if truth {
			return is && reflect.DeepEqual(not.X, x)
		}
		return reflect.DeepEqual(fact, x)
	})
}
