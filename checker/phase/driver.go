package phase

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/lists"
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

// Keeper is a Work that says which blocks are still needed. Blocks of other Works are never
// removed.
type Keeper interface {
	// Keep returns the hashes of the blocks of earlier phases that later phases read or that must
	// stay. It may leave out the Inputs of the phase and of its tasks. A block that is not needed
	// for a phase is not needed for later phases, unless a task writes it again.
	Keep(ctx context.Context, p *Phase) (map[string]bool, error)
}

// cleaner removes blocks that are no longer needed. If a removed block is needed after all, because
// a later one was lost, Ready returns the tasks that make it again. A new one reads all phases, so
// it also removes what an earlier one has left.
type cleaner struct {
	job  *Job
	made map[string]bool // by hash: blocks that may be there
	next int             // the first phase whose results are not in made
}

// clean removes the blocks that tasks of the phases before p wrote and that are not needed from p
// on. Blocks of running tasks stay, since no phase lists them yet.
func (c *cleaner) clean(ctx context.Context, w Work, p *Phase) error {
	keeper, ok := w.(Keeper)
	if !ok {
		return nil
	}
	keep, err := guarded(func() (map[string]bool, error) { return keeper.Keep(ctx, p) })
	if err == nil {
		err = c.look(ctx, p)
	}
	if err != nil {
		return err
	}
	needed := Hashes(slices.Concat(p.Inputs, lists.Flat(p.Tasks, func(t Task) []Block { return t.Inputs })))
	for hash := range c.made {
		if needed[hash] || keep[hash] {
			continue
		}
		if err := c.job.Depot.Remove(ctx, depot.Block(hash)); err != nil {
			return err
		}
		delete(c.made, hash)
	}
	return nil
}

// look adds the blocks that tasks of phases before p wrote.
func (c *cleaner) look(ctx context.Context, p *Phase) error {
	var there map[string]bool
	if c.next == 0 {
		names, err := c.job.Depot.List(ctx, depot.Block(""))
		if err != nil {
			return err
		}
		there = map[string]bool{}
		for _, name := range names {
			there[name] = true
		}
	}
	for ; c.next <= p.Number; c.next++ {
		q := p
		if c.next < p.Number {
			var err error
			if q, _, err = c.job.Earlier(ctx, c.next); err != nil {
				return fmt.Errorf("finding blocks that are no longer needed: %w", err)
			}
		}
		for _, r := range q.Results {
			for _, b := range r.Outputs {
				if there == nil || there[depot.Block(b.Hash)] {
					c.made[b.Hash] = true
				}
			}
		}
	}
	return nil
}
