package phase

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/lists"
)

// Job is a plan in a depot, with the work that was done. It caches receipts, so only one goroutine
// at a time may call Receipts.
type Job struct {
	Depot depot.Depot
	Plan  Plan
	ID    string // hash of the plan

	asked string     // hash of the phase whose receipts are cached
	known []*Receipt // the receipts of that phase
}

const planName = "plan"

// ErrOther is the error for a depot that has another plan.
var ErrOther = errors.New("there is another plan")

// ErrStray is the error for a depot whose phases belong to another plan than its own.
var ErrStray = errors.New("the plan is that of another job than the phases: restore it, or repeat the command that planned the job")

// Begin writes a plan into a depot, unless the depot has that plan already. The error is ErrOther
// if the depot has another plan. A plan that is damaged, or that another one has replaced, is
// written again if the phases in the depot belong to this one.
func Begin(ctx context.Context, d depot.Depot, p Plan) (*Job, error) {
	p.Format = Format
	text := seal(p)
	for {
		err := d.Put(ctx, planName, text)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
		j, err := open(ctx, d)
		damaged := errors.As(err, new(*depot.DamagedError))
		switch {
		case errors.Is(err, fs.ErrNotExist): // removed by another process
			continue
		case err == nil && j.ID == sum(text):
			return j, j.stray(ctx)
		case err != nil && !damaged:
			return nil, err
		}
		own, others, err := j.owners(ctx, sum(text))
		switch {
		case err != nil:
			return nil, err
		case others || !own && !damaged:
			return nil, cmp.Or(j.fits(), fmt.Errorf("%s: %w", d, ErrOther))
		}
		if err := d.Remove(ctx, planName); err != nil {
			return nil, err
		}
	}
}

// owners reports whether an intact phase belongs to the plan with a hash, and whether one before it
// belongs to another.
func (j *Job) owners(ctx context.Context, id string) (own, others bool, err error) {
	phases, err := j.phases(ctx)
	for n := 0; n < phases && !own; n++ {
		var p Phase
		if _, err := j.get(ctx, phaseName(n), &p); err == nil {
			own, others = p.Plan == id, others || p.Plan != id
		}
	}
	return own, others, err
}

// stray returns ErrStray if all intact phases belong to other plans. Otherwise it would take them
// for damaged ones, and remove them.
func (j *Job) stray(ctx context.Context) error {
	own, others, err := j.owners(ctx, j.ID)
	if err == nil && others && !own {
		err = fmt.Errorf("%s: %w", j.Depot, ErrStray)
	}
	return err
}

// Open returns the job in a depot. The error is fs.ErrNotExist if the depot has no plan, or
// ErrStray.
func Open(ctx context.Context, d depot.Depot) (*Job, error) {
	j, err := open(ctx, d)
	if err == nil {
		err = cmp.Or(j.fits(), j.stray(ctx))
	}
	return j, err
}

// open reads the plan in a depot. It may be of another format.
func open(ctx context.Context, d depot.Depot) (*Job, error) {
	j := &Job{Depot: d}
	var err error
	j.ID, err = j.get(ctx, planName, &j.Plan)
	if err == nil && j.Plan.Format == 0 {
		err = &depot.DamagedError{Name: planName, Detail: "it is no plan"} // but another object
	}
	return j, err
}

// fits fails if the plan is of another format.
func (j *Job) fits() error {
	if j.Plan.Format == Format || j.ID == "" {
		return nil
	}
	return fmt.Errorf("%s: the plan was written by another version: format %d instead of %d", j.Depot, j.Plan.Format, Format)
}

// get reads an object and returns the hash of its text. The error is fs.ErrNotExist, a
// *depot.DamagedError, or a read error.
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

// phases is the prefix of the names of phases.
const phases = "phase/"

func phaseName(n int) string          { return fmt.Sprintf("%s%05d", phases, n) }
func taskName(n, task int) string     { return fmt.Sprintf("%05d/%05d", n, task) }
func receiptName(n, task int) string  { return "receipt/" + taskName(n, task) }
func conflictName(n, task int) string { return "conflict/" + taskName(n, task) }

// Phase returns a phase and the hash of its text. The error is fs.ErrNotExist if the phase has not
// been written.
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

// Earlier is Phase for a phase before the current one. If it is missing, the error is a
// *depot.DamagedError.
func (j *Job) Earlier(ctx context.Context, n int) (*Phase, string, error) {
	p, hash, err := j.Phase(ctx, n)
	if errors.Is(err, fs.ErrNotExist) {
		err = &depot.DamagedError{Name: phaseName(n), Detail: "it is missing"}
	}
	return p, hash, err
}

// phases returns the number of phases before the first gap. There is a gap where a damaged phase
// was removed; it is computed again from the phase before.
func (j *Job) phases(ctx context.Context) (int, error) {
	names, err := j.Depot.List(ctx, phases)
	for n := 0; ; n++ {
		if _, there := slices.BinarySearch(names, phaseName(n)); !there {
			return n, err
		}
	}
}

