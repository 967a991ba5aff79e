package encode

import (
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/smt/term"
)

// plain translates a condition part by part, without exploring ways to evaluate it. It can only do so where nothing can fail and no pit
// or variable has to be found out: then ok. Conditions on single states of a set are of this kind, and there are many of them.
func (e *Encoder) plain(x rules.Expr, s State, params []*term.Term) (t *term.Term, ok bool) {
	switch x := x.(type) {
	case rules.Const:
		return e.b.Int(x.Value), true
	case rules.OpenParam:
		return params[x.Param], params[x.Param] != nil
	case rules.Seeds:
		p, fixed := x.Pit.(rules.Const)
		if !fixed || p.Value == rules.None {
			return nil, false
		}
		return s.Seeds[p.Value], true
	case rules.Sum:
		return e.plainSum(x, s), true
	case rules.VarRef:
		if x.Index != nil || x.Table[0] < 0 {
			return nil, false
		}
		return s.Vars[x.Table[0]], true
	case rules.Mover:
		return s.Mover, true
	case rules.HasOutcome:
		return e.b.Eq(s.Outcome, e.b.Int(x.Outcome)), true
	case rules.Not:
		c, ok := e.plainBool(x.X, s, params)
		if !ok {
			return nil, false
		}
		return e.b.Not(c), true
	case rules.Binary:
		return e.plainBinary(x, s, params)
	}
	return nil, false
}

func (e *Encoder) plainSum(x rules.Sum, s State) *term.Term {
	var parts []*term.Term
	for _, p := range x.Pits {
		parts = append(parts, s.Seeds[p])
	}
	return e.b.Add(parts...)
}

// plainBool is plain for a truth value, which a variable or constant holds as 0 or 1.
func (e *Encoder) plainBool(x rules.Expr, s State, params []*term.Term) (*term.Term, bool) {
	t, ok := e.plain(x, s, params)
	if !ok {
		return nil, false
	}
	return e.asBool(t), true
}

func (e *Encoder) plainBinary(x rules.Binary, s State, params []*term.Term) (*term.Term, bool) {
	if x.Op == rules.And || x.Op == rules.Or {
		return e.plainJunction(x, s, params)
	}
	l, ok := e.plain(x.L, s, params)
	if !ok {
		return nil, false
	}
	r, ok := e.plain(x.R, s, params)
	if !ok {
		return nil, false
	}
	l, r = e.asInt(l), e.asInt(r)
	switch x.Op {
	case rules.Eq:
		return e.b.Eq(l, r), true
	case rules.Ne:
		return e.b.Ne(l, r), true
	case rules.Lt:
		return e.b.Lt(l, r), true
	case rules.Le:
		return e.b.Le(l, r), true
	case rules.Gt:
		return e.b.Gt(l, r), true
	case rules.Ge:
		return e.b.Ge(l, r), true
	case rules.Add:
		return e.b.Add(l, r), true
	case rules.Sub:
		return e.b.Sub(l, r), true
	}
	return nil, false
}

// plainJunction ends at the first part that decides it: nothing after it can fail.
func (e *Encoder) plainJunction(x rules.Binary, s State, params []*term.Term) (*term.Term, bool) {
	join := e.b.And
	if x.Op == rules.Or {
		join = e.b.Or
	}
	l, ok := e.plainBool(x.L, s, params)
	if !ok || l.Op == term.Const && l.IsTrue() == (x.Op == rules.Or) {
		return l, ok
	}
	r, ok := e.plainBool(x.R, s, params)
	if !ok {
		return nil, false
	}
	return join(l, r), true
}
