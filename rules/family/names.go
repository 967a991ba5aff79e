package family

import "github.com/mancheck/mancheck/rules"

// pitSet is a set of pits.
type pitSet map[int]bool

// Names reports whether an expression names a single pit, as a value or for its seeds.
func Names(x rules.Expr, pit int) bool {
	return rules.Mentions(x, func(x rules.Expr) bool { p, is := named(x); return is && p == pit })
}

// named returns the pit that an expression is about by itself, if it is a single one.
func named(x rules.Expr) (pit int, is bool) {
	if c, is := x.(rules.Const); is {
		return c.Value, c.Type == rules.PitType
	}
	return rules.SeedsOf(x)
}

// BodyNames reports whether some expression of a body names a pit. What is asked of each pit before
// it is skipped does not count.
func BodyNames(body []rules.Stmt, pit int) bool {
	set := pitSet{}
	set.body(body)
	return set[pit]
}

// ActionNames reports whether an action names a pit: in its guard, its body, or its notation.
func ActionNames(a *rules.Action, pit int) bool {
	set := pitSet{}
	set.action(a)
	return set[pit]
}

// expr adds the pits that an expression names.
func (set pitSet) expr(x rules.Expr) {
	rules.Walk(x, func(x rules.Expr) bool {
		if p, is := named(x); is {
			set[p] = true
		}
		return true
	})
}

// body adds the pits that the expressions of a body name, as in BodyNames.
func (set pitSet) body(body []rules.Stmt) {
	rules.WalkStmts(body, func(s rules.Stmt) {
		if sow, is := s.(rules.Sow); is {
			sow.SkipIf = nil
			s = sow
		}
		for _, x := range rules.Exprs(s) {
			set.expr(x)
		}
	})
}

// action adds the pits that an action names, as in ActionNames.
func (set pitSet) action(a *rules.Action) {
	set.expr(a.Guard)
	set.body(a.Body)
	for _, w := range a.Written {
		set.expr(w.X)
	}
	for _, c := range a.Choices {
		if c.Type == rules.PitType {
			set[c.Value] = true
		}
	}
}
