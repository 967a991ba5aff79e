package abstract

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// Set is a set of possible values of an expression: all numbers of an interval, or some of them.
// Sets are never changed in place.
type Set struct {
	in   num.Interval // the least that holds all members; Lo is above Hi if there are none
	list []int        // the members in increasing order, if numbers of the interval are missing
}

// longest bounds the members that are listed, so that unions and differences are exact.
const longest = 4096

var (
	// Anything is the set of which nothing is known.
	Anything = Between(num.Anything)
	nothing  = Set{in: num.Interval{Lo: num.Inf, Hi: -num.Inf}}
	truths   = Between(maybe)
	counts   = Between(num.AtLeast(0))
)

// Between returns the set of the numbers of an interval.
func Between(i num.Interval) Set {
	if i.Lo > i.Hi {
		return nothing
	}
	return Set{in: i}
}

// Of returns the set of these values.
func Of(values ...int) Set {
	switch len(values) {
	case 0:
		return nothing
	case 1:
		return Between(num.Point(values[0]))
	}
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	return listed(slices.Compact(sorted))
}

// listed returns the set of values in increasing order.
func listed(values []int) Set {
	if len(values) == 0 {
		return nothing
	}
	s := Set{in: num.Interval{Lo: values[0], Hi: values[len(values)-1]}, list: values}
	if s.in.Hi-s.in.Lo == len(values)-1 {
		s.list = nil
	}
	return s
}

// operand bounds the members. Where there are none it is silent: checkers of evidence need not see
// that an operand has no value.
func (s Set) operand() num.Interval {
	if s.Empty() {
		return num.Anything
	}
	return s.in
}

// Has reports whether v is a member.
func (s Set) Has(v int) bool {
	if s.list == nil {
		return s.in.Has(v)
	}
	_, found := slices.BinarySearch(s.list, v)
	return found
}

// Empty reports whether there is no member: the expression is never evaluated.
func (s Set) Empty() bool { return s.in.Lo > s.in.Hi }

// short reports whether the members may be listed.
func (s Set) short() bool {
	return s.list != nil || s.Empty() || s.in.Bounded() && s.in.Hi-s.in.Lo < longest
}

// From lists the members among the numbers from lo to hi.
func (s Set) From(lo, hi int) []int {
	var values []int
	for v := max(lo, s.in.Lo); v <= min(hi, s.in.Hi); v++ {
		if s.Has(v) {
			values = append(values, v)
		}
	}
	return values
}

// members lists all members of a short set.
func (s Set) members() []int {
	if s.list != nil {
		return s.list
	}
	return s.From(s.in.Lo, s.in.Hi)
}

// Union returns the least set that has the members of both.
func (s Set) Union(t Set) Set {
	switch {
	case s.Empty():
		return t
	case t.Empty() || s.Equal(t):
		return s
	case s.list == nil && t.list == nil && s.in.Lo <= t.in.Hi+1 && t.in.Lo <= s.in.Hi+1, !s.short(), !t.short():
		return Between(s.in.Hull(t.in))
	}
	return Of(slices.Concat(s.members(), t.members())...)
}

// Intersect returns the set of the members of both.
func (s Set) Intersect(t Set) Set {
	switch {
	case s.list != nil:
		return listed(t.Among(s.list))
	case t.list != nil:
		return t.Intersect(s)
	}
	return Between(num.Interval{Lo: max(s.in.Lo, t.in.Lo), Hi: min(s.in.Hi, t.in.Hi)})
}

// Without returns s without v; a long set keeps it.
func (s Set) Without(v int) Set {
	switch {
	case !s.Has(v):
		return s
	case s.list == nil && s.in.Lo == v:
		return Between(num.Interval{Lo: v + 1, Hi: s.in.Hi})
	case s.list == nil && s.in.Hi == v:
		return Between(num.Interval{Lo: s.in.Lo, Hi: v - 1})
	case !s.short():
		return s
	}
	return listed(lists.Filter(s.members(), func(x int) bool { return x != v }))
}

// Among lists those of values that are members.
func (s Set) Among(values []int) []int { return lists.Filter(values, s.Has) }

// Within reports whether every member is one of values, which are in increasing order.
func (s Set) Within(values []int) bool { return s.Intersect(Of(values...)).Equal(s) }

// Equal reports whether s and t are the same set.
func (s Set) Equal(t Set) bool { return s.in == t.in && slices.Equal(s.list, t.list) }

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
