package abstract

import (
	"slices"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// Hazard returns the part of x that decides whether x, apart from its subexpressions, has a value
// in e: a divisor, a pit that may be `none`, what chooses a variable. It is nil if x has one.
func (e *Env) Hazard(x rules.Expr) rules.Expr {
	if c, is := x.(rules.Cell); is && c.Index != nil && !e.exists(c) {
		return c.Index
	}
	if l, is := x.(rules.Lookup); is {
		if _, ok := l.Table.OfNone(); !ok && e.mayBeNone(l.X) {
			return l.X
		}
	}
	if b, is := x.(rules.Binary); is && (b.Op == rules.Div || b.Op == rules.Mod) && e.Values(b.R).Has(0) {
		return b.R
	}
	return nil
}

func (e *Env) mayBeNone(pit rules.Expr) bool { return pit != nil && e.Values(pit).Has(rules.None) }

// exists reports whether the index of a cell certainly chooses one.
func (e *Env) exists(c rules.Cell) bool {
	if c.Table == nil {
		return !e.mayBeNone(c.Index)
	}
	return e.Values(c.Index).Within(lists.Where(c.Table, func(slot int) bool { return slot >= 0 }))
}

// MayFail reports whether a body that starts in e may meet a fault of the rules.
func (e *Env) MayFail(body []rules.Stmt) bool {
	found := false
	e.Run(body, func(s rules.Stmt, e *Env) {
		e.Exprs(s, func(x rules.Expr, at *Env) { found = found || at.fails(x) })
		found = found || e.hazardous(s)
	})
	return found
}

// fails reports whether x may have no value in e.
func (e *Env) fails(x rules.Expr) (may bool) {
	e.Walk(x, func(x rules.Expr, at *Env) { may = may || at.Hazard(x) != nil || at.unset(x) })
	return may
}

// unset reports whether x is a register that a sowing sets, and there may have been none.
func (e *Env) unset(x rules.Expr) bool {
	c, is := x.(rules.Cell)
	switch {
	case !is:
		return false
	case c.IsRegister(rules.OriginReg):
		return e.origin.Has(rules.None)
	}
	return (c.IsRegister(rules.LastReg) || c.IsRegister(rules.LastWasReg)) && e.last.Has(rules.None)
}

// hazardous reports whether a statement may meet a fault other than in its expressions.
func (e *Env) hazardous(s rules.Stmt) bool {
	switch s := s.(type) {
	case rules.Transfer:
		return s.Count != nil || e.mayBeNone(s.Into)
	case rules.Sow:
		return e.mayBeNone(s.Source) || e.Sowing(s).mayBeNone(s.StartAt)
	case rules.Set:
		return e.Hazard(s.To) != nil || !e.Fits(s)
	case rules.If, rules.While, rules.Stop:
	}
	return false
}

// Fits reports whether each variable that a statement may set can have the value.
func (e *Env) Fits(s rules.Set) bool {
	return s.To.Sort != rules.VarCell || !slices.ContainsFunc(e.Slots(s.To), func(v int) bool {
		return !e.Values(s.X).Within(e.sys.Vars[v].Domain)
	})
}
