package space

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/limit"
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
