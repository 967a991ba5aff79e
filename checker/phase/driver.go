package phase

import (
	"context"
	"slices"
)

// Driver goes from phase to phase. All its state is in the depot, so it may be stopped and started
// again at any time, and several drivers may work on the same job at the same time.
type Driver struct {
	Job  *Job
	Work Work

	cleaner *cleaner // nil: a new one has to list all blocks, since some may have been made again
	cleaned int      // the first phase for which clean was not called
}

// Look writes all phases that follow from the receipts in the depot, and returns the current phase
// and the tasks that have to run next, including those that are already running. The work is done
// if the phase is the last one and there are no tasks. The error is a *ConflictError, a *ForkError,
// or an error of the depot or of the Work. An error says nothing about the result.
func (d *Driver) Look(ctx context.Context) (p *Phase, ready []ID, err error) {
	err = d.Job.Mending(ctx, func() (err error) {
		for p = nil; p == nil && err == nil; {
			p, ready, err = d.look(ctx)
		}
		return err
	})
	return p, ready, err
}

// look is one step of Look. The phase is nil if a new phase was written.
func (d *Driver) look(ctx context.Context) (*Phase, []ID, error) {
	if err := d.Job.Conflict(ctx); err != nil {
		return nil, nil, err
	}
	p, hash, err := d.Job.Current(ctx)
	if err != nil {
		return nil, nil, err
	}
	if p == nil {
		_, err = d.Job.Advance(ctx, d.Work, nil, "", nil)
		return nil, nil, err
	}
	receipts, err := d.Job.Receipts(ctx, p, hash)
	if err != nil {
		return nil, nil, err
	}
	ready, err := d.Job.Ready(ctx, p, receipts)
	if err == nil {
		err = d.clean(ctx, p, ready)
	}
	switch {
	case err != nil, len(ready) > 0:
		return p, ready, err
	case p.Last():
		return p, nil, d.Job.Follow(ctx, d.Work, p)
	}
	_, err = d.Job.Advance(ctx, d.Work, p, hash, receipts)
	return nil, nil, err
}

// clean removes blocks that are no longer needed, once for each phase. It does not do so while lost
// blocks are made again, since it would remove the blocks that this takes.
func (d *Driver) clean(ctx context.Context, p *Phase, ready []ID) error {
	if slices.ContainsFunc(ready, func(id ID) bool { return id.Phase < p.Number }) {
		d.cleaner = nil
		return nil
	}
	if p.Number < d.cleaned {
		return nil
	}
	if d.cleaner == nil {
		d.cleaner = &cleaner{job: d.Job, made: map[string]bool{}}
	}
	err := d.cleaner.clean(ctx, d.Work, p)
	if err == nil {
		d.cleaned = p.Number + 1
	}
	return err
}
