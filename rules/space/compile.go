package space

import "github.com/mancheck/mancheck/rules"

// compiler turns conditions, in which mover, outcome and variables are replaced by their values, into constraints.
type compiler struct {
	sys     *rules.System
	outcome int // of the states sought
}

var negated = map[rules.Op]rules.Op{
	rules.Eq: rules.Ne, rules.Ne: rules.Eq, rules.Lt: rules.Ge, rules.Ge: rules.Lt,
	rules.Le: rules.Gt, rules.Gt: rules.Le,
}

// compile makes a constraint of x, or of its negation if want is false.
func (c compiler) compile(x rules.Expr, want bool) constraint {
	switch x := x.(type) {
	case rules.Not:
		return c.compile(x.X, !want)
	case rules.Cond:
		yes := both{[]constraint{c.compile(x.If, true), c.compile(x.Then, want)}}
		no := both{[]constraint{c.compile(x.If, false), c.compile(x.Else, want)}}
		return either{yes, no}
	case rules.IsStart:
		if want {
			return c.start()
		}
	case rules.Binary:
		if made := c.binary(x, want); made != nil {
			return made
		}
	}
	return opaque{c.value(x), want}
}

func (c compiler) binary(x rules.Binary, want bool) constraint {
	switch {
	case (x.Op == rules.And) == want && (x.Op == rules.And || x.Op == rules.Or):
		return both{[]constraint{c.compile(x.L, want), c.compile(x.R, want)}}
	case x.Op == rules.And || x.Op == rules.Or:
		return either{c.compile(x.L, want), c.compile(x.R, want)}
	}
	negation, compares := negated[x.Op]
	if !compares {
		return nil
	}
	l := &linear{op: x.Op}
	if !want {
		l.op = negation
	}
	c.collect(l, x.L, 1)
	c.collect(l, x.R, -1)
	return l
}

// start is what a start satisfies. One that is over at once is as it was laid out, unless an ending has moved seeds: then
// only their total is the same.
func (c compiler) start() constraint {
	if c.outcome != rules.Live && c.movedByEnding() {
		return c.startTotal()
	}
	list := []constraint{c.compile(c.sys.Start.Cond, true)}
	for p, free := range c.sys.Start.Free {
		if !free {
			list = append(list, &linear{op: rules.Eq, terms: []term{{p, 1}}})
		}
	}
	return both{list}
}

// movedByEnding reports whether an ending with consequences can have produced the outcome.
func (c compiler) movedByEnding() bool {
	for _, e := range c.sys.Endings {
		for _, by := range e.By {
			if len(by.Body) > 0 && (e.Outcome == c.outcome || inBodies(c.sys, c.outcome)) {
				return true
			}
		}
	}
	return false
}

// startTotal bounds the total of all pits by the bounds of all starts.
func (c compiler) startTotal() constraint {
	b := newBox(c.sys, c.sys.Start.Free)
	if !c.compile(c.sys.Start.Cond, true).narrow(b) {
		return opaque{want: true, value: func(*box) interval { return point(0) }}
	}
	var pits []int
	for p := range c.sys.Pits {
		pits = append(pits, p)
	}
	total := c.linearValue(rules.Sum{Pits: pits}, rules.Const{})(b)
	if !finite(total.hi) {
		return both{}
	}
	return atMost(len(pits), total.hi)
}

// collect adds factor times x to a linear sum.
func (c compiler) collect(l *linear, x rules.Expr, factor int) {
	switch x := x.(type) {
	case rules.Const:
		l.constant += factor * x.Value
		return
	case rules.Sum:
		for _, p := range x.Pits {
			l.addTerm(p, factor)
		}
		return
	case rules.OpenParam:
		l.addTerm(len(c.sys.Pits)+x.Param, factor)
		return
	case rules.Seeds:
		if pit, ok := x.Pit.(rules.Const); ok && pit.Value != rules.None {
			l.addTerm(pit.Value, factor)
			return
		}
	case rules.Binary:
		if c.collectBinary(l, x, factor) {
			return
		}
	}
	l.others = append(l.others, other{c.value(x), factor})
}

func (c compiler) collectBinary(l *linear, x rules.Binary, factor int) bool {
	switch x.Op {
	case rules.Add, rules.Sub:
		c.collect(l, x.L, factor)
		c.collect(l, x.R, factor*map[rules.Op]int{rules.Add: 1, rules.Sub: -1}[x.Op])
		return true
	case rules.Mul:
		if k, ok := x.L.(rules.Const); ok {
			c.collect(l, x.R, factor*k.Value)
			return true
		}
		if k, ok := x.R.(rules.Const); ok {
			c.collect(l, x.L, factor*k.Value)
			return true
		}
	}
	return false
}

