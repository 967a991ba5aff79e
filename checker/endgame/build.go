package endgame

import (
	"cmp"
	"context"
	"runtime"
	"time"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// Options bound the work on a table.
type Options struct {
	MaxMemory int64 // bytes; 0: most of the machine's memory
	Threads   int   // 0: as many as there are processors
	Observer  func(Progress)
}

// Progress says how far the work has got. It is told after each sweep through a layer.
type Progress struct {
	Seeds     int // of the layer
	Positions uint64
	Pending   uint64 // positions of the layer that are not known
	Sweep     int
	Elapsed   time.Duration
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
	began   time.Time
}

func newBuilder(ctx context.Context, sys *rules.System, seeds int, p value.Payoff, opts Options) (*builder, error) {
	t, err := newTable(ctx, sys, seeds, p)
	if err != nil {
		return nil, err
	}
	memory := cmp.Or(opts.MaxMemory, limit.DefaultMemory())
	if n := t.positions.Ranker.Live(); n > uint64(memory) {
		return nil, &MemoryError{Seeds: seeds, Need: n, Have: memory}
	}
	t.futures = make([]byte, t.positions.Ranker.Live())
	b := &builder{Table: t, ctx: ctx, opts: opts, began: time.Now()}
	for range cmp.Or(opts.Threads, runtime.GOMAXPROCS(0)) {
		b.workers = append(b.workers, newWorker(ctx, t))
	}
	return b, nil
}

// layer finds the futures of the positions with so many seeds.
func (b *builder) layer(seeds int) error {
	l := b.Table.layer(seeds)
	l.eachRange(func(first, end uint64) {
		for i := first; i < end; i++ {
			b.futures[i] = mark(pending)
		}
	})
	out := Layer{Seeds: seeds, Positions: l.size * l.controls}
	out.Cyclic = out.Positions
	for changed := uint64(1); changed > 0 && out.Cyclic > 0; {
		if out.Sweeps > 0 {
			l.remember()
		}
		var err error
		changed, out.Cyclic, err = b.sweep(l, func(w *worker, unit int) error { return w.resolve(l, unit) })
		if err != nil {
			return err
		}
		out.Sweeps++
		b.observe(out, out.Cyclic)
	}
	if out.Cyclic > 0 {
		if err := b.cycles(l, &out); err != nil {
			return err
		}
	}
	out.Checksum = l.checksum()
	b.layers = append(b.layers, out)
	return nil
}

// sweep calls f for all units, and returns how many positions changed, and how many are pending.
func (b *builder) sweep(l *layer, f func(w *worker, unit int) error) (changed, left uint64, err error) {
	for _, w := range b.workers {
		w.changed, w.left = 0, 0
	}
	err = l.sweep(b.ctx, b.workers, f)
	for _, w := range b.workers {
		changed += w.changed
		left += w.left
	}
	return changed, left, err
}

func (b *builder) observe(l Layer, left uint64) {
	if b.opts.Observer != nil {
		b.opts.Observer(Progress{l.Seeds, l.Positions, left, l.Sweeps, time.Since(b.began)})
	}
}

// remember copies the futures for the next sweep.
func (l *layer) remember() {
	if l.before == nil {
		l.before = make([]byte, l.size*l.controls)
	}
	l.eachRange(func(first, end uint64) { copy(l.before[l.number(first):], l.futures[first:end]) })
}

// earlier returns the future of a position before this sweep.
func (l *layer) earlier(rank uint64) int8 {
	if l.before == nil {
		return pending
	}
	return int8(l.before[l.number(rank)])
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

// resolve finds the futures of pending positions of a unit. Another unit is only read after it has
// been passed, so its bytes do not change meanwhile; until then it is read as it was before the
// sweep. At the end the positions that may have waited for units of lower boards are tried again.
func (w *worker) resolve(l *layer, unit int) error {
	w.postponed = w.postponed[:0]
	known := func(rank uint64) int8 {
		if u := l.unit(rank); u == unit || l.passed[u].Load() {
			return int8(l.futures[rank])
		}
		return l.earlier(rank)
	}
	if err := w.pending(l, unit, known); err != nil {
		return err
	}
	again := w.postponed
	w.postponed = nil
	waited := func(rank uint64) int8 {
		u := l.unit(rank)
		if u > unit && !l.passed[u].Load() {
			return l.earlier(rank)
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
	w.left += uint64(len(w.postponed))
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
	if len(w.some) < atOnce {
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
	for i := range w.some {
		rank := w.some[i].rank
		v := w.evaluate(i, of)
		switch {
		case v == pending:
			w.postponed = append(w.postponed, rank)
		case mark(v) != l.futures[rank]:
			l.futures[rank] = mark(v)
			w.changed++
		}
	}
	w.reset()
	return nil
}
