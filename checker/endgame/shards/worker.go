package shards

import (
	"context"
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/checker/endgame/blocks"
)

// worker evaluates rows, with its own plans.
type worker struct {
	*blocks.Worker
	work *Work
}

// errFull says that there is no memory for more plans or links.
var errFull = errors.New("the memory is full")

// use returns a worker for a task.
func (w *Work) use(ctx context.Context) *worker {
	w.mu.Lock()
	defer w.mu.Unlock()
	if last := len(w.idle) - 1; last >= 0 {
		k := w.idle[last]
		w.idle = w.idle[:last]
		return k
	}
	k := &worker{work: w}
	k.renew(ctx)
	return k
}

// leave returns a worker for other tasks.
func (w *Work) leave(k *worker) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle = append(w.idle, k)
}

// renew drops all plans.
func (k *worker) renew(ctx context.Context) {
	plans := k.work.division.Fresh()
	// Long operations end with the context of the task; see Within.
	k.Worker = plans.Worker(context.WithoutCancel(ctx), nil, func() error {
		if k.bytes() > k.work.share(planShare) {
			return errFull
		}
		return nil
	})
}

// rows evaluates rows of a part from one on, as far as memory suffices: those that k has the ends
// of. If it does not suffice for one, drop makes room. Without lower, only moves within the layer
// are evaluated.
func (t *task) rows(p *blocks.Part, from int, lower blocks.Lower, k *blocks.Linker, drop func()) error {
	t.row = slices.Grow(t.row[:0], p.Columns)[:p.Columns]
	for again := false; ; again = true {
		k.Links, k.Ends = k.Links[:0], k.Ends[:0]
		t.worker.Within(t.ctx, lower)
		err := t.worker.Rows(p, from, t.row, k)
		switch {
		case err != nil && !errors.Is(err, errFull):
			return err
		case len(k.Ends) > 0:
			return nil
		case again:
			return t.worker.tooLarge()
		}
		drop()
	}
}

// bytes returns the memory of plans.
func (k *worker) bytes() int64 {
	n := k.OwnBytes() + k.PlanBytes()
	for _, t := range k.Territories { // these are not dropped
		n -= t.Bytes()
	}
	return n
}

// tooLarge returns the error for a row whose plans do not fit in memory.
func (k *worker) tooLarge() error {
	return &endgame.MemoryError{Seeds: k.work.Positions().Seeds(), Need: uint64(float64(k.bytes()) / planShare), Have: k.work.opts.Memory}
}
