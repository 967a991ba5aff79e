package phase

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/mancheck/mancheck/internal/depot"
)

// Alone does what is left of a job in this process, some tasks at a time, and returns the last
// phase. observe is called with each phase when it is written down, and with how many of its tasks
// are done after each of them; may be nil. An error that it returns ends the work.
func (j *Job) Alone(ctx context.Context, w Work, tasks int, observe func(p *Phase, done int) error) (*Phase, error) {
	a := &alone{job: j, work: w, tasks: tasks, observe: observe}
	if observe == nil {
		a.observe = func(*Phase, int) error { return nil }
	}
	for {
		p, err := a.next(ctx)
		if err != nil || p != nil && p.Last() {
			return p, err
		}
		ids, err := j.Ready(ctx, p, a.receipts)
		if err != nil {
			return nil, err
		}
		if err := a.run(ctx, p, ids); err != nil {
			return nil, err
		}
	}
}

type alone struct {
	job      *Job
	work     Work
	tasks    int
	observe  func(p *Phase, done int) error
	receipts []*Receipt // of the current phase
	damaged  int        // tasks that found a block damaged, one after another
}

// next returns the current phase, of which tasks are left unless it is the last.
func (a *alone) next(ctx context.Context) (*Phase, error) {
	p, hash, err := a.job.Current(ctx)
	if err != nil {
		return nil, err
	}
	for {
		a.receipts = nil
		if p != nil {
			if a.receipts, err = a.job.Receipts(ctx, p, hash); err != nil || p.Last() || slices.Contains(a.receipts, nil) {
				return p, err
			}
		}
		if p, err = a.job.Advance(ctx, a.work, p, hash, a.receipts); err != nil {
			return nil, err
		}
		if p, hash, err = a.job.Phase(ctx, p.Number); err != nil {
			return nil, err
		}
		if err := a.observe(p, 0); err != nil {
			return nil, err
		}
	}
}

// run runs tasks. That one has found a block damaged is no error at first: it is made again.
func (a *alone) run(ctx context.Context, p *Phase, ids []ID) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	done := len(a.receipts)
	for _, r := range a.receipts {
		if r == nil {
			done--
		}
	}
	var mu sync.Mutex
	one := func(id ID) error {
		err := a.job.Run(ctx, a.work, id.Phase, id.Task)
		mu.Lock()
		defer mu.Unlock()
		if errors.As(err, new(*depot.DamagedError)) && a.damaged < a.job.Plan.Tries {
			a.damaged++
			return nil
		}
		if err != nil {
			return err
		}
		a.damaged = 0
		if id.Phase != p.Number {
			return nil
		}
		done++
		return a.observe(p, done)
	}
	queue := make(chan ID, len(ids))
	for _, id := range ids {
		queue <- id
	}
	close(queue)
	var group sync.WaitGroup
	for range min(a.tasks, len(ids)) {
		group.Go(func() {
			for id := range queue {
				if ctx.Err() != nil {
					return
				}
				if err := one(id); err != nil {
					cancel(err)
				}
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}

// Restore makes those of some blocks again that are lost, which tasks of phases before p have made.
func (j *Job) Restore(ctx context.Context, w Work, p *Phase, blocks []Block) error {
	reader := &Phase{Number: p.Number, Tasks: []Task{{Inputs: blocks}}}
	for {
		ids, err := j.Ready(ctx, reader, make([]*Receipt, 1))
		if err != nil || len(ids) == 1 && ids[0].Phase == p.Number {
			return err
		}
		for _, id := range ids {
			if err := j.Run(ctx, w, id.Phase, id.Task); err != nil {
				return err
			}
		}
	}
}
