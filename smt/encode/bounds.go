package encode

import (
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/smt/term"
)

// bounds returns an interval for an integer term, from what the path knows.
func (p *path) bounds(t *term.Term) num.Interval {
	if p.bare {
		return num.Anything
	}
	return p.meet(t, p.computed(t))
}

// meet returns the part of x in which t is known to lie.
func (p *path) meet(t *term.Term, x num.Interval) num.Interval {
	if known, ok := p.known[t]; ok {
		return num.Interval{Lo: max(known.Lo, x.Lo), Hi: min(known.Hi, x.Hi)}
	}
	return x
}

func (p *path) computed(t *term.Term) num.Interval {
	switch t.Op {
	case term.Const:
		return num.Point(t.Value)
	case term.Mul:
		return p.bounds(t.Args[0]).Times(num.Point(t.Value))
	case term.Add:
		sum := num.Total{}
		for _, a := range t.Args {
			sum.Add(p.bounds(a))
		}
		return sum.Interval()
	case term.Ite:
		return p.bounds(t.Args[1]).Hull(p.bounds(t.Args[2]))
	}
	if d, ok := p.e.defined[t]; ok {
		return p.bounds(d.dividend).Div(d.divisor)
	}
	return num.Anything
}

// narrow records that t lies in x.
func (p *path) narrow(t *term.Term, x num.Interval) { p.known[t] = p.meet(t, x) }

// atMost records that the sum t is at most hi, and the bound that follows for each summand from the
// least values of the others.
func (p *path) atMost(t *term.Term, hi int) {
	most := num.Interval{Lo: -num.Inf, Hi: hi}
	p.narrow(t, most)
	summands := []*term.Term{t}
	if t.Op == term.Add {
		summands = t.Args
	}
	sum := num.Total{}
	bounds := make([]num.Interval, len(summands))
	for i, a := range summands {
		bounds[i] = p.bounds(a)
		sum.Add(bounds[i])
	}
	for i, a := range summands {
		p.summandAtMost(a, most.Minus(sum.Without(bounds[i])))
	}
}

// summandAtMost records that a is at most the upper end of x.
func (p *path) summandAtMost(a *term.Term, x num.Interval) {
	x.Lo = -num.Inf
	switch {
	case x.Hi == num.Inf || a.Op == term.Const:
	case a.Op == term.Mul:
		p.narrow(a.Args[0], x.Factor(a.Value))
	default:
		p.narrow(a, x)
	}
}

// constant returns t, or its value if only one is possible.
func (p *path) constant(t *term.Term) *term.Term {
	if x := p.bounds(t); x.IsPoint() {
		return p.e.b.Int(x.Lo)
	}
	return t
}

// settled returns s with every part that has only one possible value made constant.
func (p *path) settled(s State) State {
	s = s.clone()
	for _, list := range [][]*term.Term{s.Seeds, s.Vars} {
		for i, t := range list {
			list[i] = p.constant(t)
		}
	}
	return s
}
