package phase

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/mancheck/mancheck/internal/depot"
)

// Alone does the rest of the work in this process, several tasks at a time, and returns the last
// phase. A task that finds a damaged block is retried when the block has been made again. observe,
// if it is not nil, is called with the current phase and the number of its tasks that are done. If
// it returns an error, the work ends with that error.
func (j *Job) Alone(ctx context.Context, w Work, tasks int, observe func(p *Phase, done int) error) (*Phase, error) {
	d := &Driver{Job: j, Work: w}
	for {
		p, ready, err := d.Look(ctx)
		if err != nil || len(ready) == 0 {
			return p, err
		}
		var done atomic.Int64
		done.Store(int64(len(p.Tasks) - len(ready)))
		tell := func() error {
			if observe == nil || ready[0].Phase != p.Number {
				return nil
			}
			return observe(p, int(done.Load()))
		}
		if err := tell(); err != nil {
			return nil, err
		}
		var failed error
		err = each(ctx, tasks, len(ready), func(ctx context.Context, i int) error { return j.try(ctx, w, ready[i]) }, func() {
			done.Add(1)
			if failed == nil {
				failed = tell()
			}
		})
		if err = errors.Join(err, failed); err != nil {
			return nil, err
		}
	}
}

// try runs a task. A damaged block is an error only if the task has no attempts left.
func (j *Job) try(ctx context.Context, w Work, id ID) error {
	err := j.Run(ctx, w, id.Phase, id.Task)
	if err == nil || !errors.As(err, new(*depot.DamagedError)) {
		return err
	}
	// It does no harm if another process has recorded the same attempt.
	_, err = j.Hand(ctx, id, "this process")
	return err
}
