package phase

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/mancheck/mancheck/internal/depot"
)

// ID identifies a task.
type ID struct{ Phase, Task int }

func (id ID) String() string { return taskName(id.Phase, id.Task) }

// Ready returns the tasks that have to run next to complete a phase: those without a receipt whose
// input blocks are there. For a task with missing input blocks, it returns the tasks that make
// these again. For the last phase, which has no tasks, it returns those that make missing blocks of
// Inputs again. It fails if no task makes a missing block.
func (j *Job) Ready(ctx context.Context, p *Phase, receipts []*Receipt) ([]ID, error) {
	f := newFinder(j)
	if p.Last() {
		if _, err := f.make(ctx, p.Inputs, p.Number); err != nil {
			return nil, err
		}
	}
	for i, r := range receipts {
		if r != nil {
			continue
		}
		if err := f.task(ctx, p, i); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(f.ready, func(a, b ID) int {
		return slices.Compare([]int{a.Phase, a.Task}, []int{b.Phase, b.Task})
	})
	return f.ready, nil
}

// finder finds the tasks that can run.
type finder struct {
	job    *Job
	ready  []ID
	there  map[string]bool // by hash of a block: whether it is there
	asked  map[ID]bool
	phases map[int]*Phase // read so far
}

func newFinder(j *Job) *finder {
	return &finder{job: j, there: map[string]bool{}, asked: map[ID]bool{}, phases: map[int]*Phase{}}
}

// needs returns the blocks that a task may read.
func (p *Phase) needs(task int) []Block { return slices.Concat(p.Inputs, p.Tasks[task].Inputs) }

// phase returns a phase.
func (f *finder) phase(ctx context.Context, n int) (*Phase, error) {
	if p := f.phases[n]; p != nil {
		return p, nil
	}
	p, _, err := f.job.Earlier(ctx, n)
	if err == nil {
		f.phases[n] = p
	}
	return p, err
}

// task adds a task, or the tasks that make its missing blocks.
func (f *finder) task(ctx context.Context, p *Phase, i int) error {
	id := ID{p.Number, i}
	if f.asked[id] {
		return nil
	}
	f.asked[id] = true
	lacks, err := f.make(ctx, p.needs(i), p.Number)
	if err == nil && !lacks {
		f.ready = append(f.ready, id)
	}
	return err
}

// make adds the tasks that make missing blocks of a list again. by is the number of the phase that
// needs the blocks.
func (f *finder) make(ctx context.Context, list []Block, by int) (lacks bool, err error) {
	for _, b := range list {
		there, err := f.has(ctx, b)
		if err == nil && !there {
			lacks, err = true, f.maker(ctx, b, by)
		}
		if err != nil {
			return false, err
		}
	}
	return lacks, nil
}

// all reports whether all blocks are there.
func (f *finder) all(ctx context.Context, list []Block) (bool, error) {
	for _, b := range list {
		if there, err := f.has(ctx, b); !there || err != nil {
			return false, err
		}
	}
	return true, nil
}

// has reports whether a block is there. A block of the wrong size is removed.
func (f *finder) has(ctx context.Context, b Block) (bool, error) {
	if is, known := f.there[b.Hash]; known {
		return is, nil
	}
	name := depot.Block(b.Hash)
	size, err := f.job.Depot.Size(ctx, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return false, err
	case size != b.Size:
		if err := f.job.Depot.Remove(ctx, name); err != nil {
			return false, err
		}
	}
	f.there[b.Hash] = err == nil && size == b.Size
	return f.there[b.Hash], nil
}

// maker adds the task that wrote a block, in the latest phase before the given one.
func (f *finder) maker(ctx context.Context, b Block, before int) error {
	for n := before - 1; n >= 0; n-- {
		next, err := f.phase(ctx, n+1)
		if err != nil {
			return err
		}
		for i, r := range next.Results {
			if k := slices.IndexFunc(r.Outputs, func(o Block) bool { return o.Hash == b.Hash }); k >= 0 {
				if r.Outputs[k].Size != b.Size { // the block would be removed and made again for ever
					return &depot.DamagedError{Name: phaseName(before), Detail: "it has another size for " + depot.Block(b.Hash)}
				}
				p, err := f.phase(ctx, n)
				if err != nil {
					return err
				}
				return f.task(ctx, p, i)
			}
		}
	}
	return fmt.Errorf("%s is missing, and no task of the job writes it", depot.Block(b.Hash))
}
