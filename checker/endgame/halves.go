package endgame

import (
	"bytes"
	"sync"

	"github.com/mancheck/mancheck/checker/endgame/blocks"
	"github.com/mancheck/mancheck/internal/huge"
)

// Where each player sows from one half of the pits, many positions are evaluated at once (package
// blocks). For that, futures are needed as rows of either half. The table has those of one content
// of the second half one after another, by the contents of the first; a turned copy has them the
// other way round.

// halves is the work by rows on a table.
type halves struct {
	*builder
	*blocks.Division
	layers  []*halfLayer
	workers []*halfWorker
}

// halfWorker evaluates rows. A goroutine needs its own.
type halfWorker struct {
	*halves
	rows   *blocks.Worker
	memory int64  // for plans and links
	line   []byte // a buffer of passes
	linker blocks.Linker
	links  int64 // so far in the layer, of other blocks
	all    int64 // positions so far in the layer
}

// newHalves returns nil if the table is not made by rows.
func (b *builder) newHalves() *halves {
	d, err := blocks.Divide(b.ctx, b.sys, b.positions)
	if err != nil {
		return nil
	}
	h := &halves{builder: b, Division: d}
	memory := (b.memory - 3*b.Bytes()) / int64(b.opts.Workers())
	for range b.opts.Workers() {
		w := &halfWorker{halves: h, memory: memory}
		w.rows = d.Worker(b.ctx, h, func() error {
			if w.planBytes() > memory {
				return blocks.ErrNotByRows
			}
			return nil
		})
		h.workers = append(h.workers, w)
	}
	return h
}

// planBytes is the memory of the worker's plans, and its share of what workers have together.
func (w *halfWorker) planBytes() int64 {
	return w.rows.OwnBytes() + w.PlanBytes()/int64(len(w.workers))
}

// halfLayer is the blocks of a layer.
type halfLayer struct {
	*blocks.Ranks
	memory *huge.Words // of the turned copies
	blocks []halfBlock // by control and seeds in the first half
}

// halfBlock is what is found out about a block when it is first needed, and is in the table.
type halfBlock struct {
	note    sync.Once
	unknown bool // some positions have no future
	turn    sync.Once
	turned  []byte // by content of the first half and of the second one
}

// newLayer returns a layer of whose blocks nothing is known.
func (h *halves) newLayer(n int) *halfLayer {
	all := h.Table.layer(n)
	size := all.size * all.controls
	l := &halfLayer{Ranks: h.Ranks(n), memory: huge.New(int((size + 7) / 8)), blocks: make([]halfBlock, h.Blocks(n))}
	left := l.memory.Bytes()
	for at := range l.blocks {
		_, s := h.Block(n, at)
		rows, columns := h.Shape(s)
		l.blocks[at].turned, left = left[:rows*columns], left[rows*columns:]
	}
	return l
}

// free gives the memory back.
func (h *halves) free() {
	for _, l := range h.layers {
		l.memory.Free()
	}
}

// Line implements blocks.Lower.
func (h *halves) Line(c int, s blocks.Seeds, vary int, known uint32) (line []byte, unknown bool, err error) {
	b := &h.layers[s.Total()].blocks[h.At(c, s)]
	rows, columns := h.Shape(s)
	b.note.Do(func() {
		for y := 0; y < columns && !b.unknown; y++ {
			b.unknown = bytes.IndexByte(h.natural(c, s, y, rows), mark(noFuture)) >= 0
		}
	})
	if vary == 0 {
		return h.natural(c, s, int(known), rows), b.unknown, nil
	}
	b.turn.Do(func() {
		for y := range columns {
			for i, v := range h.natural(c, s, y, rows) {
				b.turned[i*columns+y] = v
			}
		}
	})
	return b.turned[int(known)*columns:][:columns], b.unknown, nil
}

// natural is a row of the table.
func (h *halves) natural(c int, s blocks.Seeds, y, rows int) []byte {
	return h.futures[h.layers[s.Total()].Rank(c, s, [2]int{0, y}):][:rows]
}
