package abstract

import (
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
)

// maybe holds both truth values.
var maybe = num.Interval{Lo: 0, Hi: 1}

// Apply bounds l op r, where l and r are bounds of the operands.
func Apply(op rules.Op, l, r num.Interval) num.Interval {
	switch op {
	case rules.And:
		return Negation(disjunction(Negation(l), Negation(r)))
	case rules.Or:
		return disjunction(l, r)
	case rules.Eq, rules.Ne, rules.Lt, rules.Le, rules.Gt, rules.Ge:
		return Comparison(op, l.Minus(r))
	}
	return rules.ApplyAll(op, l, r)
}

// Truth bounds the truth value of a number in v.
func Truth(v num.Interval) num.Interval {
	switch {
	case v == num.Point(0):
		return v
	case !v.Has(0):
		return num.Point(1)
	}
	return maybe
}

// Negation bounds the truth value of `not` of a number in v.
func Negation(v num.Interval) num.Interval {
	t := Truth(v)
	return num.Interval{Lo: 1 - t.Hi, Hi: 1 - t.Lo}
}

func disjunction(l, r num.Interval) num.Interval {
	l, r = Truth(l), Truth(r)
	return num.Interval{Lo: max(l.Lo, r.Lo), Hi: max(l.Hi, r.Hi)}
}

// Comparison bounds the truth of a comparison with 0 of a number in v.
func Comparison(op rules.Op, v num.Interval) num.Interval {
	switch op {
	case rules.Eq:
		if v == num.Point(0) {
			return num.Point(1)
		}
		return num.Interval{Lo: 0, Hi: num.Truth(v.Has(0))}
	case rules.Ne:
		return Negation(Comparison(rules.Eq, v))
	}
	want := Allowed(op)
	inside := want.Lo <= v.Lo && v.Hi <= want.Hi
	return num.Interval{Lo: num.Truth(inside), Hi: num.Truth(want.Meets(v))}
}

// Allowed returns the interval of the numbers that compare with 0 by op, which is not /=.
func Allowed(op rules.Op) num.Interval {
	switch op {
	case rules.Eq:
		return num.Point(0)
	case rules.Le:
		return num.Interval{Lo: -num.Inf, Hi: 0}
	case rules.Lt:
		return num.Interval{Lo: -num.Inf, Hi: -1}
	case rules.Ge:
		return num.AtLeast(0)
	default:
		return num.AtLeast(1)
	}
}

// Opposite gives for each comparison the one that holds where it does not.
var Opposite = map[rules.Op]rules.Op{
	rules.Eq: rules.Ne, rules.Ne: rules.Eq, rules.Lt: rules.Ge, rules.Ge: rules.Lt,
	rules.Le: rules.Gt, rules.Gt: rules.Le,
}
