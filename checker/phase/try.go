package phase

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"
)

// Try records an attempt at a task.
type Try struct {
	Where string // where it runs, as text from the engine
	When  time.Time
}

// TriesError says that a task has had as many attempts as the plan allows, and has no receipt.
type TriesError struct {
	ID
	Tries int
	Fault string // why the last attempt failed; empty: not known
}

func (e *TriesError) Error() string {
	why := cmp.Or(e.Fault, "it recorded no reason: it was killed, or its machine failed")
	return fmt.Sprintf("task %d of phase %d was tried %d times: %s", e.Task, e.ID.Phase, e.Tries, why)
}

// Hand records an attempt at a task. mine is false if another process has recorded the same
// attempt; the caller must then not hand out the task. The error is a *TriesError if no attempts
// are left.
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

// Return removes the last attempt that Hand recorded: the task did not run, or was interrupted.
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

// clear removes all attempts at a task, which is done. If its blocks are lost later, it has all its
// attempts again.
func (j *Job) clear(ctx context.Context, id ID) error {
	for k := j.Plan.Tries; k > 0; k-- {
		if err := j.Depot.Remove(ctx, tryName(id, k)); err != nil {
			return err
		}
	}
	return nil
}

// Again resets the attempts at all tasks. It is for a user who has seen why tasks failed.
func (j *Job) Again(ctx context.Context) error {
	names, err := j.Depot.List(ctx, "try/")
	for _, name := range names {
		if err := j.Depot.Remove(ctx, name); err != nil {
			return err
		}
	}
	return err
}
