package dispatch

import (
	"context"
	"fmt"
	"time"

	"github.com/mancheck/mancheck/checker/phase"
)

// Engine has tasks done.
type Engine interface {
	// Pending returns the tasks that wait or run, whoever submitted them.
	Pending(ctx context.Context) (map[phase.ID]bool, error)

	// Submit hands tasks out, as far as nobody else does so at the same time, and lets them run. It
	// returns when they wait or run, or are over.
	Submit(ctx context.Context, tasks []phase.ID) error

	// Wait returns when it is time to look again.
	Wait(ctx context.Context) error
}

// UnavailableError says that an engine does not answer at the moment.
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

// handed hands tasks out, and returns those that nobody else did.
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

// giveBack takes back that tasks were handed out. If that fails, they have a try less.
func giveBack(ctx context.Context, j *phase.Job, tasks []phase.ID) {
	for _, id := range tasks {
		_ = j.Return(context.WithoutCancel(ctx), id)
	}
}
