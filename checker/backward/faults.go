package backward

import (
	"fmt"

	"github.com/mancheck/mancheck/checker/slice/possible"
	"github.com/mancheck/mancheck/rules"
)

// mayFail reports whether a body that starts in env may meet a fault of the rules. A search tells
// that an action has met one: where it may, all candidates are tried.
func mayFail(sys *rules.System, body []rules.Stmt, env *possible.Env) bool {
	found := false
	env.Run(body, func(s rules.Stmt, e *possible.Env) {
		for _, x := range rules.Exprs(s) {
			found = found || exprMayFail(x, e)
		}
		switch s := s.(type) {
		case rules.Transfer:
			found = found || s.Count != nil || e.Values(s.Into).Has(rules.None)
		case rules.Sow:
			found = found || e.Values(s.Source).Has(rules.None) || s.StartAt != nil && e.Values(s.StartAt).Has(rules.None)
		case rules.Set:
			found = found || setMayFail(sys, s, e)
		case rules.If, rules.While, rules.Stop:
		default:
			panic(fmt.Sprintf("backward: unknown %T", s))
		}
	})
	return found
}

// setMayFail reports whether a variable may be set to a value outside its domain.
func setMayFail(sys *rules.System, s rules.Set, e *possible.Env) bool {
	if s.To.Sort != rules.VarCell {
		return false
	}
	for _, v := range e.Slots(s.To) {
		if !e.Values(s.X).Within(sys.Vars[v].Domain) {
			return true
		}
	}
	return s.To.Index != nil
}

// exprMayFail reports whether x may have no value in e.
func exprMayFail(x rules.Expr, e *possible.Env) bool {
	found := false
	e.Walk(x, func(x rules.Expr, e *possible.Env) {
		switch x := x.(type) {
		case rules.Cell:
			found = found || x.Index != nil && (x.Sort != rules.PitCell || x.Table != nil || e.Values(x.Index).Has(rules.None))
		case rules.Lookup:
			_, ok := x.Table.OfNone()
			found = found || !ok && e.Values(x.X).Has(rules.None)
		case rules.Binary:
			if x.Op == rules.Div || x.Op == rules.Mod {
				c, known := x.R.(rules.Const)
				found = found || !known || c.Value == 0
			}
		case rules.Const, rules.OpenParam, rules.Sum, rules.Not, rules.Cond, rules.Question, rules.Old:
		default:
			panic(fmt.Sprintf("backward: unknown %T", x))
		}
	})
	return found
}
