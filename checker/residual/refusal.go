package residual

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/abstract"
)

// mostAdded bounds the seeds and constants of which a loop may add up some to a local, which is
// then in range for as many rounds as a loop may have.
const mostAdded = 1 << 30

// refusal returns the statements of an action's body up to the last one by which it may be illegal
// or meet a fault. Whether a player can move does not depend on what comes after that: a loop that
// never ends makes no action illegal.
func (c *compiler) refusal(action int) []rules.Stmt {
	a := &c.sys.Actions[action]
	if c.codec.Seeds() > mostAdded {
		return a.Body
	}
	if body, is := c.refusals[action]; is {
		return body
	}
	n, e := 0, abstract.Before(c.sys, a)
	for i := range a.Body {
		one := a.Body[i:][:1]
		if e == nil || e.MayFail(one) || mayRefuse(one) {
			n = i + 1
		}
		if e != nil {
			e = e.Run(one, func(rules.Stmt, *abstract.Env) {})
		}
	}
	c.refusals[action] = slices.Clone(a.Body[:n]) // a list is known by where it is
	return c.refusals[action]
}

// mayRefuse reports whether statements may make an action illegal, or meet a fault of which package
// abstract says nothing.
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
	if !sum.Add(x, 1) || max(sum.Constant, -sum.Constant) > mostAdded {
		return false
	}
	locals := 0
	for _, t := range sum.Terms {
		c, is := t.X.(rules.Cell)
		if !is || max(t.Factor, -t.Factor) > 1 || c.Sort != rules.PitCell && (c.Sort != rules.LocalCell || c.Index != nil) {
			return false
		}
		locals += truth(c.Sort == rules.LocalCell)
	}
	return locals <= 1
}
