package phase

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/internal/depot"
)

// Finish does all that is left of the work in this process, one task after another, and returns the
// last phase. A task that meets a damaged block is tried again when that has been made again.
func (j *Job) Finish(ctx context.Context, w Work) (*Phase, error) {
	for {
		p, hash, err := j.Current(ctx)
		if err != nil {
			return nil, err
		}
		var receipts []*Receipt
		var ready []ID
		if p != nil {
			if p.Last() {
				return p, nil
			}
			if receipts, err = j.Receipts(ctx, p, hash); err != nil {
				return nil, err
			}
			if ready, err = j.Ready(ctx, p, receipts); err != nil {
				return nil, err
			}
		}
		for _, id := range ready {
			err := j.Run(ctx, w, id.Phase, id.Task)
			if err == nil {
				continue
			}
			if !errors.As(err, new(*depot.DamagedError)) {
				return nil, err
			}
			if mine, err := j.Hand(ctx, id, "this process"); err != nil || !mine {
				return nil, err
			}
		}
		if len(ready) == 0 {
			if _, err := j.Advance(ctx, w, p, hash, receipts); err != nil {
				return nil, err
			}
		}
	}
}