// value bounds x by what the box says of its parts.
func (c compiler) value(x rules.Expr) func(*box) interval {
	switch x := x.(type) {
	case rules.Const, rules.Sum, rules.OpenParam:
		return c.linearValue(x, rules.Const{})
	case rules.Seeds:
		if pit, ok := x.Pit.(rules.Const); ok && pit.Value != rules.None {
			return func(b *box) interval { return b.at(pit.Value) }
		}
		return func(*box) interval { return interval{0, inf} }
	case rules.Not:
		v := c.value(x.X)
		return func(b *box) interval { return negation(v(b)) }
	case rules.Binary:
		return c.binaryValue(x)
	case rules.Cond:
		return c.condValue(x)
	case rules.In, rules.IsStuck, rules.IsStart, rules.HasOutcome:
		return func(*box) interval { return maybe }
	}
	return func(*box) interval { return anything }
}

// linearValue bounds l - r.
func (c compiler) linearValue(l, r rules.Expr) func(*box) interval {
	difference := &linear{}
	c.collect(difference, l, 1)
	c.collect(difference, r, -1)
	return difference.value
}

func (l *linear) value(b *box) interval {
	v := l.fixed(b)
	for _, t := range l.terms {
		v = v.plus(b.at(t.column).times(point(t.factor)))
	}
	return v
}

func (c compiler) condValue(x rules.Cond) func(*box) interval {
	cond, yes, no := c.value(x.If), c.value(x.Then), c.value(x.Else)
	return func(b *box) interval {
		switch truthOf(cond(b)) {
		case point(1):
			return yes(b)
		case point(0):
			return no(b)
		}
		return yes(b).hull(no(b))
	}
}

func (c compiler) binaryValue(x rules.Binary) func(*box) interval {
	if _, compares := negated[x.Op]; compares {
		difference := c.linearValue(x.L, x.R)
		return func(b *box) interval { return comparison(x.Op, difference(b)) }
	}
	_, constL := x.L.(rules.Const)
	_, constR := x.R.(rules.Const)
	if x.Op == rules.Add || x.Op == rules.Sub || x.Op == rules.Mul && (constL || constR) {
		return c.linearValue(x, rules.Const{})
	}
	l, r := c.value(x.L), c.value(x.R)
	return func(b *box) interval { return combine(x.Op, l(b), r(b)) }
}

// combine bounds l op r.
func combine(op rules.Op, l, r interval) interval {
	switch op {
	case rules.And:
		return negation(disjunction(negation(l), negation(r)))
	case rules.Or:
		return disjunction(l, r)
	case rules.Mul:
		return l.times(r)
	case rules.Min:
		return interval{min(l.lo, r.lo), min(l.hi, r.hi)}
	case rules.Max:
		return interval{max(l.lo, r.lo), max(l.hi, r.hi)}
	}
	return quotient(op, l, r)
}

// quotient bounds l div r and l mod r for divisors that are fixed and positive.
func quotient(op rules.Op, l, r interval) interval {
	if !r.isPoint() || r.lo <= 0 {
		return anything
	}
	if op == rules.Div {
		return l.dividedDown(r.lo)
	}
	if l.lo >= 0 && l.hi < r.lo {
		return l
	}
	return interval{0, r.lo - 1}
}

// dividedDown is the interval of x div k, rounded to minus infinity.
func (i interval) dividedDown(k int) interval {
	if finite(i.lo) {
		i.lo = floorDiv(i.lo, k)
	}
	if finite(i.hi) {
		i.hi = floorDiv(i.hi, k)
	}
	return i
}

// truthOf reads an interval as a truth value: 0, 1 or maybe.
func truthOf(v interval) interval {
	switch {
	case v == point(0):
		return v
	case v.lo > 0 || v.hi < 0:
		return point(1)
	}
	return maybe
}

func negation(v interval) interval {
	t := truthOf(v)
	return interval{1 - t.hi, 1 - t.lo}
}

func disjunction(l, r interval) interval {
	l, r = truthOf(l), truthOf(r)
	return interval{max(l.lo, r.lo), max(l.hi, r.hi)}
}

// comparison is the truth of a comparison with 0 of a number in v.
func comparison(op rules.Op, v interval) interval {
	switch op {
	case rules.Eq:
		if v == point(0) {
			return point(1)
		}
		return interval{0, truth(v.lo <= 0 && v.hi >= 0)}
	case rules.Ne:
		return negation(comparison(rules.Eq, v))
	}
	want := allowed(op)
	inside := want.lo <= v.lo && v.hi <= want.hi
	return interval{truth(inside), truth(want.meets(v))}
}
