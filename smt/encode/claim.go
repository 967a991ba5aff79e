package encode

import (
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/exec"
	"github.com/mancheck/mancheck/smt/term"
)

// condition evaluates x, and says by f what is to hold at the end of each way to do so.
func (e *explored) condition(x rules.Expr, s State, old *State, params []*term.Term, f func(*leaf) *term.Term) (*term.Term, error) {
	tree, err := e.evaluation(x, s, old, params)
	if err != nil {
		return nil, err
	}
	return e.formula(tree, f), nil
}

func (e *explored) leafTruth(l *leaf) *term.Term {
	if l.kind != stepped {
		return e.b.False()
	}
	return e.asBool(l.value)
}

// number turns an evaluation into one number, which is 0 where that meets an error of the rules.
func (e *explored) number(n *node) *term.Term {
	switch l := n.leaf; {
	case l != nil && l.kind == stepped:
		return e.asInt(l.value)
	case l != nil:
		return e.b.Int(0)
	}
	last := len(n.kids) - 1
	t := e.number(n.kids[last])
	for i := last - 1; i >= 0; i-- {
		t = e.b.Ite(n.conds[i], e.number(n.kids[i]), t)
	}
	return t
}

// evaluation explores the ways to evaluate x.
func (e *explored) evaluation(x rules.Expr, s State, old *State, params []*term.Term) (*node, error) {
	base := e.newPath(s)
	if old != nil {
		base.assume(*old)
	}
	tree, err := base.explore(func(p *path) (leaf, error) {
		t, err := p.eval(x, s, old, params)
		return leaf{value: t}, err
	})
	return tree, unsupported("a condition", err)
}

// eval evaluates x on one path.
func (p *path) eval(x rules.Expr, s State, old *State, params []*term.Term) (*term.Term, error) {
	d := p.newRun(s, 0, p.e.opt.Unroll)
	d.old, d.open, d.claim = old, params, true
	return d.run.Eval(exec.ReadExpr(x))
}

// plain evaluates a condition if it needs no split and cannot fail; ok reports whether it does.
// Conditions on single states of a set are of this kind, and there are many of them.
func (e *explored) plain(x rules.Expr, s State, old *State, params []*term.Term) (t *term.Term, ok bool) {
	p := &path{e: e, pure: true, bare: true}
	t, err := p.eval(x, s, old, params)
	if err != nil {
		return nil, false
	}
	return e.asBool(t), true
}

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

// byParam returns values of the open parameters indexed by parameter.
func (e *layout) byParam(open []*term.Term) []*term.Term {
	list := make([]*term.Term, len(e.sys.Params))
	for i, p := range e.sys.OpenParams() {
		list[p] = open[i]
	}
	return list
}
