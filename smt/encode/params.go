package encode

import (
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/smt/term"
)

// OpenParams makes a variable for each open parameter, in the order of the System's OpenParams.
func (e *layout) OpenParams() []*term.Term {
	return lists.Map(e.sys.OpenParams(), func(i int) *term.Term { return e.b.Var("param."+e.sys.Params[i].Name, term.Int) })
}

// ParamRanges says that values of the open parameters, in the order of the System's OpenParams, are
// in their ranges.
func (e *layout) ParamRanges(open []*term.Term) *term.Term { return e.paramRanges(e.byParam(open)) }

// paramRanges is ParamRanges with the values indexed by parameter.
func (e *layout) paramRanges(params []*term.Term) *term.Term {
	var all []*term.Term
	for _, i := range e.sys.OpenParams() {
		p := &e.sys.Params[i]
		all = append(all, e.b.Le(e.b.Int(p.Lo), params[i]))
		if p.HasHi {
			all = append(all, e.b.Le(params[i], e.b.Int(p.Hi)))
		}
	}
	return e.b.And(all...)
}

// ExprFor returns a condition of a claim, in s, which may refer to the open parameters. Old refers
// to the state old, which may be nil if x has no Old. The formula is false where the evaluation
// meets an error of the rules, and what it says about IsStuck is right only where no Overrun holds.
// See Definitions.
func (e *Encoder) ExprFor(x rules.Expr, s State, old *State, open []*term.Term) (*term.Term, error) {
	if t, ok := e.plain(x, s, old, e.byParam(open)); ok {
		return t, nil
	}
	return e.condition(x, s, old, e.byParam(open), e.leafTruth)
}

// NoValue says that the evaluation of ExprFor's condition meets an error of the rules. See
// Definitions.
func (e *Encoder) NoValue(x rules.Expr, s State, old *State, open []*term.Term) (*term.Term, error) {
	if !rules.CanFail(x) {
		return e.b.False(), nil
	}
	return e.condition(x, s, old, e.byParam(open), func(l *leaf) *term.Term { return e.b.Bool(l.kind == faulty) })
}
