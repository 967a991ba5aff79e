package endgame

import (
	"context"
	"math/bits"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/mancheck/mancheck/checker/endgame/blocks"
)

// A layer is evaluated in order, one block after another, if its moves lead to blocks before, to
// other layers or within the block. Those within the block must change nothing but the half that
// was sown from, and give it a lower number. They are only noted at first. When all else is known
// they are followed, in the order of the numbers of both halves.

// move is an action that leads from a row to the blocks in hand.
type move struct {
	control int
	known   uint32   // content of the half that was sown from
	negated bool     // the other player is to move then
	mask    []uint64 // of the contents of the other half, which stay; nil: all
}

// inOrder evaluates a layer. The error is errNoOrder if its moves lead elsewhere.
func (h *halves) inOrder(l *layer) error {
	first := 0
	if h.Swapped {
		first = (l.seeds + 1) / 2
	}
	done := make([]atomic.Bool, l.seeds+1)
	return share(h.ctx, h.workers, l.seeds+1-first, func(ctx context.Context, w *halfWorker, i int) error {
		w.within(ctx)
		w.done = done
		return w.blocks(blocks.Seeds{first + i, l.seeds - first - i})
	})
}

// blocks evaluates the blocks with so many seeds in each half, and their images.
func (w *halfWorker) blocks(s blocks.Seeds) error {
	rows, columns := w.Shape(s)
	for c := range w.values {
		w.values[c] = slices.Grow(w.values[c][:0], rows*columns)[:rows*columns]
		if err := w.block(c, s); err != nil {
			return err
		}
	}
	if err := w.follow(rows, columns); err != nil {
		return err
	}
	for c, values := range w.values {
		w.put(c, s, values)
	}
	w.done[s[0]].Store(true)
	return nil
}

// turned returns a matrix with rows and columns exchanged, until it is called again.
func (w *halfWorker) turned(values []int8, rows, columns int) []int8 {
	w.spare = slices.Grow(w.spare[:0], len(values))[:len(values)]
	blocks.Transpose(values, rows, columns, func(y int) []int8 { return w.spare[y*rows:][:rows] })
	return w.spare
}

// block finds what the moves of a block to other blocks are worth, for the player to move, and
// notes the others. If its image is kept, that is evaluated.
func (w *halfWorker) block(c int, s blocks.Seeds) error {
	half := w.Controls[c].Half
	own := w.Territories[half].Size(s[half])
	w.noted = slices.Grow(w.moves[c][:0], own)[:own]
	w.moves[c] = w.noted
	for x := range w.noted {
		w.noted[x] = w.noted[x][:0]
	}
	kept, at, _, image := w.Kept(c, s, half)
	w.image = image
	if err := w.rows.Rows(kept, at, 0, own, w.values[c], w); err != nil {
		return err
	}
	if half == 1 {
		copy(w.values[c], w.turned(w.values[c], own, len(w.values[c])/own))
	}
	return nil
}

// Part notes a move within the block, and waits until a block before is done.
func (w *halfWorker) Part(r *blocks.Row, to *blocks.Target) (known bool, err error) {
	switch s := to.Seeds; {
	case s == r.Seeds:
		if !to.Same || to.Known >= r.Number {
			return false, errNoOrder
		}
		negated := w.Controls[to.Control].Maximizing != w.Controls[r.Control].Maximizing
		m := move{to.Control, to.Known, negated, to.Mask}
		if w.image {
			m.control ^= 1
		}
		w.noted[r.Number] = append(w.noted[r.Number], m)
		return false, nil
	case w.Swapped || s[0] > r.Seeds[0]:
		return false, errNoOrder
	default:
		for !w.done[s[0]].Load() { // another worker has it
			if err := w.ctx.Err(); err != nil {
				return false, err
			}
			runtime.Gosched()
		}
	}
	return true, nil
}

// Single is for a single position of the layer.
func (w *halfWorker) Single(*blocks.Row, int, *blocks.Target) error { return errNoOrder }

// End is for the end of a row.
func (w *halfWorker) End(*blocks.Row) error { return nil }

// follow follows the moves within the blocks in hand. Each leads to a lower number of one half, and
// leaves that of the other one.
func (w *halfWorker) follow(rows, columns int) error {
	at := make([][]int8, len(w.Controls)) // the rows in hand
	for x := range rows {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		for c := range w.Controls {
			at[c] = w.values[c][x*columns:][:columns]
		}
		for c := range w.Controls {
			if w.Controls[c].Half == 0 {
				w.followRow(c, x, at[c])
			}
		}
		for y := range columns {
			for c := range w.Controls {
				if w.Controls[c].Half == 1 {
					w.followOne(c, x, y, at)
				}
			}
		}
	}
	return nil
}

// followRow follows moves of a player who sows from the first half, and makes the row final.
func (w *halfWorker) followRow(c, x int, best []int8) {
	n := len(best)
	for i := range w.moves[c][x] {
		m := &w.moves[c][x][i]
		from := w.values[m.control][int(m.known)*n:][:n]
		if m.mask == nil {
			for y, v := range from {
				best[y] = max(best[y], after(v, m.negated))
			}
			continue
		}
		for i, set := range m.mask {
			for ; set != 0; set &= set - 1 {
				y := i<<6 + bits.TrailingZeros64(set)
				best[y] = max(best[y], after(from[y], m.negated))
			}
		}
	}
	for y, b := range best {
		best[y] = final(b)
	}
}

// followOne follows moves of a position of a player who sows from the second half.
func (w *halfWorker) followOne(c, x, y int, at [][]int8) {
	best, list := at[c][y], w.moves[c][y]
	for i := range list {
		m := &list[i]
		if m.mask == nil || m.mask[x>>6]>>(x&63)&1 != 0 {
			best = max(best, after(at[m.control][m.known], m.negated))
		}
	}
	at[c][y] = final(best)
}

// after is what a position is worth to the player who moved to it.
func after(v int8, negated bool) int8 {
	if negated && v != blocks.NoValue {
		return -v
	}
	return v
}

// final is the value of a position all of whose moves are known.
func final(best int8) int8 {
	if best == blocks.NoMove {
		return blocks.NoValue
	}
	return best
}
