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
	prefix := "try/" + id.String()
	for k := 1; k <= j.Plan.Tries; k++ {
		name := fmt.Sprintf("%s.%d", prefix, k)
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
