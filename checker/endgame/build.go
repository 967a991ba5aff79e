package endgame

import (
	"cmp"
	"context"
	"time"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/huge"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// Options bound the work on a table.
type Options struct {
	limit.Bounds // MaxStates does not apply
	// Observer is called after each sweep through a layer, and each round of cycle.go; may be nil.
	Observer func(limit.Progress)
	bare     bool // for tests: plays without sinks also where states are not shorter then
}

// Build makes a table in memory. It is the same for any number of threads. An error is a
// *value.NoTablesError or *CycleError if there is none, a *MemoryError or *rules.LimitError, or
// that of the context.
func Build(ctx context.Context, sys *rules.System, seeds int, p value.Payoff, opts Options) (*Table, error) {
	b, err := newBuilder(ctx, sys, seeds, p, opts)
	if err != nil {
		return nil, err
	}
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
	ordered []*worker // of layers in order; nil: none so far
	memory  int64     // bytes allowed
	began   time.Time
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
	return b, nil
}

// need is how much memory a table takes while it is built, besides what cyclic layers take.
func (t *Table) need() uint64 {
	n := t.positions.Entries()
	if t.positions.Descends() {
		l := t.layer(t.Seeds())
		n += l.size * l.controls
	}
	return n
}

// layer finds the futures of the positions with the given number of seeds. Where the layer below
// was cyclic this one probably is, and then a first sweep would know little.
func (b *builder) layer(seeds int) error {
	l := b.Table.layer(seeds)
	l.eachRange(func(first, end uint64) {
		for i := first; i < end; i++ {
			b.futures[i] = mark(pending)
		}
	})
	out := Layer{Seeds: seeds, Positions: l.size * l.controls * l.images}
	left := out.Positions
	if seeds == 0 || b.layers[seeds-1].Cyclic == 0 {
		var err error
		if b.positions.Descends() && len(b.positions.Pits()) > 0 {
			left, err = b.descend(l)
		} else {
			left, err = b.sweep(l, func(w *worker, unit int) error { return w.resolve(l, unit) })
		}
		if err != nil {
			return err
		}
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

// sweep calls f for all units, and returns how many positions are pending.
func (b *builder) sweep(l *layer, f func(w *worker, unit int) error) (left uint64, err error) {
	for _, w := range b.workers {
		w.undecided = 0
	}
	err = l.sweep(b.ctx, b.workers, f)
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

// eachRange calls f with the ranks of the layer, for each control.
func (l *layer) eachRange(f func(first, end uint64)) {
	for c := range l.controls {
		start := c*l.boards + l.first
		f(start, start+l.size)
	}
}

// mark is a mark as a byte of the table.
func mark(m int8) byte { return byte(m) }

// resolve finds the futures of positions of a unit. Another unit is only read after it has been
// passed, so its bytes do not change meanwhile; until then its positions are pending. At the end
// the positions that may have waited for units of lower boards are tried again.
func (w *worker) resolve(l *layer, unit int) error {
	w.postponed = w.postponed[:0]
	known := func(rank uint64) int8 {
		if u := l.unit(rank); u == unit || l.passed[u].Load() {
			return int8(l.futures[rank])
		}
		return pending
	}
	if err := w.pending(l, unit, known); err != nil {
		return err
	}
	again := w.postponed
	w.postponed = nil
	waited := func(rank uint64) int8 {
		u := l.unit(rank)
		if u > unit && !l.passed[u].Load() {
			return pending
		}
		if u < unit {
			l.wait(u)
		}
		return int8(l.futures[rank])
	}
	for _, rank := range again {
		w.positions.Unrank(rank, w.key)
		if err := w.take(l, rank, w.key, waited); err != nil {
			return err
		}
	}
	err := w.flush(l, waited)
	w.undecided += uint64(len(w.postponed))
	w.postponed = again[:0]
	return err
}

// pending evaluates the pending positions of a unit.
func (w *worker) pending(l *layer, unit int, of func(uint64) int8) error {
	err := w.each(l, unit, func(rank uint64, key []uint64) error {
		if l.futures[rank] != mark(pending) {
			return nil
		}
		return w.take(l, rank, key, of)
	})
	return cmp.Or(err, w.flush(l, of))
}

// take adds a position, and evaluates all when there are enough.
func (w *worker) take(l *layer, rank uint64, key []uint64, of func(uint64) int8) error {
	if err := w.add(rank, key); err != nil {
		return err
	}
	if len(w.spare) < atOnce {
		return nil
	}
	return w.flush(l, of)
}

// flush evaluates positions in their order, and notes their futures at once, as those after them
// may need them.
func (w *worker) flush(l *layer, of func(uint64) int8) error {
	if err := w.look(l); err != nil {
		return err
	}
	for i := range w.spare {
		rank := w.spare[i].rank
		v := w.evaluate(i, of)
		switch {
		case v == pending:
			w.postponed = append(w.postponed, rank)
		default:
			l.futures[rank] = mark(v)
		}
	}
	w.reset()
	return nil
}
