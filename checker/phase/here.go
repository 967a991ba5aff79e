package phase

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/internal/depot"
)

// Finish does all that is left of the work in this process, one task after another, and returns the
// last phase. A task that meets a damaged block is tried again when that has been made again.
func (j *Job) Finish(ctx context.Context, w Work) (*Phase, error) {
	d := &Driver{Job: j, Work: w}
	for {
		p, ready, err := d.Look(ctx)
		if err != nil || len(ready) == 0 {
			return p, err
		}
		for _, id := range ready {
			err := j.Run(ctx, w, id.Phase, id.Task)
			if err == nil {
				continue
			}
			if !errors.As(err, new(*depot.DamagedError)) {
				return nil, err
			}
			// That another process may have taken it at the same time does no harm.
			if _, err := j.Hand(ctx, id, "this process"); err != nil {
				return nil, err
			}
		}
	}
}
