package phase

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// Try says that a task was handed out.
type Try struct {
	Where string // by whom, in the words of the engine
	When  time.Time
}

// TriesError says that a task was handed out as many times as the plan allows, and has no receipt.
type TriesError struct {
	ID
	Tries int
	Fault string // why it failed last; empty: it did not say
}

func (e *TriesError) Error() string {
	why := e.Fault
	if why == "" {
		why = "it ended without saying why: it was killed, or its machine failed"
	}
	return fmt.Sprintf("task %d of phase %d was tried %d times: %s", e.Task, e.ID.Phase, e.Tries, why)
}

// Hand notes that a task is handed out. mine is false if somebody else handed it out at the same
// time, so that this one should not. The error is a *TriesError if it was handed out too often.
func (j *Job) Hand(ctx context.Context, id ID, where string) (mine bool, err error) {
	for k := 1; k <= j.Plan.Tries; k++ {
		name := tryName(id, k)
		if _, err := j.Depot.Size(ctx, name); err == nil {
			continue
		} else if !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
		err := j.Depot.Put(ctx, name, seal(Try{where, time.Now()}))
		if errors.Is(err, fs.ErrExist) {
			return false, nil
		}
		return err == nil, err
	}
	e := &TriesError{ID: id, Tries: j.Plan.Tries}
	faults, err := j.Faults(ctx, id.Phase)
	for _, f := range faults {
		if f.Task == id.Task {
			e.Fault = f.Text
		}
	}
	return false, errors.Join(e, err)
}

func tryName(id ID, k int) string { return fmt.Sprintf("try/%s.%d", id, k) }

// Return takes the last note of Hand back: the task did not run, or was ended by somebody.
func (j *Job) Return(ctx context.Context, id ID) error {
	for k := j.Plan.Tries; k > 0; k-- {
		name := tryName(id, k)
		if _, err := j.Depot.Size(ctx, name); err == nil {
			return j.Depot.Remove(ctx, name)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// clear takes all notes about a task back. It was done, and may be handed out as many times again
// if its blocks are lost.
func (j *Job) clear(ctx context.Context, id ID) error {
	for k := j.Plan.Tries; k > 0; k-- {
		if err := j.Depot.Remove(ctx, tryName(id, k)); err != nil {
			return err
		}
	}
	return nil
}

// Again lets all tasks be handed out as many times as if they had never been. It is for somebody
// who has seen why they failed.
func (j *Job) Again(ctx context.Context) error {
	names, err := j.Depot.List(ctx, "try/")
	for _, name := range names {
		if err := j.Depot.Remove(ctx, name); err != nil {
			return err
		}
	}
	return err
}
