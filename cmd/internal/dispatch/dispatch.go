// Package dispatch has the tasks of a job (package checker/phase) done by an engine: processes of
// this machine, SLURM, or Kubernetes.
//
// Run goes from phase to phase. It looks at the depot, asks the engine which tasks wait or run, and
// submits what is missing. It keeps nothing in mind, so that it may be killed at any time and begun
// again, by several at the same time, too: what that costs is work done twice. What an engine says
// is never believed about what was done: only receipts are.
//
//	dispatch.go    the loop
//	engine.go      what an engine is
//	local.go       processes of this machine
//	batch.go       lists of tasks for the elements of a job array; an engine of a queue
//	slurm.go       the queue of SLURM, and scripts for it
//	kubernetes.go  the queue of Kubernetes, and manifests for it
//	work.go        the other side: a process that runs tasks
//	status.go      how far a job is
package dispatch

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/checker/phase"
)

// Progress is how far a job is.
type Progress struct {
	Phase   *phase.Phase
	Ready   []phase.ID // tasks that have to run before the next phase, or in the place of such
	Pending int        // of these, how many wait or run
}

// Options are about a Run.
type Options struct {
	Observe func(Progress) // nil: nobody
	Note    func(error)    // is told of new errors after which it goes on; nil: nobody
}

// patience is after how many errors of an engine in a row Run gives up. It waits between them.
const patience = 60

// Run has all tasks done, and returns how far the job is then: at its last phase.
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
			continue // a phase was damaged meanwhile
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

// round submits the tasks that neither wait nor run, or waits if there are none.
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
