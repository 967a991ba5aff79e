package endgame

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/mancheck/mancheck/checker/endgame/blocks"
	"github.com/mancheck/mancheck/internal/huge"
)

// Where each player sows from one half of the pits, many positions are evaluated at once (package
// blocks). For that, futures are needed as rows of either half. The table has those of one content
// of the second half one after another, by the contents of the first; a turned copy has them the
// other way round.

// errNoOrder says that a layer is not evaluated in order.
var errNoOrder = errors.New("not evaluated in order")

// halves is the work by rows on a table.
type halves struct {
	*Table
	*blocks.Division
	layers  []*halfLayer
	workers []*halfWorker
	noOrder bool // a layer could not be evaluated in order
}

// halfWorker evaluates rows. A goroutine needs its own.
type halfWorker struct {
	*halves
	ctx     context.Context
	rows    *blocks.Worker
	memory  int64 // for plans and links
	ordered *ordered
	line    []byte // a buffer
}

// newWorker returns a worker with its share of the memory for plans and links.
func (h *halves) newWorker(ctx context.Context, memory int64) *halfWorker {
	w := &halfWorker{halves: h, memory: memory}
	w.rows = h.Worker(ctx, h, func() error {
		if w.planBytes() > memory {
			return blocks.ErrNotByRows
		}
		return nil
	})
	w.ordered = &ordered{halfWorker: w, values: make([][]int8, len(h.Controls)), moves: make([][][]move, len(h.Controls))}
	return w
}

// planBytes is the memory of the worker's plans, and its share of what workers have together.
func (w *halfWorker) planBytes() int64 {
	return w.rows.OwnBytes() + w.PlanBytes()/int64(len(w.workers))
}

// within says which context the work ends with.
func (w *halfWorker) within(ctx context.Context) {
	w.ctx = ctx
	w.rows.Within(ctx, w.halves)
}

// halfLayer has the futures of a layer turned: by control, seeds in the first half, content of the
// first half and content of the second one.
type halfLayer struct {
	seeds   int
	turned  atomic.Bool // memory and blocks are there
	turning sync.Mutex
	memory  *huge.Words
	blocks  [][]byte // by control and seeds in the first half
	ranks   *blocks.Ranks
	unknown []bool // by control and seeds: some positions have no future
}

// free gives the memory back.
func (h *halves) free() {
	for _, l := range h.layers {
		if l.turned.Load() {
			l.drop()
		}
	}
	h.layers = nil
}

// newLayer returns a layer with so many seeds.
func (h *halves) newLayer(n int) *halfLayer {
	return &halfLayer{seeds: n, unknown: make([]bool, h.Blocks(n)), ranks: h.Ranks(n)}
}

// Line implements blocks.Lower.
func (h *halves) Line(c int, s blocks.Seeds, vary int, known uint32) (line []byte, unknown bool, err error) {
	l := h.layers[s.Total()]
	at := h.At(c, s)
	first, second := h.Shape(s)
	if vary == 0 {
		return h.natural(c, s, int(known), first), l.unknown[at], nil
	}
	if !l.turned.Load() {
		h.turn(l)
	}
	return l.blocks[at][int(known)*second:][:second], l.unknown[at], nil
}

// put stores the values of a block, given by contents of the first half.
func (h *halves) put(c int, s blocks.Seeds, values []int8) {
	l, at := h.layers[s.Total()], h.At(c, s)
	block := l.blocks[at][:len(values)]
	sign := int8(1)
	if !h.Controls[c].Maximizing {
		sign = -1
	}
	for i, v := range values {
		if block[i] = byte(sign * v); v == blocks.NoValue {
			block[i], l.unknown[at] = mark(noFuture), true
		}
	}
	rows, columns := h.Shape(s)
	blocks.Transpose(block, rows, columns, func(y int) []byte { return h.natural(c, s, y, rows) })
}

// natural is a row of the table.
func (h *halves) natural(c int, s blocks.Seeds, y, rows int) []byte {
	return h.futures[h.layers[s.Total()].ranks.Rank(c, s, [2]int{0, y}):][:rows]
}

// note finds which blocks of a layer have positions without a future.
func (h *halves) note(l *halfLayer) {
	for c := range h.Stored() {
		for first := range l.seeds + 1 {
			s := blocks.Seeds{first, l.seeds - first}
			rows, columns := h.Shape(s)
			for y := range columns {
				if bytes.IndexByte(h.natural(c, s, y, rows), mark(noFuture)) >= 0 {
					l.unknown[h.At(c, s)] = true
					break
				}
			}
		}
	}
}

// room makes room for the turned copy of a layer.
func (h *halves) room(l *halfLayer) {
	all := h.Table.layer(l.seeds)
	size := all.size * all.controls
	l.memory = huge.New(int((size + 7) / 8))
	left := l.memory.Bytes()[:size]
	for range h.Stored() {
		for first := range l.seeds + 1 {
			rows, columns := h.Shape(blocks.Seeds{first, l.seeds - first})
			l.blocks, left = append(l.blocks, left[:rows*columns]), left[rows*columns:]
		}
	}
	l.turned.Store(true)
}

// drop gives the memory of the turned copy of a layer back. It is made again when it is needed.
func (l *halfLayer) drop() {
	l.memory.Free()
	l.memory, l.blocks = nil, nil
	l.turned.Store(false)
}

// turn makes the turned copy of a layer that is in the table, unless another worker has done so.
func (h *halves) turn(l *halfLayer) {
	l.turning.Lock()
	defer l.turning.Unlock()
	if l.turned.Load() {
		return
	}
	c := &halfLayer{seeds: l.seeds}
	h.room(c)
	for at, block := range c.blocks {
		s := blocks.Seeds{at % (l.seeds + 1), l.seeds - at%(l.seeds+1)}
		rows, columns := h.Shape(s)
		for y := range columns {
			for i, v := range h.natural(at/(l.seeds+1), s, y, rows) {
				block[i*columns+y] = v
			}
		}
	}
	l.memory, l.blocks = c.memory, c.blocks
	l.turned.Store(true)
}
