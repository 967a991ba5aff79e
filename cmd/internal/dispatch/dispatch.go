// Package dispatch runs the tasks of a job (package checker/phase) on an engine: processes on this
// machine, SLURM, or Kubernetes.
//
// Run goes from phase to phase. It reads the depot, asks the engine which tasks are pending, and
// submits the missing tasks. It has no state of its own, so it may be killed and started again at
// any time. Several processes may run it at the same time; then some tasks run twice. Whether a
// task is done is decided by its receipt alone, never by the state that the engine reports.
//
//	dispatch.go    the loop, and the interface of engines
//	local.go       worker processes, which run tasks, and an engine of those on this machine
//	batch.go       an engine that submits batches to a queue
//	slurm.go       the queue of SLURM
//	kubernetes.go  the queue of Kubernetes
//	scripts.go     scripts for SLURM, and manifests for Kubernetes
//	status.go      the progress of a job
package dispatch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mancheck/mancheck/checker/phase"
)

// Progress is the progress of a job.
type Progress struct {
	Phase   *phase.Phase
	Ready   []phase.ID // tasks that have to run next; see phase.Job.Ready
	Pending int        // number of these that wait or run
}

// Options are the options of Run.
type Options struct {
	Observe func(Progress) // may be nil
	Note    func(error)    // is called for errors that are retried, once for equal ones in a row; may be nil
}

// patience is the number of consecutive errors of an engine after which Run gives up. It waits
// after each.
const patience = 60

// Run runs all tasks, and returns the status of the finished job.
func Run(ctx context.Context, d *phase.Driver, e Engine, o Options) (*Status, error) {
	noted := ""
	for failed := 0; ; {
		p, ready, err := d.Look(ctx)
		if err == nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			return nil, err
		}
		if p.Last() && len(ready) == 0 {
			s, err := Look(ctx, d.Job)
			if err != nil || s.Phase != nil && s.Phase.Last() {
				return s, err
			}
			continue // a phase was found damaged
		}
		err = round(ctx, e, o, Progress{p, ready, 0})
		var gone *UnavailableError
		switch {
		case err == nil:
			failed, noted = 0, ""
		case !errors.As(err, &gone), failed == patience:
			return nil, err
		default:
			failed++
			if o.Note != nil && err.Error() != noted {
				o.Note(err)
			}
			noted = err.Error()
			if err := e.Wait(ctx); err != nil {
				return nil, err
			}
		}
	}
}

// round submits the tasks that are not pending, or waits if there are none.
func round(ctx context.Context, e Engine, o Options, now Progress) error {
	pending, err := e.Pending(ctx)
	if err != nil {
		return err
	}
	var missing []phase.ID
	for _, id := range now.Ready {
		if pending[id] {
			now.Pending++
		} else {
			missing = append(missing, id)
		}
	}
	if o.Observe != nil {
		o.Observe(now)
	}
	if len(missing) > 0 {
		return e.Submit(ctx, missing)
	}
	return e.Wait(ctx)
}

// Engine runs tasks.
type Engine interface {
	// Pending returns the tasks that wait or run, including those that others submitted.
	Pending(ctx context.Context) (map[phase.ID]bool, error)

	// Submit hands out tasks and starts them, except those that another process hands out at the
	// same time. It returns when the tasks are pending or have ended.
	Submit(ctx context.Context, tasks []phase.ID) error

	// Wait returns when it is time to poll again.
	Wait(ctx context.Context) error
}

// UnavailableError says that an engine does not respond at the moment.
type UnavailableError struct {
	What string // the command that failed
	Err  error
}

func (e *UnavailableError) Error() string { return fmt.Sprintf("%s: %v", e.What, e.Err) }

func (e *UnavailableError) Unwrap() error { return e.Err }

// pause waits.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}

// handed hands out tasks, and returns those that no other process has handed out.
func handed(ctx context.Context, j *phase.Job, tasks []phase.ID, where string) (mine []phase.ID, err error) {
	for _, id := range tasks {
		is, err := j.Hand(ctx, id, where)
		if err != nil {
			giveBack(ctx, j, mine)
			return nil, err
		}
		if is {
			mine = append(mine, id)
		}
	}
	return mine, nil
}

// giveBack removes the attempts at tasks that did not run. If that fails, they have one attempt
// less.
func giveBack(ctx context.Context, j *phase.Job, tasks []phase.ID) {
	for _, id := range tasks {
		_ = j.Return(context.WithoutCancel(ctx), id)
	}
}
