package dispatch

import (
	"context"
	"fmt"
	"time"

	"github.com/mancheck/mancheck/checker/phase"
)

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
