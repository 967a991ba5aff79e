package endgame

import (
	"context"
	"sync"
	"sync/atomic"
)

// share calls f for 0, 1, …, n-1, begun in this order, by workers that work at the same time. After
// an error nothing more is begun, and the context of f ends. It returns the first error, or the
// cause for which the context has ended.
func share[W any](ctx context.Context, workers []W, n int, f func(ctx context.Context, w W, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	work := func(w W) {
		for ctx.Err() == nil {
			i := int(next.Add(1) - 1)
			if i >= n {
				return
			}
			if err := f(ctx, w, i); err != nil {
				cancel(err)
			}
		}
	}
	var group sync.WaitGroup
	for _, w := range workers[1:max(1, min(len(workers), n))] {
		group.Go(func() { work(w) })
	}
	work(workers[0])
	group.Wait()
	return context.Cause(ctx)
}
