package phase

import (
	"context"
	"slices"
)

// Driver goes from phase to phase. All that it knows is in the depot: it may be ended at any time,
// begun again, and several of them may go on with the same job at the same time.
type Driver struct {
	Job  *Job
	Work Work

	cleaner *Cleaner // nil: blocks may have been made again, so it has to look at all of them
	cleaned int      // the first phase for which it was not asked
}

// Look writes down the phases that follow from what is there, and returns the present one with the
// tasks that have to run next, whether or not they are running. The work is done if it is the last
// phase and there are none. The error is a *ConflictError, a *ForkError, or one of the depot or of
// the Work; nothing follows from any of them.
func (d *Driver) Look(ctx context.Context) (p *Phase, ready []ID, err error) {
	err = d.Job.Mending(ctx, func() (err error) {
		for p = nil; p == nil && err == nil; {
			p, ready, err = d.look(ctx)
		}
		return err
	})
	return p, ready, err
}

// look is one step of Look. The phase is nil if another one was written down.
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
		return p, nil, d.Job.Chain(ctx, p)
	}
	_, err = d.Job.Advance(ctx, d.Work, p, hash, receipts)
	return nil, nil, err
}

// clean removes blocks that are not needed any more, once for each phase, and not while lost ones
// are made again: what is made for these would be removed.
func (d *Driver) clean(ctx context.Context, p *Phase, ready []ID) error {
	if slices.ContainsFunc(ready, func(id ID) bool { return id.Phase < p.Number }) {
		d.cleaner = nil
		return nil
	}
	if p.Number < d.cleaned {
		return nil
	}
	if d.cleaner == nil {
		d.cleaner = NewCleaner(d.Job)
	}
	_, err := d.cleaner.Clean(ctx, d.Work, p)
	if err == nil {
		d.cleaned = p.Number + 1
	}
	return err
}
