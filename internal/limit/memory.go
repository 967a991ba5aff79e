package limit

import (
	"context"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// Searches count what they store, and stop by that count, so that they stop at the same place each
// time. The watch is for what nobody counts: tables of wide boards, solvers, what the collector has
// not given back.

// slack is how far above a limit the process may be before the watch ends the work: a tenth, and
// what the program takes anyway.
func slack(limit int64) int64 { return limit/10 + 64<<20 }

// interval is how often the watch looks when the limit is near. It takes a while to look, so with
// far bytes left, which cannot be taken in that time, the watch looks a tenth as often.
const (
	interval = 10 * time.Millisecond
	far      = 512 << 20
)

// WithMemory ends a context when the process, with the programs that it has started, has more
// memory resident than the limit allows. As long as the context is used the garbage collector works
// to keep below the limit.
func WithMemory(ctx context.Context, limit int64) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	targets.add(limit)
	stopped := make(chan struct{})
	go watch(limit, stopped, cancel)
	return ctx, sync.OnceFunc(func() {
		close(stopped)
		cancel(context.Canceled)
		targets.remove(limit)
	})
}

func watch(limit int64, stopped chan struct{}, cancel context.CancelCauseFunc) {
	again := time.NewTimer(interval)
	defer again.Stop()
	for {
		select {
		case <-stopped:
			return
		case <-again.C:
			left := limit + slack(limit) - Resident()
			if left < 0 {
				cancel(&MemoryError{limit})
				return
			}
			if again.Reset(interval); left > far {
				again.Reset(10 * interval)
			}
		}
	}
}

// targets are the limits in force. The collector is told the greatest.
var targets list

type list struct {
	mu     sync.Mutex
	limits []int64
	before int64 // what the collector was told by others
}

func (l *list) add(limit int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.limits) == 0 {
		l.before = debug.SetMemoryLimit(-1)
	}
	l.limits = append(l.limits, limit)
	debug.SetMemoryLimit(min(l.before, slices.Max(l.limits)))
}

func (l *list) remove(limit int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.Index(l.limits, limit)
	l.limits = slices.Delete(l.limits, i, i+1)
	if len(l.limits) == 0 {
		debug.SetMemoryLimit(l.before)
		return
	}
	debug.SetMemoryLimit(min(l.before, slices.Max(l.limits)))
}
