package phase

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/mancheck/mancheck/internal/depot"
)

// Finish does all that is left of the work in this process, one task after another, and returns the
// last phase.
func (j *Job) Finish(ctx context.Context, w Work) (*Phase, error) { return j.Alone(ctx, w, 1, nil) }

// Alone does all that is left of the work in this process, some tasks at a time, and returns the
// last phase. A task that meets a damaged block is tried again when that has been made again.
// observe is called with the phase in hand, and with how many of its tasks are done; it may be nil.
// An error that it returns ends the work.
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

// try does a task. That it meets a damaged block is no error, unless that happens too often.
func (j *Job) try(ctx context.Context, w Work, id ID) error {
	err := j.Run(ctx, w, id.Phase, id.Task)
	if err == nil || !errors.As(err, new(*depot.DamagedError)) {
		return err
	}
	// That another process may have taken it at the same time does no harm.
	_, err = j.Hand(ctx, id, "this process")
	return err
}
