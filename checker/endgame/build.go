package endgame

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/mancheck/mancheck/checker/endgame/blocks"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/huge"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// Options bound the work on a table.
type Options struct {
	limit.Bounds // MaxStates does not apply
	// Observer is called after each sweep or pass through a layer; may be nil.
	Observer func(limit.Progress)
	bySteps  bool // for tests: evaluates no layer by rows
}

// Build makes a table in memory. It is the same for any number of threads. An error is a
// *value.NoTablesError or *CycleError if there is none, a *MemoryError or *rules.LimitError, or
// that of the context.
func Build(ctx context.Context, sys *rules.System, seeds int, p value.Payoff, opts Options) (*Table, error) {
	b, err := newBuilder(ctx, sys, seeds, p, opts)
	if err != nil {
		return nil, err
	}
	defer b.free()
	for s := range seeds + 1 {
		if err := b.layer(s); err != nil {
			return nil, err
		}
	}
	return b.Table, nil
}

// builder makes a table.
type builder struct {
	*Table
	ctx     context.Context
	opts    Options
	workers []*worker
	halves  *halves // nil: layers are not evaluated by rows
	memory  int64   // bytes allowed
	began   time.Time
}

// free gives the memory back that is not the table's.
func (b *builder) free() {
	if b.halves != nil {
		b.halves.free()
	}
}

func newBuilder(ctx context.Context, sys *rules.System, seeds int, p value.Payoff, opts Options) (*builder, error) {
	t, err := newTable(ctx, sys, seeds, p)
	if err != nil {
		return nil, err
	}
	memory := opts.Memory()
	if n := t.need(); n > uint64(memory) {
		return nil, &MemoryError{Seeds: seeds, Need: n, Have: memory}
	}
	t.memory = huge.New(int((t.positions.Entries() + 7) / 8))
	t.futures = t.memory.Bytes()[:t.positions.Entries()]
	b := &builder{Table: t, ctx: ctx, opts: opts, memory: memory, began: time.Now()}
	for range opts.Workers() {
		b.workers = append(b.workers, newWorker(ctx, t))
	}
	if !opts.bySteps && 3*t.need() < uint64(memory) {
		b.halves = b.newHalves()
	}
	return b, nil
}

// need is how much memory a table takes while it is built, besides what rows and cyclic layers
// take.
func (t *Table) need() uint64 { return t.positions.Entries() }

// layer finds the futures of the positions with the given number of seeds. Where the layer below
// was cyclic this one probably is, and then a first sweep would know little.
func (b *builder) layer(seeds int) error {
	l := b.Table.layer(seeds)
	out := Layer{Seeds: seeds, Positions: l.size * l.controls * l.images}
	left, err := b.sweepOnce(l, &out)
	if err != nil {
		return err
	}
	if !out.ByRows && (seeds == 0 || b.layers[seeds-1].Cyclic == 0) {
		out.Sweeps++
		b.observe(out, left, "")
	}
	if left > 0 {
		if err := b.cycles(l, &out); err != nil {
			return err
		}
	}
	out.Checksum = l.checksum()
	b.layers = append(b.layers, out)
	return nil
}

// sweepOnce evaluates the positions of a layer once, unless the layer below was cyclic, and returns
// how many are pending.
func (b *builder) sweepOnce(l *layer, out *Layer) (left uint64, err error) {
	if out.ByRows, err = b.byRows(l, out); out.ByRows || err != nil {
		return 0, err
	}
	l.eachRange(func(first, end uint64) {
		for i := first; i < end; i++ {
			b.futures[i] = mark(pending)
		}
	})
	if l.seeds > 0 && b.layers[l.seeds-1].Cyclic > 0 {
		return out.Positions, nil
	}
	return b.sweep(l, func(w *worker, unit int) error { return w.resolve(l, unit) })
}

// byRows evaluates a layer by rows, unless that is not possible.
func (b *builder) byRows(l *layer, out *Layer) (done bool, err error) {
	if b.halves == nil {
		return false, nil
	}
	observe := func(left uint64) {
		work := ""
		if out.Sweeps > 1 {
			work = fmt.Sprintf("pass %d", out.Sweeps)
		}
		b.observe(*out, left, work)
	}
	if err = b.halves.layer(b.ctx, l, out, observe); errors.Is(err, blocks.ErrNotByRows) {
		b.halves.free()
		b.halves, *out = nil, Layer{Seeds: out.Seeds, Positions: out.Positions}
		debug.FreeOSMemory() // plans may have taken most of what is allowed
		return false, nil
	}
	return err == nil, err
}

// sweep calls f for all units, and returns how many positions are pending.
func (b *builder) sweep(l *layer, f func(w *worker, unit int) error) (left uint64, err error) {
	for _, w := range b.workers {
		w.undecided = 0
	}
	err = sweep(b.ctx, l, b.workers, f)
	for _, w := range b.workers {
		left += w.undecided
	}
	return left, err
}

func (b *builder) observe(l Layer, left uint64, work string) {
	if b.opts.Observer != nil {
		b.opts.Observer(limit.Progress{
			Depth: l.Seeds, States: int64(l.Positions), Open: int64(left), Sweeps: l.Sweeps, Special: work, Elapsed: time.Since(b.began),
		})
	}
}

// resolve finds the futures of positions of a unit. Another unit is only read after it has been
// passed, so its bytes do not change meanwhile; until then its positions are pending. At the end
// the positions that may have waited for units of lower boards are tried again.
func (w *worker) resolve(l *layer, unit int) error {
	open := func(rank uint64, _ []uint64) bool { return l.futures[rank] == mark(pending) }
	left, err := w.settle(l, unit, open, func(u int) bool { return u == unit || l.passed[u].Load() })
	if left > 0 && err == nil {
		left, err = w.settle(l, unit, open, func(u int) bool {
			if u < unit {
				l.wait(u)
			}
			return u <= unit || l.passed[u].Load()
		})
	}
	w.undecided += left
	return err
}

// settle evaluates the positions of a unit for which open holds, in their order, and notes their
// futures, as those after them may need them. It returns how many are left. known says of which
// units futures are read.
func (w *worker) settle(l *layer, unit int, open func(rank uint64, key []uint64) bool, known func(unit int) bool) (left uint64, err error) {
	err = w.plays(l, unit, open, func() {
		for i := range w.spare {
			p := &w.spare[i]
			best, others := w.sum(i, func(step int) (int8, bool) {
				e := w.entries[step]
				rank := e &^ value.Negated
				if !known(l.unit(rank)) || l.futures[rank] == mark(pending) {
					return 0, false
				}
				return turn(negated(e, int8(l.futures[rank])), !p.maximizing), true
			})
			if others > 0 {
				left++
				continue
			}
			l.futures[p.rank] = mark(turn(best, !p.maximizing))
		}
	})
	return left, err
}
