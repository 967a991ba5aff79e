package phase

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"

	"github.com/mancheck/mancheck/internal/depot"
)

// Job is a plan in a depot, with all that was done of it.
type Job struct {
	Depot depot.Depot
	Plan  Plan
	ID    string // hash of the plan
}

const planName = "plan"

// ErrOther says that a depot has another plan.
var ErrOther = errors.New("there is another plan")

// Begin writes a plan into a depot, unless it has that plan already. The error is ErrOther if it
// has another one.
func Begin(ctx context.Context, d depot.Depot, p Plan) (*Job, error) {
	p.Format = Format
	text := seal(p)
	err := d.Put(ctx, planName, text)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	have, err := d.Get(ctx, planName)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(have, text) {
		return nil, fmt.Errorf("%s: %w", d, ErrOther)
	}
	return Open(ctx, d)
}

// Open returns the job of a depot. The error is fs.ErrNotExist if it has no plan.
func Open(ctx context.Context, d depot.Depot) (*Job, error) {
	j := &Job{Depot: d}
	var err error
	j.ID, err = j.get(ctx, planName, &j.Plan)
	if err == nil && j.Plan.Format != Format {
		err = fmt.Errorf("%s: the plan was written by another version: format %d instead of %d", d, j.Plan.Format, Format)
	}
	return j, err
}

// get reads an object and returns the hash of its text. The error is fs.ErrNotExist, a
// *depot.DamagedError, or one of reading.
func (j *Job) get(ctx context.Context, name string, v any) (hash string, err error) {
	text, err := j.Depot.Get(ctx, name)
	if err != nil {
		return "", err
	}
	if hash, err = unseal(text, v); err != nil {
		return "", &depot.DamagedError{Name: name, Detail: err.Error()}
	}
	return hash, nil
}

func phaseName(n int) string          { return fmt.Sprintf("phase/%05d", n) }
func taskName(n, task int) string     { return fmt.Sprintf("%05d/%05d", n, task) }
func receiptName(n, task int) string  { return "receipt/" + taskName(n, task) }
func conflictName(n, task int) string { return "conflict/" + taskName(n, task) }

// Phase returns a phase, and the hash of its text. The error is fs.ErrNotExist if the work has not
// got that far.
func (j *Job) Phase(ctx context.Context, n int) (p *Phase, hash string, err error) {
	p = new(Phase)
	if hash, err = j.get(ctx, phaseName(n), p); err != nil {
		return nil, "", err
	}
	if p.Plan != j.ID || p.Number != n {
		return nil, "", &depot.DamagedError{Name: phaseName(n), Detail: "it belongs to another job"}
	}
	return p, hash, nil
}

// Current returns the last phase that was written down, with its hash; nil if there is none.
func (j *Job) Current(ctx context.Context) (p *Phase, hash string, err error) {
	names, err := j.Depot.List(ctx, "phase/")
	if err != nil || len(names) == 0 {
		return nil, "", err
	}
	n, err := strconv.Atoi(path.Base(names[len(names)-1]))
	if err != nil {
		return nil, "", err
	}
	return j.Phase(ctx, n)
}

// Receipts returns the receipts of a phase by task, nil for tasks that have none. A receipt that is
// damaged is removed: the task has to run again.
func (j *Job) Receipts(ctx context.Context, p *Phase, hash string) ([]*Receipt, error) {
	list := make([]*Receipt, len(p.Tasks))
	names, err := j.Depot.List(ctx, fmt.Sprintf("receipt/%05d/", p.Number))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		i, err := strconv.Atoi(path.Base(name))
		if err != nil || i >= len(list) {
			continue
		}
		r := new(Receipt)
		_, err = j.get(ctx, name, r)
		switch {
		case errors.As(err, new(*depot.DamagedError)), err == nil && (r.Phase != hash || r.Task != i):
			if err := j.Depot.Remove(ctx, name); err != nil {
				return nil, err
			}
		case errors.Is(err, fs.ErrNotExist): // removed meanwhile
		case err != nil:
			return nil, err
		default:
			list[i] = r
		}
	}
	return list, nil
}

// Advance writes down the phase after one that is whole, or the first one if last is nil, and
// returns it.
func (j *Job) Advance(ctx context.Context, w Work, last *Phase, hash string, receipts []*Receipt) (*Phase, error) {
	var results []Result
	for _, r := range receipts {
		results = append(results, r.Result)
	}
	next, err := w.Next(ctx, last, results)
	if err != nil {
		return nil, err
	}
	next.Plan, next.Results = j.ID, results
	if last != nil {
		next.Number, next.Before = last.Number+1, hash
	}
	text := seal(next)
	err = j.Depot.Put(ctx, phaseName(next.Number), text)
	if err == nil || !errors.Is(err, fs.ErrExist) {
		return next, err
	}
	have, err := j.Depot.Get(ctx, phaseName(next.Number))
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(have, text) {
		return nil, &depot.DamagedError{Name: phaseName(next.Number), Detail: "it does not follow from the phase before"}
	}
	return next, nil
}

// ConflictError says that a task, which is a pure function, came to different results: the machine
// is not to be relied on, or the program is wrong.
type ConflictError struct{ Phase, Task int }

func (e *ConflictError) Error() string {
	return fmt.Sprintf("task %d of phase %d came to different results when it ran twice", e.Task, e.Phase)
}

// Conflict returns a *ConflictError if a task of the job has come to different results.
func (j *Job) Conflict(ctx context.Context) error {
	names, err := j.Depot.List(ctx, "conflict/")
	if err != nil || len(names) == 0 {
		return err
	}
	e := new(ConflictError)
	if _, err := fmt.Sscanf(names[0], "conflict/%d/%d", &e.Phase, &e.Task); err != nil {
		return err
	}
	return e
}

// same reports whether two results are equal.
func same(a, b Result) bool {
	x, err := json.Marshal(a)
	y, failed := json.Marshal(b)
	return err == nil && failed == nil && bytes.Equal(x, y)
}

// ForkError says that a phase that is written down does not follow from the one before.
type ForkError struct{ Phase int }

func (e *ForkError) Error() string {
	return fmt.Sprintf("phase %d, which is written down, does not follow from the phase before it", e.Phase)
}
