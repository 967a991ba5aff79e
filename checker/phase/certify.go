package phase

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/mancheck/mancheck/internal/depot"
)

// Prover is a Work that checks its own results, in separate phases.
type Prover interface {
	Work
	// Checks reports whether the tasks of a phase check the results of others.
	Checks(p *Phase) bool
}

// WrongError says that a task does not reproduce its result in the job.
type WrongError struct{ ID }

func (e *WrongError) Error() string {
	return fmt.Sprintf("task %d of phase %d (%s) does not reproduce its result in the job", e.Task, e.ID.Phase, e.ID)
}

// Certify checks a finished job. Every phase must follow from the phase before and the results of
// its tasks, and the tasks of the checking phases must reproduce their results. The other tasks
// need not be trusted. Blocks that tasks write again are removed at the end. told, if it is not
// nil, is called with the number of tasks done and of all tasks.
func (j *Job) Certify(ctx context.Context, w Prover, last *Phase, workers int, told func(done, all int)) error {
	if err := j.Follow(ctx, w, last); err != nil {
		return err
	}
	var phases []*Phase
	all := 0
	for n := range last.Number {
		p, _, err := j.Earlier(ctx, n)
		if err != nil {
			return err
		}
		if w.Checks(p) {
			phases = append(phases, p)
			all += len(p.Tasks)
		}
	}
	wrote := map[string]bool{}
	done := 0
	for _, p := range phases {
		next, _, err := j.Earlier(ctx, p.Number+1)
		if err != nil {
			return err
		}
		for _, r := range next.Results {
			for _, b := range r.Outputs {
				wrote[b.Hash] = true
			}
		}
		err = each(ctx, workers, len(p.Tasks), func(ctx context.Context, i int) error {
			r, err := j.do(ctx, w, j.Depot, p, i)
			if err == nil && !same(r, next.Results[i]) {
				err = &WrongError{ID{p.Number, i}}
			}
			return err
		}, func() {
			if done++; told != nil {
				told(done, all)
			}
		})
		if err != nil {
			return err
		}
	}
	for _, b := range last.Inputs {
		delete(wrote, b.Hash)
	}
	for hash := range wrote {
		if err := j.Depot.Remove(ctx, depot.Block(hash)); err != nil {
			return err
		}
	}
	return nil
}

// each calls f for 0, 1, …, n-1 in several goroutines, and told after each call. After the first
// error, which it returns, it makes no further calls.
func each(ctx context.Context, workers, n int, f func(ctx context.Context, i int) error, told func()) error {
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(max(1, workers))
	var mu sync.Mutex
	for i := range n {
		group.Go(func() error {
			if within.Err() != nil {
				return nil
			}
			if err := f(within, i); err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			told()
			return nil
		})
	}
	err := group.Wait()
	return cmp.Or(context.Cause(ctx), err) // the end of the context may be why a call failed
}

// Follow computes every phase up to last again, from the phase before and the results of its tasks.
// The error is a *ForkError if a phase differs. So of the phases, only the results of tasks need be
// trusted.
func (j *Job) Follow(ctx context.Context, w Work, last *Phase) error {
	var before *Phase
	hash := ""
	for n := 0; n <= last.Number; n++ {
		have, digest, err := j.Earlier(ctx, n)
		if err != nil {
			return err
		}
		if before != nil && len(have.Results) != len(before.Tasks) {
			return &ForkError{n}
		}
		want, err := guarded(func() (*Phase, error) { return w.Next(ctx, before, have.Results) })
		if err != nil {
			return err
		}
		want.Plan, want.Number, want.Before, want.Results = j.ID, n, hash, have.Results
		if !bytes.Equal(seal(want), seal(have)) {
			return &ForkError{n}
		}
		before, hash = have, digest
	}
	return nil
}
