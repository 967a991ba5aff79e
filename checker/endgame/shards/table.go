package shards

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/checker/endgame/blocks"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/internal/depot"
)

// Keep implements phase.Keeper.
func (w *Work) Keep(_ context.Context, p *phase.Phase) (map[string]bool, error) {
	list, err := live(p)
	keep := map[string]bool{}
	for _, b := range list {
		keep[b.Hash] = true
	}
	return keep, err
}

// Blocks returns the blocks that the table is made from. In a phase before the last, these are the
// blocks made so far.
func (w *Work) Blocks(p *phase.Phase) ([]phase.Block, error) { return live(p) }

// live lists the blocks in the state of a phase.
func live(p *phase.Phase) ([]phase.Block, error) {
	s, err := read(p)
	if err != nil {
		return nil, err
	}
	var list []phase.Block
	for _, l := range s.Layers {
		list = append(list, l.Parts...)
	}
	if s.Now != nil {
		for _, k := range s.Now.Parts {
			list = append(list, k.Base, k.Marks, k.Values)
		}
	}
	return there(list), nil
}

// Table writes the table to a file, which it replaces. last is the last phase. If the error is a
// *depot.DamagedError, the block has to be made again.
func (w *Work) Table(ctx context.Context, d depot.Depot, last *phase.Phase, path string) error {
	s, err := read(last)
	if err != nil {
		return err
	}
	if !last.Last() || len(s.Layers) != w.positions.Seeds()+1 {
		return errors.New("the table is not finished")
	}
	layer := func(n int, put func(rank uint64, futures []byte) error) (cyclic uint64, err error) {
		return s.Layers[n].Cyclic, w.layer(ctx, d, &s.Layers[n], w.layout(n), put)
	}
	return endgame.Assemble(path, w.sys, w.positions, w.payoff, layer)
}

// layer writes the futures of a layer.
func (w *Work) layer(ctx context.Context, d depot.Depot, l *layer, to *layout, put func(uint64, []byte) error) error {
	starts := w.division.Starts(to.seeds)
	for i, b := range l.Parts {
		p := &to.parts[i]
		values := make([]byte, p.cells())
		if b.Hash != "" {
			var err error
			if values, err = depot.Read(ctx, d, b.Hash, b.Size); err != nil {
				return err
			}
		}
		c, s := w.division.Block(to.seeds, p.block)
		half := w.division.Controls[c].Half
		if half == 1 {
			values = turned(values, p.columns, p.rows())
		}
		// Now the positions with the same content of the second half are consecutive.
		first, second, n := p.first, 0, p.rows()
		if half == 1 {
			first, second, n = 0, p.first, p.columns
		}
		for i := range int(p.cells()) / n {
			if err := put(rankOf(w, starts, c, s, [2]int{first, second + i}), values[i*n:][:n]); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// turned returns the transpose of a matrix with the given number of lines.
func turned(values []byte, lines, n int) []byte {
	to := make([]byte, lines*n)
	for i := range lines {
		for j, v := range values[i*n:][:n] {
			to[j*lines+i] = v
		}
	}
	return to
}

// rankOf returns the rank of the position with the given contents.
func rankOf(w *Work, starts [][]uint64, c int, s blocks.Seeds, contents [2]int) uint64 {
	return uint64(c)*w.positions.Ranker.Boards() + starts[s[0]][contents[1]] + uint64(contents[0])
}
