package encode

import (
	"math/big"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/smt/term"
)

// arithmetic makes terms of numbers. Divisions become variables with definitions.
type arithmetic struct {
	b         *term.Builder
	quotients map[quotient]*term.Term
	defined   map[*term.Term]quotient
}

// quotient is what a variable made by the Encoder stands for: a division, rounded down.
type quotient struct {
	dividend *term.Term
	divisor  int // positive
}

// quot returns the variable for t div k, always the same for the same t and k. For a constant t it
// returns a constant.
func (e *arithmetic) quot(t *term.Term, k int) *term.Term {
	if v, ok := t.IsConst(); ok {
		return e.b.Int(num.Div(v, k))
	}
	if k == 1 {
		return t
	}
	key := quotient{t, k}
	q, ok := e.quotients[key]
	if !ok {
		q = e.b.Fresh("q", term.Int)
		e.quotients[key] = q
		e.defined[q] = key
	}
	return q
}

// leaves says that t leaves the remainder r when divided by k.
func (e *arithmetic) leaves(t *term.Term, k, r int) *term.Term {
	return e.b.Eq(t, e.b.Add(e.b.Mul(k, e.quot(t, k)), e.b.Int(r)))
}

// Definitions defines the quotients that occur in terms. It gives each of them one value whatever
// the other variables are, so it may be asserted anywhere. It must be asserted if a term with
// quotients may occur negated.
func (e *arithmetic) Definitions(terms ...*term.Term) *term.Term {
	all := lists.Map(e.quotientsIn(terms...), e.definition)
	return e.b.And(all...)
}

// definition says that of - by*q is a remainder.
func (e *arithmetic) definition(q *term.Term) *term.Term {
	d := e.defined[q]
	return e.between(e.b.Sub(d.dividend, e.b.Mul(d.divisor, q)), 0, d.divisor-1)
}

// quotientsIn lists the quotients that occur in terms and in their definitions, innermost
// first.
func (e *arithmetic) quotientsIn(terms ...*term.Term) []*term.Term {
	var list []*term.Term
	seen := map[*term.Term]bool{}
	var visit func(*term.Term)
	visit = func(t *term.Term) {
		if seen[t] {
			return
		}
		seen[t] = true
		if d, ok := e.defined[t]; ok {
			visit(d.dividend)
			list = append(list, t)
		}
		for _, a := range t.Args {
			visit(a)
		}
	}
	for _, t := range terms {
		visit(t)
	}
	return list
}

// Value evaluates t, with value giving the variables of states; quotients are computed.
func (e *arithmetic) Value(t *term.Term, value func(name string) int) *big.Int {
	own := map[string]*big.Int{}
	lookup := func(name string) *big.Int {
		if v, ok := own[name]; ok {
			return v
		}
		return big.NewInt(int64(value(name)))
	}
	for _, q := range e.quotientsIn(t) {
		d := e.defined[q]
		by := big.NewInt(int64(d.divisor)) // positive, so that Div rounds down
		own[q.Name] = by.Div(term.Eval(d.dividend, lookup), by)
	}
	return term.Eval(t, lookup)
}
