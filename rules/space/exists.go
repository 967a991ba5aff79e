package space

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// Existence says whether there is a state of some kind.
type Existence int

// The answers. Only a completed search says that there is none.
const (
	Unsure Existence = iota
	None
	Some
)

// AnyStart looks for a start that wanted accepts; nil accepts any. seeds, if not nil, limits the
// seeds on the board. looks limits how often the search polls its context, about once in a thousand
// boards, and so bounds its work without a clock; 0 is no limit. The answer is Unsure if the starts
// may be infinitely many or the limit is reached. The error is the context's or a fault of the
// rules.
func AnyStart(ctx context.Context, in *interp.Interp, looks int, seeds *int, wanted func(rules.State) bool) (Existence, error) {
	limited := ctx
	if looks > 0 {
		limited = limit.WithLooks(ctx, looks)
	}
	return Found(ctx, StartsUpTo(limited, in, seeds, func(s rules.State) error {
		if wanted == nil || wanted(s) {
			return ErrFound
		}
		return nil
	}))
}

// StartWith looks for a start whose total of seeds is in an interval. looks is as for AnyStart.
func StartWith(ctx context.Context, sys *rules.System, total num.Interval, looks int) (Existence, error) {
	all := rules.Sum{Pits: num.Run(0, len(sys.Pits))}
	// The bounds become part of the setup, so that the search narrows by them. A bound that is not
	// a number of the language excludes nothing.
	narrow := *sys
	bound := func(op rules.Op, n int) {
		if num.In(n) {
			narrow.Start.Cond = rules.Conjunction(narrow.Start.Cond, rules.Binary{Op: op, L: all, R: rules.Number(n)})
		}
	}
	bound(rules.Ge, total.Lo)
	bound(rules.Le, total.Hi)
	return AnyStart(ctx, interp.New(&narrow), looks, nil, nil)
}

// ErrFound ends a search for any state, if a yield function returns it: see Found.
var ErrFound = errors.New("found")

// Found interprets the error of a search that ends with the first state.
func Found(ctx context.Context, err error) (Existence, error) {
	switch {
	case err == nil:
		return None, nil
	case errors.Is(err, ErrFound):
		return Some, nil
	case ctx.Err() != nil:
		return Unsure, ctx.Err()
	case errors.As(err, new(*InfiniteError)), errors.Is(err, limit.ErrLooks):
		return Unsure, nil
	}
	return Unsure, err
}

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
