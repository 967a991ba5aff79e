package endgame

import (
	"bytes"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/mancheck/mancheck/checker/plan"
	"github.com/mancheck/mancheck/internal/huge"
)

// Where each player sows from one half of the pits, many positions are evaluated at once. The
// positions of a layer with as many seeds in each half, and one control, are a block: a matrix with
// a row for each content of the half that the player to move sows from, and a column for each
// content of the other one. By a plan (package plan) an action takes a row to parts of other rows,
// each at once: no state is packed, ranked or looked up.
//
// For that, futures are needed as rows of either half. The table has those of one content of the
// second half one after another, by the contents of the first; a turned copy has them the other way
// round.
//
// If there is a swap, a block with the second player to move is the image of one with the first.

// Reasons why a layer is not evaluated in a way.
var (
	errBySteps = errors.New("not evaluated by rows")
	errNoOrder = errors.New("not evaluated in order")
)

// halves is the work by rows on a table.
type halves struct {
	*Table
	controls []control // with a swap, that of the image is the second one
	mask     plan.Key  // of controls
	swap     bool
	even     [2]bool // by half: in the end all of its seeds are worth the same
	layers   []*halfLayer
	workers  []*halfWorker
	noOrder  bool // a layer could not be evaluated in order
}

// control is what two positions of a block have in common besides the seeds.
type control struct {
	key        plan.Key
	half       int // that the player to move sows from
	maximizing bool
	actions    []int32
	lasts      []bool // by action: it is legal only if no other one is
}

// halfLayer has the futures of a layer turned: by control, seeds in the first half, content of the
// first half and content of the second one.
type halfLayer struct {
	seeds   int
	turned  atomic.Bool // memory and blocks are there
	turning sync.Mutex
	memory  *huge.Words
	blocks  [][]byte   // by control and seeds in the first half
	starts  [][]uint64 // by seeds in the first half and content of the second one: the rank of the first
	unknown []bool     // by control and seeds: some positions have no future
}

// seeds are those of each half.
type seeds [2]int

func (s seeds) total() int  { return s[0] + s[1] }
func (s seeds) swap() seeds { return seeds{s[1], s[0]} }

// free gives the memory back.
func (h *halves) free() {
	for _, l := range h.layers {
		if l.turned.Load() {
			l.drop()
		}
	}
	h.layers = nil
}

// stored is the number of controls that have entries.
func (h *halves) stored() int {
	if h.swap {
		return 1
	}
	return len(h.controls)
}

// newLayer returns a layer with so many seeds.
func (h *halves) newLayer(n int) *halfLayer {
	t := h.workers[0].planner.Territories
	f := &halfLayer{seeds: n, unknown: make([]bool, h.stored()*(n+1))}
	words := h.positions.Words()
	var keys []uint64
	for s := range n + 1 {
		own := t[0].With(s)[0]
		keys = keys[:0]
		for _, k := range t[1].With(n - s) {
			k.Or(own)
			k.Or(h.controls[0].key)
			keys = append(keys, k[:words]...)
		}
		f.starts = append(f.starts, h.workers[0].positions.Ranks(keys, nil))
	}
	return f
}

// at is the number of a block with entries.
func (h *halves) at(c int, s seeds) int { return c*(s.total()+1) + s[0] }

// entries returns where the entries for a block are: in the block itself or, negated, in that of
// its image, which has the other half in the place of one.
func (h *halves) entries(c int, s seeds, half int) (_ int, _ seeds, _ int, negated bool) {
	if h.swap && c == 1 {
		return 0, s.swap(), 1 - half, true
	}
	return c, s, half, false
}

// row returns the futures of the positions of a block that have a content in one half, by the
// contents of the other half, which varies. negated says that they have to be negated.
func (h *halves) row(c int, s seeds, vary int, known uint32) (row []byte, negated, unknown bool) {
	c, s, vary, negated = h.entries(c, s, vary)
	l := h.layers[s.total()]
	t := h.workers[0].planner.Territories
	at := h.at(c, s)
	if vary == 0 {
		return h.natural(c, s, int(known), t[0].Size(s[0])), negated, l.unknown[at]
	}
	if !l.turned.Load() {
		h.turn(l)
	}
	n := t[1].Size(s[1])
	return l.blocks[at][int(known)*n:][:n], negated, l.unknown[at]
}

// put stores the values of a block, given by contents of the first half.
func (h *halves) put(c int, s seeds, values []int8) {
	l, at := h.layers[s.total()], h.at(c, s)
	block := l.blocks[at][:len(values)]
	sign := int8(1)
	if !h.controls[c].maximizing {
		sign = -1
	}
	for i, v := range values {
		if block[i] = byte(sign * v); v == noValue {
			block[i], l.unknown[at] = mark(noFuture), true
		}
	}
	rows, columns := h.shape(s)
	transposeInto(block, rows, columns, func(y int) []byte { return h.natural(c, s, y, rows) })
}

// shape is how many contents each half of a block has.
func (h *halves) shape(s seeds) (first, second int) {
	t := h.workers[0].planner.Territories
	return t[0].Size(s[0]), t[1].Size(s[1])
}

// natural is a row of the table.
func (h *halves) natural(c int, s seeds, y, rows int) []byte {
	start := uint64(c)*h.positions.Ranker.Boards() + h.layers[s.total()].starts[s[0]][y]
	return h.futures[start:][:rows]
}

// note finds which blocks of a layer have positions without a future.
func (h *halves) note(l *halfLayer) {
	for c := range h.stored() {
		for first := range l.seeds + 1 {
			s := seeds{first, l.seeds - first}
			rows, columns := h.shape(s)
			for y := range columns {
				if bytes.IndexByte(h.natural(c, s, y, rows), mark(noFuture)) >= 0 {
					l.unknown[h.at(c, s)] = true
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
	for range h.stored() {
		for first := range l.seeds + 1 {
			rows, columns := h.shape(seeds{first, l.seeds - first})
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
		s := seeds{at % (l.seeds + 1), l.seeds - at%(l.seeds+1)}
		rows, columns := h.shape(s)
		for y := range columns {
			for i, v := range h.natural(at/(l.seeds+1), s, y, rows) {
				block[i*columns+y] = v
			}
		}
	}
	l.memory, l.blocks = c.memory, c.blocks
	l.turned.Store(true)
}

// tile is the side of the squares by which matrices are turned.
const tile = 32

// transposeInto writes the columns of a matrix of so many rows and columns.
func transposeInto[E int8 | byte](from []E, rows, columns int, column func(y int) []E) {
	for y0 := 0; y0 < columns; y0 += tile {
		y1 := min(y0+tile, columns)
		for x0 := 0; x0 < rows; x0 += tile {
			x1 := min(x0+tile, rows)
			for y := y0; y < y1; y++ {
				to := column(y)[x0:x1]
				at := x0*columns + y
				for i := range to {
					to[i] = from[at]
					at += columns
				}
			}
		}
	}
}
