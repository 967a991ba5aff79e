package residual

import (
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
)

// linear is a comparison of sums of seeds and other values, as of what a chain captures with all
// that there is: whether a weighted sum is less than 0 or, if equal is set, whether it is 0. The
// closure of the condition says the same. A Specialist needs to know of what it is a sum.
type linear struct {
	terms []term
	rest  []weighted // what is in no pit
	n     int        // added
	equal bool
	sense bool // the result that means yes
}

// term is the seeds of a field, times a weight.
type term struct {
	pack.Field
	times int
}

// weighted is a value times a weight.
type weighted struct {
	value
	times int
}

// linear returns the number of a condition among those that are linear, from 1. It is 0 if the
// condition is none.
func (b *tester) linear(x rules.Expr) int32 {
	c, is := x.(rules.Binary)
	if !is {
		return 0
	}
	l, sign := linear{sense: c.Op != rules.Ne}, 1
	switch c.Op {
	case rules.Lt, rules.Le:
	case rules.Gt, rules.Ge:
		sign = -1
	case rules.Eq, rules.Ne:
		l.equal = true
	default:
		return 0
	}
	if c.Op == rules.Le || c.Op == rules.Ge {
		l.n = -1
	}
	if !b.addTerms(&l, c.L, sign) || !b.addTerms(&l, c.R, -sign) || len(l.terms) < 2 {
		return 0
	}
	b.linears = append(b.linears, l)
	return int32(len(b.linears))
}

// addTerms adds an expression times a weight.
func (b *tester) addTerms(l *linear, x rules.Expr, times int) bool {
	if c, is := x.(rules.Const); is {
		l.n += times * c.Value
		return true
	}
	if c, is := x.(rules.Binary); is && c.Op == rules.Add {
		return b.addTerms(l, c.L, times) && b.addTerms(l, c.R, times)
	} else if is && c.Op == rules.Sub {
		return b.addTerms(l, c.L, times) && b.addTerms(l, c.R, -times)
	}
	sum, is := x.(rules.Sum)
	pits := sum.Pits
	if pit, one := rules.SeedsOf(x); one {
		pits = []int{pit}
	} else if !is {
		v, ok := b.value(x)
		l.rest = append(l.rest, weighted{v, times})
		return ok
	}
	for _, pit := range pits {
		switch f := b.places[pit]; {
		case isKnown(b.cells[pit]):
			l.n += times * b.cells[pit]
		case !f.has:
			return false
		default:
			l.terms = append(l.terms, term{f.Field, times})
		}
	}
	return true
}
