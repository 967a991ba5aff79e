package space

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/abstract"
)

// constraint is a condition that every state that the search looks for satisfies. narrow removes
// from the box values that cannot satisfy it, and reports false if no state is left. It must never
// remove a solution; to leave too much is safe, since results are checked.
type constraint interface{ narrow(b *box) bool }

// maxPasses bounds the passes over all constraints: bounds that approach each other slowly are left
// to the search.
const maxPasses = 16

// narrowAll narrows by all constraints until nothing changes.
func narrowAll(list []constraint, b *box) bool {
	for range maxPasses {
		before := b.changes
		for _, c := range list {
			if !c.narrow(b) {
				return false
			}
		}
		if b.changes == before {
			break
		}
	}
	return true
}

// lasting drops constraints with no further effect once they have narrowed the first box: bounds of
// one pit.
func lasting(list []constraint) []constraint {
	var rest []constraint
	for _, c := range list {
		l, ok := c.(*linear)
		if !ok || len(l.terms) > 1 || len(l.others) > 0 || l.op == rules.Ne {
			rest = append(rest, c)
		}
	}
	return rest
}

// both is a conjunction.
type both struct{ list []constraint }

func (c both) narrow(b *box) bool { return narrowAll(c.list, b) }

// either is a disjunction: its parts narrow separately, and the least box around the results is
// kept.
type either struct{ l, r constraint }

func (c either) narrow(b *box) bool {
	l, r := b.clone(), b.clone()
	left, right := c.l.narrow(l), c.r.narrow(r)
	switch {
	case left && right:
		b.cutAll(l.join(r))
	case left:
		b.cutAll(l)
	case right:
		b.cutAll(r)
	}
	return left || right
}

// opaque is a truth value of which only an interval can be computed.
type opaque struct {
	value func(*box) num.Interval
	want  bool
}

func (c opaque) narrow(b *box) bool {
	v := c.value(b)
	if c.want {
		return v != num.Point(0)
	}
	return v.Has(0)
}

// linear compares the sum of terms, others and constant with 0 by op.
type linear struct {
	terms    []term
	others   []other
	constant int
	op       rules.Op
}

// term is a multiple of a column of the box.
type term struct{ column, factor int }

// other is a multiple of an expression that is not linear, such as a quotient or a lookup.
type other struct {
	value   func(*box) num.Interval
	factor  int
	product *product // nil if it is not a product
}

// product is a product of two sums.
type product struct{ l, r *linear }

// narrow removes values for which the product is outside the wanted interval. It does so only if
// both factors are known not to be negative, where the product grows with each of them.
func (p *product) narrow(b *box, want num.Interval) bool {
	if p.l.value(b).Lo < 0 || p.r.value(b).Lo < 0 {
		return true
	}
	if want.Lo > 0 && !(p.l.atLeast(b, 1) && p.r.atLeast(b, 1)) {
		return false
	}
	return p.l.atMostShare(b, want.Hi, p.r) && p.r.atMostShare(b, want.Hi, p.l)
}

// atLeast narrows by `sum >= n`, whatever the comparison of l is. It gives up if the constant would
// be out of range.
func (l *linear) atLeast(b *box, n int) bool {
	k, ok := num.Sub(l.constant, n)
	return !ok || (&linear{l.terms, l.others, k, rules.Ge}).narrow(b)
}

// atMostShare narrows by `sum * r <= n`: the sum is at most n divided by the least value of r.
func (l *linear) atMostShare(b *box, n int, r *linear) bool {
	least := r.value(b).Lo
	if n == num.Inf || n < 0 || least < 1 {
		return true
	}
	k, ok := num.Sub(l.constant, n/least)
	return !ok || (&linear{l.terms, l.others, k, rules.Le}).narrow(b)
}

// atMost bounds the total of the first pits.
func atMost(pits, seeds int) constraint {
	l := &linear{op: rules.Le, constant: -seeds}
	for p := range pits {
		l.addTerm(p, 1)
	}
	return l
}

// addTerm fails if the sum of a column's factors is out of range.
func (l *linear) addTerm(column, factor int) (ok bool) {
	for i := range l.terms {
		if t := &l.terms[i]; t.column == column {
			t.factor, ok = num.Add(t.factor, factor)
			return ok
		}
	}
	l.terms = append(l.terms, term{column, factor})
	return true
}

// narrow cuts each column to what the bounds of all other parts of the sum leave for it (bounds
// propagation). all is computed once, and the bounds of a column that has become tighter since only
// make the result less tight.
func (l *linear) narrow(b *box) bool {
	if l.op == rules.Ne {
		return l.differ(b, l.fixed(b))
	}
	want := abstract.Allowed(l.op)
	all := num.Total{}
	all.Add(num.Point(l.constant))
	for _, o := range l.others {
		all.Add(o.in(b))
	}
	for _, t := range l.terms {
		all.Add(t.in(b))
	}
	if !want.Meets(all.Interval()) {
		return false
	}
	for _, t := range l.terms {
		rest := all.Without(t.in(b))
		if t.factor != 0 && !b.cut(t.column, want.Minus(rest).Factor(t.factor)) {
			return false
		}
	}
	for i, o := range l.others {
		if o.product != nil && o.factor != 0 && !o.product.narrow(b, want.Minus(l.apartFrom(i, b)).Factor(o.factor)) {
			return false
		}
	}
	return true
}

// apartFrom bounds the sum without the i-th of the others.
func (l *linear) apartFrom(i int, b *box) num.Interval {
	rest := *l
	rest.others = slices.Concat(l.others[:i], l.others[i+1:])
	return rest.value(b)
}

// in bounds the multiple.
func (o other) in(b *box) num.Interval { return o.value(b).Times(num.Point(o.factor)) }

// in bounds the term. Nearly all factors are 1, and searches for starts spend most of their time
// here.
func (t term) in(b *box) num.Interval {
	if t.factor == 1 {
		return b.bounds(t.column)
	}
	return b.bounds(t.column).Times(num.Point(t.factor))
}

// fixed bounds the part of the sum that contains no column.
func (l *linear) fixed(b *box) num.Interval {
	v := num.Point(l.constant)
	for _, o := range l.others {
		v = v.Plus(o.in(b))
	}
	return v
}

// differ narrows by `sum /= 0`. This has an effect only if at most one column is open, whose one
// forbidden value may be a bound. fixed is the part of the sum without columns.
func (l *linear) differ(b *box, fixed num.Interval) bool {
	open := -1
	for i, t := range l.terms {
		v := b.bounds(t.column)
		if v.IsPoint() {
			fixed = fixed.Plus(t.in(b))
			continue
		}
		if open >= 0 {
			return true
		}
		open = i
	}
	if !fixed.IsPoint() {
		return true
	}
	if open < 0 {
		return fixed.Lo != 0
	}
	t := l.terms[open]
	if t.factor == 0 || fixed.Lo%t.factor != 0 {
		return true
	}
	return b.exclude(t.column, -fixed.Lo/t.factor)
}
