package rules

import (
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
)

// Term is a multiple of an expression.
type Term struct {
	X      Expr
	Factor int
}

// Summands splits a sum, a difference, a product with a constant, or a number of seeds in several
// pits into terms, whose sum is x. It returns nil for anything else.
func Summands(x Expr) []Term {
	if sum, is := x.(Sum); is {
		return lists.Map(sum.Pits, func(p int) Term { return Term{PitAt(p), 1} })
	}
	b, is := x.(Binary)
	if !is {
		return nil
	}
	switch b.Op {
	case Add:
		return []Term{{b.L, 1}, {b.R, 1}}
	case Sub:
		return []Term{{b.L, 1}, {b.R, -1}}
	case Mul:
		if k, ok := b.L.(Const); ok {
			return []Term{{b.R, k.Value}}
		}
		if k, ok := b.R.(Const); ok {
			return []Term{{b.L, k.Value}}
		}
	}
	return nil
}

// Linear is a sum of a constant and of multiples of expressions that are no sums: the seeds of
// fixed pits, open parameters, and what is not linear.
type Linear struct {
	Constant int
	Terms    []Term
}

// Add adds a multiple of x. It fails if a factor or the constant would be out of range.
func (l *Linear) Add(x Expr, factor int) (ok bool) {
	if c, is := x.(Const); is {
		k, ok := num.Mul(factor, c.Value)
		if ok {
			l.Constant, ok = num.Add(l.Constant, k)
		}
		return ok
	}
	parts := Summands(x)
	if parts == nil {
		l.Terms = append(l.Terms, Term{x, factor})
		return true
	}
	for _, p := range parts {
		k, ok := num.Mul(factor, p.Factor)
		if !ok || !l.Add(p.X, k) {
			return false
		}
	}
	return true
}
