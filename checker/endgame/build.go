package endgame

import (
	"context"
	"errors"
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

// Build makes a table in memory.
func Build(ctx context.Context, sys *rules.System, seeds int, p value.Payoff, opts Options) (*Table, error) {
	b, err := newBuilder(ctx, sys, seeds, p, opts)
	if err != nil {
		return nil, err
	}
	defer b.free()
	for s := 0; s <= seeds && err == nil; s++ {
		err = b.layer(s)
	}
	return b.Table, err
}

// builder makes a table in memory.
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
	if n := t.Len(); n > uint64(memory) {
		return nil, &MemoryError{Seeds: seeds, Need: n, Have: memory}
	}
	t.memory = huge.New(int((t.Len() + 7) / 8))
	t.futures = t.memory.Bytes()[:t.Len()]
	b := &builder{Table: t, ctx: ctx, opts: opts, memory: memory, began: time.Now()}
	for range opts.Workers() {
		b.workers = append(b.workers, newWorker(ctx, t))
	}
	if !opts.bySteps && 3*t.Len() < uint64(memory) {
		b.halves = b.newHalves()
	}
	return b, nil
}

// layer finds the futures of the positions with the given number of seeds: by rows, unless that is
// not possible.
func (b *builder) layer(seeds int) (err error) {
	l := b.Table.layer(seeds)
	out := l.describe()
	if b.halves != nil {
		err = b.halves.layer(l, &out)
		out.ByRows = true
	}
	if errors.Is(err, blocks.ErrNotByRows) {
		b.free()
		b.halves, out = nil, l.describe()
		debug.FreeOSMemory() // plans may have taken most of what is allowed
	}
	if b.halves == nil {
		err = b.byPositions(l, &out)
	}
	if err != nil {
		return err
	}
	out.Checksum = l.checksum()
	b.layers = append(b.layers, out)
	return nil
}

func (b *builder) observe(l Layer, left uint64, work string) {
	if b.opts.Observer != nil {
		b.opts.Observer(limit.Progress{
			Depth: l.Seeds, States: int64(l.Positions), Open: int64(left), Sweeps: l.Sweeps, Special: work, Elapsed: time.Since(b.began),
		})
	}
}
