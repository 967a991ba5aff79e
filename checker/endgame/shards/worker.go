package shards

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/checker/endgame/blocks"
)

// worker evaluates rows by plans of its own.
type worker struct {
	*blocks.Worker
	work *Work
}

// errFull says that there is no memory for more plans, or links.
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

// leave gives a worker back.
func (w *Work) leave(k *worker) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.idle = append(w.idle, k)
}

// renew forgets all plans.
func (k *worker) renew(ctx context.Context) {
	plans := k.work.division.Fresh()
	// What it does for long ends with the context of the task.
	k.Worker = plans.Worker(context.WithoutCancel(ctx), nil, func() error {
		if k.bytes() > k.work.share(planShare) {
			return errFull
		}
		return nil
	})
}

// bytes is the memory of plans.
func (k *worker) bytes() int64 {
	n := k.OwnBytes() + k.PlanBytes()
	for _, t := range k.Territories { // which are kept
		n -= t.Bytes()
	}
	return n
}

// tooLarge says that the plans of a row do not fit.
func (k *worker) tooLarge() error {
	return &endgame.MemoryError{Seeds: k.work.positions.Seeds(), Need: uint64(float64(k.bytes()) / planShare), Have: k.work.opts.Memory}
}
