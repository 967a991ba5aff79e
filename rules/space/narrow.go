package space

import "github.com/mancheck/mancheck/rules"

// constraint is a condition that every state sought satisfies. narrow takes away from the box what cannot satisfy it, and
// reports false if nothing is left.
type constraint interface{ narrow(b *box) bool }

// maxPasses bounds the passes over all constraints: bounds that creep towards each other are left to the search.
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

// lasting drops constraints that have nothing more to say once they have narrowed the first box: bounds of one pit.
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

// either is a disjunction: its parts are narrowed apart, and the least box around the results is kept.
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

// opaque is a truth value of which no more than an interval can be computed.
type opaque struct {
	value func(*box) interval
	want  bool
}

func (c opaque) narrow(b *box) bool {
	v := c.value(b)
	if c.want {
		return v != point(0)
	}
	return v.lo <= 0 && v.hi >= 0
}

// linear is: the sum of terms, others and constant, compared with 0 by op.
type linear struct {
	terms    []term
	others   []other
	constant int
	op       rules.Op
}

// term is a multiple of a column of the box, other of something that is not linear.
type term struct{ column, factor int }

type other struct {
	value  func(*box) interval
	factor int
}

func atMost(pits, seeds int) constraint {
	l := &linear{op: rules.Le, constant: -seeds}
	for p := range pits {
		l.addTerm(p, 1)
	}
	return l
}

func (l *linear) addTerm(column, factor int) {
	for i := range l.terms {
		if l.terms[i].column == column {
			l.terms[i].factor += factor
			return
		}
	}
	l.terms = append(l.terms, term{column, factor})
}

func (l *linear) narrow(b *box) bool {
	fixed := l.fixed(b)
	if l.op == rules.Ne {
		return l.differ(b, fixed)
	}
	want := allowed(l.op)
	all := sum{}
	all.add(fixed)
	for _, t := range l.terms {
		all.add(b.at(t.column).times(point(t.factor)))
	}
	if !want.meets(all.interval()) {
		return false
	}
	for _, t := range l.terms {
		rest := all.without(b.at(t.column).times(point(t.factor)))
		if t.factor != 0 && !b.cut(t.column, want.minus(rest).dividedBy(t.factor)) {
			return false
		}
	}
	return true
}

// fixed is what no column has a part in.
func (l *linear) fixed(b *box) interval {
	v := point(l.constant)
	for _, o := range l.others {
		v = v.plus(o.value(b).times(point(o.factor)))
	}
	return v
}

// allowed is where the sum may lie if it is compared with 0 by op.
func allowed(op rules.Op) interval {
	switch op {
	case rules.Eq:
		return point(0)
	case rules.Le:
		return interval{-inf, 0}
	case rules.Lt:
		return interval{-inf, -1}
	case rules.Ge:
		return interval{0, inf}
	default:
		return interval{1, inf}
	}
}

// differ narrows by `sum /= 0`, which says something when at most one column is open: a bound may be excluded.
func (l *linear) differ(b *box, fixed interval) bool {
	open := -1
	for i, t := range l.terms {
		v := b.at(t.column)
		if v.isPoint() {
			fixed = fixed.plus(v.times(point(t.factor)))
			continue
		}
		if open >= 0 {
			return true
		}
		open = i
	}
	if !fixed.isPoint() {
		return true
	}
	if open < 0 {
		return fixed.lo != 0
	}
	t := l.terms[open]
	if t.factor == 0 || fixed.lo%t.factor != 0 {
		return true
	}
	return b.exclude(t.column, -fixed.lo/t.factor)
}

// sum adds intervals such that one of them can be taken out again: infinite ends are counted apart.
type sum struct {
	lo, hi       int
	noLow, noTop int
}

func (s *sum) add(v interval) { s.count(v, 1) }

func (s *sum) count(v interval, sign int) {
	if finite(v.lo) {
		s.lo += sign * v.lo
	} else {
		s.noLow += sign
	}
	if finite(v.hi) {
		s.hi += sign * v.hi
	} else {
		s.noTop += sign
	}
}

func (s sum) without(v interval) interval {
	s.count(v, -1)
	return s.interval()
}

func (s sum) interval() interval {
	v := interval{clamp(s.lo), clamp(s.hi)}
	if s.noLow > 0 {
		v.lo = -inf
	}
	if s.noTop > 0 {
		v.hi = inf
	}
	return v
}

func (i interval) meets(j interval) bool { return i.lo <= j.hi && j.lo <= i.hi }

// minus is where x may lie if x + j lies in i.
func (i interval) minus(j interval) interval { return interval{add(i.lo, -j.hi), add(i.hi, -j.lo)} }

// dividedBy is where x may lie if x times f lies in i.
func (i interval) dividedBy(f int) interval {
	if f < 0 {
		i, f = interval{-i.hi, -i.lo}, -f
	}
	v := anything
	if finite(i.lo) {
		v.lo = -floorDiv(-i.lo, f)
	}
	if finite(i.hi) {
		v.hi = floorDiv(i.hi, f)
	}
	return v
}

func floorDiv(a, b int) int {
	q, _ := rules.Apply(rules.Div, a, b)
	return q
}
