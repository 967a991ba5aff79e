package encode

import "github.com/mancheck/mancheck/smt/term"

// far stands for infinity. Sums of bounds stay well inside an int, since they are cut off there.
const far = 1 << 40

// interval bounds the values of a term.
type interval struct{ lo, hi int }

var anything = interval{-far, far}

func cut(v int) int { return max(-far, min(far, v)) }

func (x interval) add(y interval) interval {
	sum := interval{x.lo + y.lo, x.hi + y.hi}
	if x.lo <= -far || y.lo <= -far {
		sum.lo = -far
	}
	if x.hi >= far || y.hi >= far {
		sum.hi = far
	}
	return interval{cut(sum.lo), cut(sum.hi)}
}

func (x interval) times(k int) interval {
	lo, hi := scale(x.lo, k), scale(x.hi, k)
	return interval{min(lo, hi), max(lo, hi)}
}

func scale(v, k int) int {
	switch {
	case v <= -far || v >= far:
		if k < 0 {
			return -v
		}
		return v
	}
	return cut(v * k)
}

func (x interval) div(k int) interval {
	if x.lo > -far {
		x.lo = floorDiv(x.lo, k)
	}
	if x.hi < far {
		x.hi = floorDiv(x.hi, k)
	}
	return x
}

func (x interval) meet(y interval) interval { return interval{max(x.lo, y.lo), min(x.hi, y.hi)} }
func (x interval) hull(y interval) interval { return interval{min(x.lo, y.lo), max(x.hi, y.hi)} }

// bounds computes an interval for an integer term from what the path knows.
func (p *path) bounds(t *term.Term) interval {
	known, ok := p.known[t]
	if !ok {
		known = anything
	}
	return known.meet(p.computed(t))
}

func (p *path) computed(t *term.Term) interval {
	switch t.Op {
	case term.Const:
		return interval{t.Value, t.Value}
	case term.Mul:
		return p.bounds(t.Args[0]).times(t.Value)
	case term.Add:
		sum := interval{}
		for _, a := range t.Args {
			sum = sum.add(p.bounds(a))
		}
		return sum
	case term.Ite:
		return p.bounds(t.Args[1]).hull(p.bounds(t.Args[2]))
	}
	if d, ok := p.e.defined[t]; ok {
		return p.bounds(d.of).div(d.by)
	}
	return anything
}

// narrow notes that t lies in x.
func (p *path) narrow(t *term.Term, x interval) {
	known, ok := p.known[t]
	if !ok {
		known = anything
	}
	p.known[t] = known.meet(x)
}

// atMost notes that the sum t is at most hi, and what that means for each summand, given the least values of the others.
func (p *path) atMost(t *term.Term, hi int) {
	p.narrow(t, interval{-far, hi})
	summands := []*term.Term{t}
	if t.Op == term.Add {
		summands = t.Args
	}
	least := make([]int, len(summands))
	sum, unbounded := 0, 0
	for i, a := range summands {
		if least[i] = p.bounds(a).lo; least[i] <= -far {
			least[i] = 0
			unbounded++
		}
		sum += least[i]
	}
	for i, a := range summands {
		if unbounded == 0 || unbounded == 1 && p.bounds(a).lo <= -far {
			p.summandAtMost(a, hi-sum+least[i])
		}
	}
}

func (p *path) summandAtMost(a *term.Term, hi int) {
	switch {
	case a.Op == term.Const:
	case a.Op != term.Mul:
		p.narrow(a, interval{-far, hi})
	case a.Value > 0:
		p.narrow(a.Args[0], interval{-far, floorDiv(hi, a.Value)})
	default: // k*x <= hi with k < 0 is x >= -(hi div -k)
		p.narrow(a.Args[0], interval{-floorDiv(hi, -a.Value), far})
	}
}

// constant is t, or the only value that it may have.
func (p *path) constant(t *term.Term) *term.Term {
	if x := p.bounds(t); x.lo == x.hi {
		return p.e.b.Int(x.lo)
	}
	return t
}

// settled is s with everything constant that the path knows to be so.
func (p *path) settled(s State) State {
	s = s.clone()
	for _, list := range [][]*term.Term{s.Seeds, s.Vars} {
		for i, t := range list {
			list[i] = p.constant(t)
		}
	}
	return s
}
