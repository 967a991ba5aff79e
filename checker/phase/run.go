package phase

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync/atomic"
	"time"

	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/processor"
)

// Env is the environment of a task.
type Env struct {
	Depot   depot.Depot
	Memory  int64  // bytes that the task may use
	Scratch string // a folder for temporary files, which is removed after the task
}

// Run runs a task and writes its receipt. If the task fails, Run records why. A damaged block is
// removed, so that it is made again. The error is a *ConflictError if there is a receipt with
// another result.
func (j *Job) Run(ctx context.Context, w Work, n, task int) error {
	err := j.run(ctx, w, n, task)
	if err != nil && !errors.As(err, new(*ConflictError)) {
		err = errors.Join(err, j.fail(ctx, n, task, err))
	}
	return err
}

func (j *Job) run(ctx context.Context, w Work, n, task int) error {
	p, hash, err := j.Phase(ctx, n)
	if err != nil {
		return err
	}
	if task < 0 || task >= len(p.Tasks) {
		return fmt.Errorf("phase %d has no task %d", n, task)
	}
	counted := &counting{Depot: j.Depot}
	began, cpu := time.Now(), processor.Time()
	result, err := j.do(ctx, w, counted, p, task)
	if err != nil {
		return err
	}
	host, _ := os.Hostname()
	r := Receipt{Phase: hash, Task: task, Result: result, Cost: Cost{
		Host: host, CPU: processor.Time() - cpu, Wall: time.Since(began),
		Read: counted.read.Load(), Wrote: counted.wrote.Load(), Memory: processor.Most(),
	}}
	if err := j.sign(ctx, n, &r); err != nil {
		return err
	}
	return j.clear(ctx, ID{n, task})
}

// do runs a task with a depot, and writes no receipt.
func (j *Job) do(ctx context.Context, w Work, d depot.Depot, p *Phase, task int) (Result, error) {
	scratch, remove, err := file.Scratch()
	if err != nil {
		return Result{}, err
	}
	defer remove()
	e := &Env{Depot: d, Memory: j.Plan.Memory, Scratch: scratch}
	return guarded(func() (Result, error) { return w.Do(ctx, e, p, task) })
}

// Perform runs a task that was handed out, if it is still needed and its blocks are there.
// Otherwise it only takes back the attempt.
func (j *Job) Perform(ctx context.Context, w Work, id ID) error {
	wanted, err := j.wanted(ctx, id)
	if err != nil {
		return err
	}
	if !wanted {
		return j.Return(ctx, id)
	}
	return j.Run(ctx, w, id.Phase, id.Task)
}

// wanted reports whether a task should run: the blocks that it reads are there, and its receipt or
// a block that it wrote is missing.
func (j *Job) wanted(ctx context.Context, id ID) (bool, error) {
	p, hash, err := j.Phase(ctx, id.Phase)
	if err != nil {
		return false, err
	}
	if id.Task < 0 || id.Task >= len(p.Tasks) {
		return false, fmt.Errorf("phase %d has no task %d", id.Phase, id.Task)
	}
	f := newFinder(j)
	if can, err := f.all(ctx, p.needs(id.Task)); !can || err != nil {
		return false, err
	}
	r, err := j.receipt(ctx, id.Phase, hash, id.Task)
	if r == nil || err != nil {
		return err == nil, err
	}
	done, err := f.all(ctx, r.Outputs)
	return !done, err
}

// sign writes a receipt, unless the task has one.
func (j *Job) sign(ctx context.Context, n int, r *Receipt) error {
	name := receiptName(n, r.Task)
	// The receipt may have been lost, while the next phase is still there.
	next, _, err := j.Phase(ctx, n+1)
	if err == nil && r.Task < len(next.Results) && !same(next.Results[r.Task], r.Result) {
		return j.dissent(ctx, n, r)
	}
	for {
		err := j.Depot.Put(ctx, name, seal(r))
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		have, err := j.receipt(ctx, n, r.Phase, r.Task)
		switch {
		case err != nil:
			return err
		case have == nil: // it was damaged, or another process has removed it
		case !same(have.Result, r.Result):
			return j.dissent(ctx, n, r)
		default:
			return nil
		}
	}
}

// dissent records that a task produced another result before.
func (j *Job) dissent(ctx context.Context, n int, r *Receipt) error {
	err := j.Depot.Put(ctx, conflictName(n, r.Task), seal(r))
	if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	return cmp.Or(err, error(&ConflictError{n, r.Task}))
}

// counting is a depot that counts the bytes read and written.
type counting struct {
	depot.Depot
	read, wrote atomic.Int64
}

func (c *counting) Create(ctx context.Context) (depot.Draft, error) {
	d, err := c.Depot.Create(ctx)
	return countedDraft{d, c}, err
}

func (c *counting) Open(ctx context.Context, name string) (depot.Object, error) {
	o, err := c.Depot.Open(ctx, name)
	return countedObject{o, c}, err
}

type countedDraft struct {
	depot.Draft
	by *counting
}

func (d countedDraft) Write(b []byte) (int, error) {
	n, err := d.Draft.Write(b)
	d.by.wrote.Add(int64(n))
	return n, err
}

type countedObject struct {
	depot.Object
	by *counting
}

func (o countedObject) ReadAt(b []byte, offset int64) (int, error) {
	n, err := o.Object.ReadAt(b, offset)
	o.by.read.Add(int64(n))
	return n, err
}

// Path returns the path of an object, if the depot is a folder.
func (c *counting) Path(name string) (string, bool) { return depot.Path(c.Depot, name) }
