package space

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/abstract"
)

// compiler compiles conditions, in which mover, outcome and variables are replaced by their values,
// to constraints.
type compiler struct {
	sys     *rules.System
	outcome int  // of the states that the search looks for
	bare    bool // products are not narrowed: inside a product this would double the time with each level
	ifs     int  // conditions of conditionals that it is inside of
}

// mostIfs bounds how deep conditions of conditionals are narrowed by, since each of them is
// compiled twice.
const mostIfs = 3

// compile makes a constraint of x, or of its negation if want is false. A condition that no case
// narrows by is opaque: a box is dropped only if its interval shows that the condition fails.
func (c compiler) compile(x rules.Expr, want bool) constraint {
	switch x := x.(type) {
	case rules.Not:
		return c.compile(x.X, !want)
	case rules.Cond:
		if holds, fails, ok := c.condition(x); ok {
			yes := both{[]constraint{holds, c.compile(x.Then, want)}}
			no := both{[]constraint{fails, c.compile(x.Else, want)}}
			return either{yes, no}
		}
	case rules.Question:
		if x == rules.IsStart && want {
			return c.start()
		}
	case rules.Binary:
		if made := c.binary(x, want); made != nil {
			return made
		}
	case rules.Const, rules.OpenParam, rules.Cell, rules.Sum, rules.Lookup, rules.Old: // only an interval is known
	}
	return opaque{c.value(x), want}
}

// condition makes constraints of the condition of x and of its negation. ok is false if it is too
// deep.
func (c compiler) condition(x rules.Cond) (holds, fails constraint, ok bool) {
	if c.ifs++; c.ifs > mostIfs {
		return nil, nil, false
	}
	return c.compile(x.If, true), c.compile(x.If, false), true
}

// binary makes a constraint of a connective or a comparison. It returns nil for other operators,
// and for comparisons whose sides cannot be written as one linear sum.
func (c compiler) binary(x rules.Binary, want bool) constraint {
	switch {
	// By De Morgan's laws the negation of a disjunction is a conjunction, and vice versa.
	case (x.Op == rules.And) == want && (x.Op == rules.And || x.Op == rules.Or):
		return both{[]constraint{c.compile(x.L, want), c.compile(x.R, want)}}
	case x.Op == rules.And || x.Op == rules.Or:
		return either{c.compile(x.L, want), c.compile(x.R, want)}
	}
	negation, compares := abstract.Opposite[x.Op]
	if !compares {
		return nil
	}
	l, ok := c.difference(x.L, x.R)
	if !ok {
		return nil
	}
	if l.op = x.Op; !want {
		l.op = negation
	}
	return l
}

