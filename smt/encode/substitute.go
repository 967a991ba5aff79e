package encode

import (
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/smt/term"
)

// substitution replaces variables by terms. A quotient becomes the quotient of its replaced
// dividend.
type substitution struct {
	e    *explored
	memo map[*term.Term]*term.Term
}

// instance replaces the parts of the explored state by those of s.
func (e *explored) instance(s State) *substitution {
	sub := &substitution{e: e, memo: map[*term.Term]*term.Term{}}
	to := s.Parts()
	for i, from := range e.any.Parts() {
		sub.memo[from] = to[i]
	}
	return sub
}

func (x *substitution) state(s State) State {
	return State{Seeds: lists.Map(s.Seeds, x.term), Vars: lists.Map(s.Vars, x.term), Mover: x.term(s.Mover), Outcome: x.term(s.Outcome)}
}

func (x *substitution) term(t *term.Term) *term.Term {
	if u, ok := x.memo[t]; ok {
		return u
	}
	u := x.replace(t)
	x.memo[t] = u
	return u
}

func (x *substitution) replace(t *term.Term) *term.Term {
	if d, ok := x.e.defined[t]; ok {
		return x.e.quot(x.term(d.dividend), d.divisor)
	}
	args := lists.Map(t.Args, x.term)
	b := x.e.b
	switch t.Op {
	case term.Not:
		return b.Not(args[0])
	case term.And:
		return b.And(args...)
	case term.Or:
		return b.Or(args...)
	case term.Eq:
		return b.Eq(args[0], args[1])
	case term.Le:
		return b.Le(args[0], args[1])
	case term.Lt:
		return b.Lt(args[0], args[1])
	case term.Add:
		return b.Add(args...)
	case term.Mul:
		return b.Mul(t.Value, args[0])
	case term.Ite:
		return b.Ite(args[0], args[1], args[2])
	}
	return t
}
