package phase

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/mancheck/mancheck/internal/depot"
)

// Fault is why a task failed.
type Fault struct {
	Phase, Task int
	Host        string
	Text        string
	Damaged     string // the damaged object that caused the failure, if any
}

// fail records why a task failed.
func (j *Job) fail(ctx context.Context, n, task int, err error) error {
	if ctx.Err() != nil {
		return nil // the task was interrupted
	}
	f := Fault{Phase: n, Task: task, Text: err.Error()}
	if damaged := (*depot.DamagedError)(nil); errors.As(err, &damaged) {
		f.Damaged = damaged.Name
		if failed := j.inspect(ctx, n, task, damaged.Name); failed != nil {
			return failed
		}
	}
	return j.Blame(ctx, f)
}

// inspect removes a damaged object. If it is a block, inspect also removes all other damaged blocks
// that the task reads, since each attempt would find only one.
func (j *Job) inspect(ctx context.Context, n, task int, known string) error {
	if err := j.Depot.Remove(ctx, known); err != nil || !strings.HasPrefix(known, depot.Block("")) {
		return err
	}
	p, _, err := j.Phase(ctx, n)
	if err != nil {
		return err
	}
	for _, b := range p.needs(task) {
		err := depot.Check(ctx, j.Depot, b.Hash, b.Size)
		if err != nil && errors.As(err, new(*depot.DamagedError)) {
			err = j.Depot.Remove(ctx, depot.Block(b.Hash))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Blame records why a task failed.
func (j *Job) Blame(ctx context.Context, f Fault) error {
	if f.Host == "" {
		f.Host, _ = os.Hostname()
	}
	for k := 1; ; k++ {
		if err := j.Depot.Put(ctx, faultName(f.Phase, f.Task, k), seal(f)); !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
}

// Faults lists the faults of a phase, ordered by task and then by time.
func (j *Job) Faults(ctx context.Context, n int) ([]Fault, error) {
	type place struct{ task, k int }
	var places []place
	names, err := j.Depot.List(ctx, fmt.Sprintf("fault/%05d/", n))
	for _, name := range names {
		var at place
		_, _ = fmt.Sscanf(path.Base(name), "%d.%d", &at.task, &at.k) // other names are skipped below
		if name == faultName(n, at.task, at.k) {
			places = append(places, at)
		}
	}
	slices.SortFunc(places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.task, b.task), cmp.Compare(a.k, b.k))
	})
	var list []Fault
	for _, at := range places {
		f := Fault{Phase: n, Task: at.task}
		if _, err := j.get(ctx, faultName(n, at.task, at.k), &f); err != nil {
			f.Text = err.Error()
		}
		list = append(list, f)
	}
	return list, err
}

func faultName(n, task, k int) string { return fmt.Sprintf("fault/%s.%d", taskName(n, task), k) }

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
