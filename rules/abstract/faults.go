package abstract

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
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

// MostAdded bounds the seeds and constants of which a loop may add up some to a local, which is
// then in range for as many rounds as a loop may have.
const MostAdded = 1 << 30

// Refusal returns the statements of an action's body up to the last one by which it may be illegal
// or meet a fault, in a state with at most MostAdded seeds. Whether a player can move does not
// depend on what comes after that: a loop that never ends makes no action illegal.
func Refusal(sys *rules.System, a *rules.Action) []rules.Stmt {
	n, e := 0, Before(sys, a)
	for i := range a.Body {
		one := a.Body[i:][:1]
		if e == nil || e.MayFail(one) || mayRefuse(one) {
			n = i + 1
		}
		if e != nil {
			e = e.Run(one, func(rules.Stmt, *Env) {})
		}
	}
	return a.Body[:n]
}

// mayRefuse reports whether statements may make an action illegal, or meet a fault that MayFail
// says nothing of.
func mayRefuse(list []rules.Stmt) (may bool) {
	rules.WalkStmts(list, func(s rules.Stmt) {
		switch s := s.(type) {
		case rules.Stop:
			may = may || s.Outcome == rules.Illegal
		case rules.Set:
			may = may || s.To.Sort == rules.PitCell
		case rules.Sow:
			may = true
		case rules.If, rules.While, rules.Transfer:
		}
		may = may || slices.ContainsFunc(rules.Exprs(s), mayOverflow)
	})
	return may
}

// mayOverflow reports whether an expression asks a question, or has a number that may be out of
// range: one that is no sum of few seeds, small constants and one local.
func mayOverflow(x rules.Expr) (may bool) {
	rules.Walk(x, func(x rules.Expr) bool {
		switch x := any(x).(type) { // others have no numbers but those of their parts
		case rules.Question:
			may = true
		case rules.Binary:
			if x.Op >= rules.Add {
				may = may || !small(x)
				return false
			}
		}
		return true
	})
	return may
}

// small reports whether an expression is such a sum.
func small(x rules.Expr) bool {
	var sum rules.Linear
	if !sum.Add(x, 1) || max(sum.Constant, -sum.Constant) > MostAdded {
		return false
	}
	locals := 0
	for _, t := range sum.Terms {
		c, is := t.X.(rules.Cell)
		if !is || max(t.Factor, -t.Factor) > 1 || c.Sort != rules.PitCell && (c.Sort != rules.LocalCell || c.Index != nil) {
			return false
		}
		locals += num.Truth(c.Sort == rules.LocalCell)
	}
	return locals <= 1
}