// start returns what a start satisfies. The seeds lie as the setup laid them out, unless a reaction
// has moved some: then only their total is the same.
func (c compiler) start() constraint {
	if c.moved() {
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

// moved reports whether a reaction that moves seeds can have led to a state with the outcome, which
// may be Live.
func (c compiler) moved() bool {
	for _, by := range c.sys.EachReaction() {
		effects := rules.EffectsOf(by.Body)
		if effects.MovesSeeds && (by.GoesOn() || effects.MayEnd(c.sys, c.outcome)) {
			return true
		}
	}
	return false
}

// startTotal bounds the total of all pits by the bounds of all starts.
func (c compiler) startTotal() constraint {
	b := newBox(c.sys, rules.Parts{Pits: c.sys.Start.Free})
	if !c.compile(c.sys.Start.Cond, true).narrow(b) {
		return opaque{want: true, value: always(num.Point(0))} // there are no starts
	}
	total := sumOf(b.hi[:len(c.sys.Pits)])
	if total == num.Inf {
		return both{} // excludes nothing
	}
	return atMost(len(c.sys.Pits), total)
}

// difference returns l - r as a linear sum. It fails if a factor or the constant would be out of
// range.
func (c compiler) difference(l, r rules.Expr) (*linear, bool) {
	var sum rules.Linear
	if !sum.Add(l, 1) || !sum.Add(r, -1) {
		return nil, false
	}
	d := &linear{constant: sum.Constant}
	for _, t := range sum.Terms {
		if !c.add(d, t) {
			return nil, false
		}
	}
	return d, true
}

// add adds a term to a linear sum: to its columns if it is a multiple of a pit or a parameter, and
// otherwise to the others.
func (c compiler) add(l *linear, t rules.Term) (ok bool) {
	if p, fixed := rules.SeedsOf(t.X); fixed {
		return l.addTerm(p, t.Factor)
	}
	if p, is := t.X.(rules.OpenParam); is {
		return l.addTerm(len(c.sys.Pits)+p.Param, t.Factor)
	}
	// Parts of a product are compiled without products of their own.
	bare := c
	bare.bare = true
	o := other{value: bare.value(t.X), factor: t.Factor}
	if b, ok := t.X.(rules.Binary); ok && b.Op == rules.Mul && !c.bare {
		o.product = bare.product(b)
	}
	l.others = append(l.others, o)
	return true
}

// product returns l times r, or nil if the product is out of range.
func (c compiler) product(x rules.Binary) *product {
	l, ok := c.difference(x.L, rules.Number(0))
	if !ok {
		return nil
	}
	r, ok := c.difference(x.R, rules.Number(0))
	if !ok {
		return nil
	}
	return &product{l, r}
}

// value bounds x by the bounds of its parts in the box. Any interval that contains all values of x
// in the box would do: a wider one only narrows less.
func (c compiler) value(x rules.Expr) func(*box) num.Interval {
	switch x := x.(type) {
	case rules.Const:
		return always(num.Point(x.Value))
	case rules.Sum, rules.OpenParam:
		return c.differenceValue(x, rules.Number(0))
	case rules.Cell:
		return cellValue(x)
	case rules.Not:
		v := c.value(x.X)
		return func(b *box) num.Interval { return abstract.Negation(v(b)) }
	case rules.Binary:
		return c.binaryValue(x)
	case rules.Cond:
		return c.condValue(x)
	case rules.Lookup:
		if x.Table.Kind != rules.MemberOf {
			return always(num.Anything)
		}
		return always(num.Interval{Lo: 0, Hi: 1})
	case rules.Question:
		return always(num.Interval{Lo: 0, Hi: 1})
	case rules.Old:
		return always(num.Anything)
	}
	panic(fmt.Sprintf("space: unknown %T", x))
}

// always ignores the box.
func always(v num.Interval) func(*box) num.Interval {
	return func(*box) num.Interval { return v }
}

// cellValue bounds a cell. Only pits with a fixed index are columns of the box.
func cellValue(x rules.Cell) func(*box) num.Interval {
	switch {
	case x.Sort != rules.PitCell:
		return always(num.Anything)
	case x.Index != nil:
		return always(num.AtLeast(0))
	}
	return func(b *box) num.Interval { return b.bounds(x.Slot) }
}

// value bounds the sum. A column that occurs in several terms has been merged into one by addTerm,
// so the bounds are exact for the terms.
func (l *linear) value(b *box) num.Interval {
	v := l.fixed(b)
	for _, t := range l.terms {
		v = v.Plus(t.in(b))
	}
	return v
}

// condValue takes the hull of both branches, each where the condition may have that value.
func (c compiler) condValue(x rules.Cond) func(*box) num.Interval {
	yes, no := c.value(x.Then), c.value(x.Else)
	holds, fails, ok := c.condition(x)
	if !ok {
		return func(b *box) num.Interval { return yes(b).Hull(no(b)) }
	}
	return func(b *box) num.Interval {
		with, without := b.clone(), b.clone()
		switch may, mayNot := holds.narrow(with), fails.narrow(without); {
		case !mayNot:
			return yes(with)
		case !may:
			return no(without)
		}
		return yes(with).Hull(no(without))
	}
}

// binaryValue bounds sums and comparisons as a whole if it can, since equal terms may cancel.
func (c compiler) binaryValue(x rules.Binary) func(*box) num.Interval {
	if _, compares := abstract.Opposite[x.Op]; compares {
		difference := c.differenceValue(x.L, x.R)
		return func(b *box) num.Interval { return abstract.Comparison(x.Op, difference(b)) }
	}
	if rules.Summands(x) != nil {
		if sum, ok := c.difference(x, rules.Number(0)); ok {
			return sum.value
		}
	}
	l, r := c.value(x.L), c.value(x.R)
	return func(b *box) num.Interval { return abstract.Apply(x.Op, l(b), r(b)) }
}

// differenceValue bounds l - r, as a linear sum if possible: in `a - a` the terms cancel, while
// intervals alone would give [-n, n].
func (c compiler) differenceValue(l, r rules.Expr) func(*box) num.Interval {
	if d, ok := c.difference(l, r); ok {
		return d.value
	}
	v, w := c.value(l), c.value(r)
	return func(b *box) num.Interval { return v(b).Minus(w(b)) }
}
