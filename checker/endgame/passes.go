package endgame

import (
	"context"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/endgame/blocks"
)

// In a layer the best of the moves to other layers is found first for each position, and kept.
// Moves within the layer are noted: parts of a row, each with the row that it leads to. If these
// allow it, they are followed in order (blocks.Pass.Follow). Where they lead anywhere, futures are
// found by passes over all rows: the values of all positions are 0, and those of a row are replaced
// by the best of all moves, until nothing changes. Rows are left out of a pass if nothing has
// changed in those that their moves lead to.
//
// Values are those for the player to move. A play that stays in the layer wins nothing more, so it
// is worth 0 if it never ends.
//
// What comes out is the future, for the following reason. Let t > 0. A position gets a value of t
// or more when a move is worth as much, or leads to a position with a value of -t or less; and one
// of -t or less when that is true of all its moves. So, first, a value that is not 0 is never taken
// back, but only goes further from 0, and there is an end. Second, whoever has t or more reaches
// that, as each position on the way had its value before the last one. Third, let nothing change
// any more, and a position have a value less than t. All its moves out of the layer are worth less
// than t, and those within lead to positions with values greater than -t, where the other player
// has a move that is worth more than -t, or one to a position of less than t again. So the other
// player can keep play in the layer, where it is worth 0, or leave it with less than t for this
// one. The values do not depend on the order in which rows are taken.
//
// Positions without a future, and those from which play may go on for ever, are found in the same
// way before, with 0 and 1 in the place of values.

// passes is the work on a layer.
type passes struct {
	*halves
	blocks.Pass
	layer *layer
	out   *Layer
}

// layer evaluates a layer. The error is blocks.ErrNotByRows if another way has to do it, or a
// *CycleError if futures depend on endless play.
func (h *halves) layer(l *layer, out *Layer) error {
	for n := len(h.layers); n <= l.seeds; n++ {
		h.layers = append(h.layers, h.newLayer(n))
	}
	p := &passes{halves: h, layer: l, out: out}
	p.Matrices = &blocks.Matrices{Division: h.Division, Layout: h.Whole(l.seeds)}
	p.Each = func(n int, f func(buffer *[]byte, i int) error) error {
		return share(h.ctx, h.workers, n, func(_ context.Context, w *halfWorker, i int) error { return f(&w.line, i) })
	}
	for _, part := range p.Layout.Parts {
		w := &blocks.Working{Part: part, Kept: true, Base: make([]int8, part.Cells())}
		p.Pass.Parts, p.Sources = append(p.Pass.Parts, w), append(p.Sources, w)
	}
	if err := p.begin(); err != nil {
		return err
	}
	if p.Ordered() {
		return p.inOrder()
	}
	for _, w := range p.Pass.Parts {
		w.Values, w.ByRow = make([]byte, w.Cells()), make([]byte, w.Cells())
	}
	if slices.ContainsFunc(p.Pass.Parts, func(w *blocks.Working) bool { return w.Unknown }) {
		if err := p.run(blocks.Unknowns); err != nil {
			return err
		}
		for _, w := range p.Pass.Parts {
			w.Spread(w.Values)
		}
	}
	if !p.positions.Descends() {
		if err := p.endless(); err != nil {
			return err
		}
	}
	if err := p.run(blocks.Futures); err != nil {
		return err
	}
	return p.store()
}

// inOrder evaluates the blocks in order.
func (p *passes) inOrder() error {
	first, seeds := 0, p.layer.seeds
	if p.Swapped {
		first = (seeds + 1) / 2
	}
	err := p.Each(seeds+1-first, func(_ *[]byte, i int) error {
		return p.Follow(p.ctx, blocks.Seeds{first + i, seeds - first - i})
	})
	if err == nil {
		err = p.store()
	}
	if err == nil {
		p.out.Sweeps++
		p.observe(*p.out, 0, "")
	}
	return err
}

// endless counts the positions from which play may go on for ever.
func (p *passes) endless() error {
	if err := p.run(blocks.Endless); err != nil {
		return err
	}
	marked := uint64(0)
	for _, w := range p.Pass.Parts {
		marked += w.Marked()
	}
	if p.out.Cyclic = marked * p.layer.images; marked == 0 || p.positions.EndlessWinsNothing() {
		return nil
	}
	least := ^uint64(0)
	for _, w := range p.Pass.Parts {
		least = min(least, p.layers[p.layer.seeds].Least(&w.Part, w.Values))
	}
	return Refusal(p.positions, p.payoff, p.layer.seeds, least)
}

// store writes the futures to the table.
func (p *passes) store() error {
	return p.Each(len(p.Pass.Parts), func(_ *[]byte, i int) error {
		w := p.Pass.Parts[i]
		return p.layers[p.layer.seeds].Put(&w.Part, w.Values, func(rank uint64, values []byte) error {
			copy(p.futures[rank:], values)
			return nil
		})
	})
}

// begin finds what the moves to other layers are worth, and the links.
func (p *passes) begin() error {
	for _, w := range p.workers {
		w.links, w.all, w.linker = 0, 0, blocks.Linker{Ended: w.ended}
	}
	return share(p.ctx, p.workers, len(p.Pass.Parts), func(ctx context.Context, by *halfWorker, i int) error {
		w, k := p.Pass.Parts[i], &by.linker
		by.rows.Within(ctx, p.halves)
		k.Links, k.Ends, k.Unknown = k.Links[:0], nil, false
		err := by.rows.Rows(&w.Part, 0, w.Base, k)
		by.links += int64(len(k.Links))
		w.Links, w.Ends, w.Unknown = slices.Clone(k.Links), k.Ends, k.Unknown
		return err
	})
}

// tooMany is a number of single positions up to which there may be as many links of these as there
// are positions. In small layers there are.
const tooMany = 10_000

// ended ends a row.
func (w *halfWorker) ended(row []int8) error {
	w.all += int64(len(row))
	links := blocks.LinkBytes * (w.links + int64(len(w.linker.Links)))
	if w.planBytes()+links > w.memory || w.linker.Singles > tooMany && w.linker.Singles > w.all {
		return blocks.ErrNotByRows
	}
	return nil
}

// run makes passes for a purpose until nothing changes.
func (p *passes) run(what blocks.Purpose) error {
	p.Start(what, true)
	for {
		left, err := p.Once()
		if left == 0 || err != nil {
			return err
		}
		work := ""
		if p.out.Sweeps++; p.out.Sweeps > 1 {
			work = fmt.Sprintf("pass %d", p.out.Sweeps)
		}
		p.observe(*p.out, left, work)
	}
}
