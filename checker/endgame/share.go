package endgame

import (
	"cmp"
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// share calls f for 0, 1, …, n-1, begun in this order, by workers that work at the same time. After
// an error nothing more is begun, and the context of f ends. It returns the first error, or the
// cause for which the context has ended.
func share[W any](ctx context.Context, workers []W, n int, f func(ctx context.Context, w W, i int) error) error {
	group, within := errgroup.WithContext(ctx)
	var next atomic.Int64
	for _, w := range workers[:max(1, min(len(workers), n))] {
		group.Go(func() error {
			for i := int(next.Add(1) - 1); i < n && within.Err() == nil; i = int(next.Add(1) - 1) {
				if err := f(within, w, i); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err := group.Wait()
	return cmp.Or(context.Cause(ctx), err) // the end of the context may be why a call failed
}
