package phase

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/processor"
)

// Env is what a task has to do its work with.
type Env struct {
	Depot   depot.Depot
	Memory  int64  // bytes that it may take
	Scratch string // a folder for files of its own, which is removed after it
}

// Run does a task and writes its receipt. When the task fails, it writes down why. A block that is
// damaged is removed, so that it is made again. The error is a *ConflictError if there is a receipt
// with another result.
func (j *Job) Run(ctx context.Context, w Work, n, task int) error {
	p, hash, err := j.Phase(ctx, n)
	if err != nil {
		return err
	}
	if task < 0 || task >= len(p.Tasks) {
		return fmt.Errorf("phase %d has no task %d", n, task)
	}
	scratch, err := os.MkdirTemp("", "mancheck-task-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(scratch) }() // what is left there does no harm
	counted := &counting{Depot: j.Depot}
	began, cpu := time.Now(), processor.Time()
	e := &Env{Depot: counted, Memory: j.Plan.Memory, Scratch: scratch}
	result, err := w.Do(ctx, e, p, task)
	if err != nil {
		return errors.Join(err, j.fail(ctx, n, task, err))
	}
	host, _ := os.Hostname()
	r := Receipt{Phase: hash, Task: task, Result: result, Cost: Cost{
		Host: host, CPU: processor.Time() - cpu, Wall: time.Since(began),
		Read: counted.read.Load(), Wrote: counted.wrote.Load(), Memory: processor.Most(),
	}}
	return j.sign(ctx, n, &r)
}

// sign writes a receipt, unless there is one.
func (j *Job) sign(ctx context.Context, n int, r *Receipt) error {
	name := receiptName(n, r.Task)
	for {
		err := j.Depot.Put(ctx, name, seal(r))
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		var have Receipt
		_, err = j.get(ctx, name, &have)
		switch {
		case errors.As(err, new(*depot.DamagedError)), err == nil && have.Phase != r.Phase:
			if err := j.Depot.Remove(ctx, name); err != nil {
				return err
			}
		case errors.Is(err, fs.ErrNotExist): // removed meanwhile
		case err != nil:
			return err
		case !same(have.Result, r.Result):
			err := j.Depot.Put(ctx, conflictName(n, r.Task), seal(r))
			if errors.Is(err, fs.ErrExist) {
				err = nil
			}
			return cmp.Or(err, error(&ConflictError{n, r.Task}))
		default:
			return nil
		}
	}
}

// Fault is why a task failed.
type Fault struct {
	Phase, Task int
	Host        string
	Text        string
	Damaged     string // the object because of which it failed; empty: another reason
}

// fail writes down why a task failed.
func (j *Job) fail(ctx context.Context, n, task int, err error) error {
	if ctx.Err() != nil {
		return nil // it did not fail: it was ended
	}
	f := Fault{Phase: n, Task: task, Text: err.Error()}
	f.Host, _ = os.Hostname()
	if damaged := (*depot.DamagedError)(nil); errors.As(err, &damaged) {
		f.Damaged = damaged.Name
		if failed := j.Depot.Remove(ctx, damaged.Name); failed != nil {
			return failed
		}
	}
	return j.number(ctx, "fault/"+taskName(n, task), f)
}

// number puts an object under the next free number.
func (j *Job) number(ctx context.Context, name string, v any) error {
	for k := 1; ; k++ {
		if err := j.Depot.Put(ctx, fmt.Sprintf("%s.%d", name, k), seal(v)); !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
}

// Faults lists why tasks of a phase failed.
func (j *Job) Faults(ctx context.Context, n int) (list []Fault, err error) {
	names, err := j.Depot.List(ctx, fmt.Sprintf("fault/%05d/", n))
	for _, name := range names {
		var f Fault
		if _, err := j.get(ctx, name, &f); err != nil {
			f.Text = fmt.Sprintf("%s: %v", path.Base(name), err)
		}
		list = append(list, f)
	}
	return list, err
}
