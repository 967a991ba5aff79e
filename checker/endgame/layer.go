package endgame

import (
	"runtime"
	"sync/atomic"

	"github.com/mancheck/mancheck/checker/value"
)

// Marks of positions without a future so far.
const (
	pending  = -127           // none yet
	noFuture = value.NoFuture // there is none
)

// mark is a mark as a byte of the table.
func mark(m int8) byte { return byte(m) }

// layer is the entries of the positions with equally many seeds. For each control (player to move
// and variables) it has consecutive ranks.
//
// It is divided into units. A unit is some boards, for all controls, and one worker at a time
// evaluates it. In many games all moves within a layer lead to boards of lower numbers. So boards
// are taken in this order.
type layer struct {
	*Table
	seeds    int
	boards   uint64 // in the table, for each control
	first    uint64 // number of the first board
	size     uint64 // boards in the layer
	controls uint64
	images   uint64        // positions that an entry is for
	passed   []atomic.Bool // by unit: it is not changed any more in this sweep
}

// unitBits is the logarithm of the number of boards of a unit.
const unitBits = 12

func (t *Table) layer(seeds int) *layer {
	r := t.positions.Ranker
	l := &layer{Table: t, seeds: seeds, boards: r.Boards(), first: r.BoardsBelow(seeds)}
	l.size = r.BoardsBelow(seeds+1) - l.first
	l.controls = t.positions.Entries() / l.boards
	l.images = r.Live() / t.positions.Entries()
	return l
}

// describe returns what is known of the layer before it is evaluated.
func (l *layer) describe() Layer {
	return Layer{Seeds: l.seeds, Positions: l.size * l.controls * l.images}
}

// eachRange calls f with the ranks of the layer, for each control.
func (l *layer) eachRange(f func(first, end uint64)) {
	for c := range l.controls {
		start := c*l.boards + l.first
		f(start, start+l.size)
	}
}

// whole is a layer with the ranks of all positions, not only of entries. Its futures are not those
// by rank.
func (t *Table) whole(seeds int) *layer {
	l := t.layer(seeds)
	l.controls *= l.images
	return l
}

// units is the number of units.
func (l *layer) units() int { return int((l.size + 1<<unitBits - 1) >> unitBits) }

// board returns the number of a position's board in the table.
func (l *layer) board(rank uint64) uint64 {
	if rank < l.boards {
		return rank
	}
	if rank -= l.boards; rank < l.boards {
		return rank
	}
	return rank % l.boards
}

// unit returns the unit of a position of the layer.
func (l *layer) unit(rank uint64) int { return int((l.board(rank) - l.first) >> unitBits) }

// number numbers the positions of the layer, and rank is the inverse.
func (l *layer) number(rank uint64) uint64 {
	if rank < l.boards {
		return rank - l.first
	}
	return rank/l.boards*l.size + rank%l.boards - l.first
}

func (l *layer) rank(number uint64) uint64 {
	if number < l.size {
		return l.first + number
	}
	return number/l.size*l.boards + l.first + number%l.size
}

// wait waits until a unit that is taken before another has been passed.
func (l *layer) wait(unit int) {
	for !l.passed[unit].Load() {
		runtime.Gosched()
	}
}

// each calls f with the ranks of the positions of a unit; the key is in w.keys.
func (w *worker) each(l *layer, unit int, f func(rank uint64, key []uint64) error) error {
	board := l.first + uint64(unit)<<unitBits
	end := min(board+1<<unitBits, l.first+l.size)
	words := w.positions.Words()
	w.place(l, board)
	for ; board < end; board++ {
		for c := range l.controls {
			key := w.keys[int(c)*words:][:words]
			if err := f(c*l.boards+board, key); err != nil {
				return err
			}
			w.positions.Ranker.NextBoard(key)
		}
	}
	return nil
}

// place writes the keys of a board to w.keys, for the controls of both players.
func (w *worker) place(l *layer, board uint64) {
	words := w.positions.Words()
	for c := range len(w.keys) / words {
		w.positions.Unrank(uint64(c)*l.boards+board, w.keys[c*words:][:words])
	}
}