// Current returns the current phase and its hash, or nil if no phase has been written. The present
// phase is the last one before a gap. A damaged phase is removed, since it can be computed again
// from the phases before.
func (j *Job) Current(ctx context.Context) (p *Phase, hash string, err error) {
	for {
		n, err := j.phases(ctx)
		if err != nil || n == 0 {
			return nil, "", err
		}
		p, hash, err = j.Phase(ctx, n-1)
		switch {
		case errors.As(err, new(*depot.DamagedError)):
			if err := j.Depot.Remove(ctx, phaseName(n-1)); err != nil {
				return nil, "", err
			}
		case !errors.Is(err, fs.ErrNotExist): // otherwise it was removed by another process
			return p, hash, err
		}
	}
}

// Mending calls f, and calls it again whenever the error says that a phase is damaged. It removes
// the damaged phase, so that Current returns the one before. Code that reads earlier phases must do
// so within Mending, since any of them may be damaged at any time. It gives up after many retries.
func (j *Job) Mending(ctx context.Context, f func() error) error {
	const most = 1000
	for range most {
		err := f()
		bad := (*depot.DamagedError)(nil)
		if !errors.As(err, &bad) || !strings.HasPrefix(bad.Name, phases) {
			return err
		}
		if err := j.Depot.Remove(ctx, bad.Name); err != nil {
			return err
		}
	}
	return f()
}

// Receipts returns the receipts of a phase by task, nil for tasks that have none. A damaged receipt
// is removed: its task has to run again. Each receipt is read once.
func (j *Job) Receipts(ctx context.Context, p *Phase, hash string) ([]*Receipt, error) {
	if j.asked != hash {
		j.asked, j.known = hash, make([]*Receipt, len(p.Tasks))
	}
	names, err := j.Depot.List(ctx, fmt.Sprintf("receipt/%05d/", p.Number))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		i, err := strconv.Atoi(path.Base(name))
		if err != nil || i < 0 || i >= len(p.Tasks) || name != receiptName(p.Number, i) || j.known[i] != nil {
			continue
		}
		if j.known[i], err = j.receipt(ctx, p.Number, hash, i); err != nil {
			return nil, err
		}
	}
	return slices.Clone(j.known), nil
}

// receipt returns the receipt of a task, or nil if there is none. A damaged receipt is removed.
func (j *Job) receipt(ctx context.Context, n int, hash string, task int) (*Receipt, error) {
	name, r := receiptName(n, task), new(Receipt)
	_, err := j.get(ctx, name, r)
	switch {
	case errors.As(err, new(*depot.DamagedError)), err == nil && (r.Phase != hash || r.Task != task):
		return nil, j.Depot.Remove(ctx, name)
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return r, nil
}

// Advance writes and returns the phase after last, which is complete, or the first phase if last is
// nil.
func (j *Job) Advance(ctx context.Context, w Work, last *Phase, hash string, receipts []*Receipt) (*Phase, error) {
	results := lists.Map(receipts, func(r *Receipt) Result { return r.Result })
	next, err := guarded(func() (*Phase, error) { return w.Next(ctx, last, results) })
	if err != nil {
		return nil, err
	}
	next.Plan, next.Results = j.ID, results
	if last != nil {
		next.Number, next.Before = last.Number+1, hash
	}
	return next, j.write(ctx, next)
}

// write writes a phase, unless the depot has it already.
func (j *Job) write(ctx context.Context, p *Phase) error {
	name, text := phaseName(p.Number), seal(p)
	// The phase may have been lost, while the phase after it is still there.
	if next, _, err := j.Phase(ctx, p.Number+1); err == nil && next.Before != sum(text) {
		return &ForkError{next.Number}
	}
	for {
		if err := j.Depot.Put(ctx, name, text); !errors.Is(err, fs.ErrExist) {
			return err
		}
		_, hash, err := j.Phase(ctx, p.Number)
		switch {
		case errors.As(err, new(*depot.DamagedError)):
			if err := j.Depot.Remove(ctx, name); err != nil {
				return err
			}
		case errors.Is(err, fs.ErrNotExist): // removed by another process
		case err != nil:
			return err
		case hash != sum(text):
			return &ForkError{p.Number}
		default:
			return nil
		}
	}
}

// ForkError says that a phase in the depot is intact, but is not the one that follows from the
// phase before: a task or Work.Next produced different results, as another build of the program
// may.
type ForkError struct{ Phase int }

func (e *ForkError) Error() string {
	return fmt.Sprintf("phase %d of the job does not follow from the phase before it", e.Phase)
}

// ConflictError says that a task, which is a pure function, produced different results: a machine
// is unreliable, or the program has a bug.
type ConflictError struct{ Phase, Task int }

func (e *ConflictError) Error() string {
	return fmt.Sprintf("task %d of phase %d produced different results when it ran twice", e.Task, e.Phase)
}

// Conflict returns a *ConflictError if a task of the job has produced different results.
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
func same(a, b Result) bool { return bytes.Equal(Encode(a), Encode(b)) }
