package encode

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/smt/term"
)

// Impossible reports whether f, about the state and the quotients of one of its cases, evidently
// has no model: one of its parts would make a sum of nonnegative terms less than its constant part.
// It may miss some. For a state of a small set this decides nearly all cases without the solver,
// since a pit that gets a seed is not empty.
func (e *Encoder) Impossible(c Case, f *term.Term) bool {
	return positiveOf(c.nonnegative).impossible(f)
}

// SomeCase says that a step by one of some cases satisfies holds. Those that evidently do not are
// omitted.
func (e *Encoder) SomeCase(cases []Case, holds func(Case) (*term.Term, error)) (*term.Term, error) {
	var any []*term.Term
	for _, c := range cases {
		h, err := holds(c)
		if err != nil {
			return nil, err
		}
		if f := e.b.And(c.When, h); !e.Impossible(c, f) {
			any = append(any, f)
		}
	}
	return e.b.Or(any...), nil
}

// Misbehaves holds if a step by this case leads to a state of the wrong shape, or makes or loses
// seeds. What the case's own equations decide is omitted.
func (e *Encoder) Misbehaves(s State, c Case) *term.Term {
	known := positiveOf(c.nonnegative)
	var ways []*term.Term
	for _, part := range operands(term.And, e.Shape(c.To)) {
		if not := e.b.Not(part); !known.impossible(not) {
			ways = append(ways, not)
		}
	}
	made := e.b.Sub(e.b.Add(c.To.Seeds...), e.b.Add(s.Seeds...))
	if !e.isZero(made, c.When, known) {
		ways = append(ways, e.b.Ne(made, e.b.Int(0)))
	}
	return e.b.And(c.When, e.b.Or(ways...))
}

// isZero reports whether the equations in when make x 0. It drops what they say is empty from x,
// and adds or subtracts them as long as that makes x shorter. It may miss some.
func (e *arithmetic) isZero(x, when *term.Term, known positive) bool {
	empty := known.empty(operands(term.And, when))
	x = e.without(x, empty)
	for shorter := true; shorter; {
		shorter = false
		for _, p := range operands(term.And, when) {
			if p.Op != term.Eq || p.Args[0].Sort != term.Int {
				continue
			}
			d := e.without(e.b.Sub(p.Args[0], p.Args[1]), empty)
			for _, y := range []*term.Term{e.b.Sub(x, d), e.b.Add(x, d)} {
				if length(y) < length(x) {
					x, shorter = y, true
				}
			}
		}
	}
	return x == e.b.Int(0)
}

// without drops summands that are 0.
func (e *arithmetic) without(x *term.Term, empty map[*term.Term]bool) *term.Term {
	rest := lists.Filter(summands(x), func(part *term.Term) bool { return !empty[factor(part)] })
	return e.b.Add(rest...)
}

func summands(x *term.Term) []*term.Term { return operands(term.Add, x) }

// operands returns what an operator joins to a term, which may be one alone.
func operands(op term.Op, t *term.Term) []*term.Term {
	if t.Op == op {
		return t.Args
	}
	return []*term.Term{t}
}

// factor returns the term that a summand is a multiple of.
func factor(x *term.Term) *term.Term {
	if x.Op == term.Mul {
		return x.Args[0]
	}
	return x
}

// length counts the summands of x; 0 has none.
func length(x *term.Term) int {
	if x.Op == term.Const && x.Value == 0 {
		return 0
	}
	return len(summands(x))
}

// positive is the set of terms known to be nonnegative.
type positive map[*term.Term]bool

func positiveOf(nonnegative []*term.Term) positive {
	b := positive{}
	for _, t := range nonnegative {
		b[t] = true
	}
	return b
}

// nonnegative lists what cannot be negative in a state of the right shape in which when holds: the
// seeds, and those quotients whose dividend cannot be, as that of a sowing. A quotient that the
// rules ask for may well be negative.
func (e *arithmetic) nonnegative(seeds, quotients []*term.Term, when *term.Term) []*term.Term {
	known, list := positiveOf(seeds), slices.Clone(seeds)
	for _, q := range quotients { // innermost first
		of := e.defined[q].dividend
		least, ok := known.least(of)
		if ok && least >= 0 || e.atLeastZero(of, when) {
			known[q] = true
			list = append(list, q)
		}
	}
	return list
}

// atLeastZero reports whether a conjunct of when, a lower bound of a term, is one of x, too.
func (e *arithmetic) atLeastZero(x, when *term.Term) bool {
	for _, p := range operands(term.And, when) {
		if p.Op != term.Le || p.Args[0].Op != term.Const {
			continue
		}
		if more, fixed := e.b.Sub(x, p.Args[1]).IsConst(); fixed {
			if least, ok := num.Add(more, p.Args[0].Value); ok && least >= 0 {
				return true
			}
		}
	}
	return false
}

// impossible reports whether one of the conjuncts of f cannot hold, since it would make a sum of
// nonnegative terms less than its constant part.
func (b positive) impossible(f *term.Term) bool {
	switch f.Op {
	case term.And:
		return slices.ContainsFunc(f.Args, b.impossible)
	case term.Eq:
		return b.above(f.Args[0], f.Args[1], 1) || b.above(f.Args[1], f.Args[0], 1)
	case term.Le:
		return b.above(f.Args[0], f.Args[1], 1)
	case term.Lt:
		return b.above(f.Args[0], f.Args[1], 0)
	}
	return false
}

// above reports whether x is certainly more than the constant y, by at least so much.
func (b positive) above(x, y *term.Term, by int) bool {
	limit, fixed := y.IsConst()
	if !fixed || x.Sort != term.Int {
		return false
	}
	least, known := b.least(x)
	return known && least >= limit+by
}

// least is a lower bound of x.
func (b positive) least(x *term.Term) (int, bool) {
	switch {
	case x.Op == term.Const:
		return x.Value, true
	case b[x]:
		return 0, true
	case x.Op == term.Mul && x.Value > 0:
		n, ok := b.least(x.Args[0])
		if ok {
			n, ok = num.Mul(n, x.Value)
		}
		return n, ok
	case x.Op == term.Add:
		sum := 0
		for _, a := range x.Args {
			n, ok := b.least(a)
			if ok {
				sum, ok = num.Add(sum, n)
			}
			if !ok {
				return 0, false
			}
		}
		return sum, true
	}
	return 0, false
}

// empty finds the terms that must be 0, since a sum of nonnegative terms is.
func (b positive) empty(equations []*term.Term) map[*term.Term]bool {
	zero := map[*term.Term]bool{}
	for _, e := range equations {
		if e.Op != term.Eq || e.Args[0].Op != term.Const || e.Args[0].Sort != term.Int || e.Args[0].Value != 0 {
			continue
		}
		if least, known := b.least(e.Args[1]); known && least == 0 {
			for _, part := range summands(e.Args[1]) {
				zero[factor(part)] = true
			}
		}
	}
	return zero
}
