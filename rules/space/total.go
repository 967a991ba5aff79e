package space

import (
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// MostSeeds bounds the total of seeds of every start, if the setup does. The bound is the sum of
// the bounds of the pits or, if that is less, one that a condition on the total of some pits gives
// together with the bounds of the other pits.
func MostSeeds(sys *rules.System) (seeds int, bounded bool) {
	c := compiler{sys: sys, outcome: rules.Live}
	b := newBox(sys, rules.Parts{Pits: sys.Start.Free})
	list := lists.Map(rules.Conjuncts(sys.Start.Cond), func(x rules.Expr) constraint { return c.compile(x, true) })
	if !narrowAll(list, b) {
		return 0, true // there is no start
	}
	most := sumOf(b.hi[:len(sys.Pits)])
	for _, x := range list {
		if l, ok := x.(*linear); ok {
			most = min(most, l.mostSeeds(b, len(sys.Pits)))
		}
	}
	return most, most < num.Inf
}

// mostSeeds bounds the total of all pits if l says that some of them together hold at most k. It is
// num.Inf for other sums. A factor above one only makes the bound less tight.
func (l *linear) mostSeeds(b *box, pits int) int {
	if len(l.others) > 0 || l.op != rules.Eq && l.op != rules.Le && l.op != rules.Lt {
		return num.Inf
	}
	rest := b.clone()
	for _, t := range l.terms {
		if t.factor < 1 || t.column >= pits {
			return num.Inf
		}
		rest.hi[t.column] = 0
	}
	return add(-l.constant, sumOf(rest.hi[:pits]))
}

// sumOf adds upper bounds.
func sumOf(list []int) int {
	n := 0
	for _, v := range list {
		n = add(n, v)
	}
	return n
}

// add adds two upper bounds; num.Inf and sums out of range give num.Inf.
func add(a, b int) int {
	return num.Interval{Lo: -num.Inf, Hi: a}.Plus(num.Interval{Lo: -num.Inf, Hi: b}).Hi
}
