package shards

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/lists"
)

// Keep implements phase.Keeper.
func (w *Work) Keep(_ context.Context, p *phase.Phase) (map[string]bool, error) {
	return phase.Hashes(w.Blocks(p)), nil
}

// Blocks returns the blocks that the table is made from. In a phase before the last, these are the
// blocks made so far.
func (w *Work) Blocks(p *phase.Phase) []phase.Block {
	s := read(p)
	list := lists.Flat(s.Layers, func(l layer) []phase.Block { return l.Parts })
	if s.Now != nil {
		for _, k := range s.Now.Parts {
			list = append(list, k.Base, k.Marks, k.Values)
		}
	}
	return there(list)
}

// Table writes the table to a file, which it replaces. last is the last phase. If the error is a
// *depot.DamagedError, the block has to be made again.
func (w *Work) Table(ctx context.Context, d depot.Depot, last *phase.Phase, path string) error {
	var s state
	if err := json.Unmarshal(last.State, &s); err != nil {
		return err
	}
	if !last.Last() || len(s.Layers) != w.Positions().Seeds()+1 {
		return errors.New("the table is not finished")
	}
	layer := func(n int, put func(rank uint64, futures []byte) error) (cyclic uint64, err error) {
		return s.Layers[n].Cyclic, w.layer(ctx, d, &s.Layers[n], w.layout(n), put)
	}
	return endgame.Assemble(path, w.sys, w.Positions(), w.payoff, layer)
}

// layer writes the futures of a layer.
func (w *Work) layer(ctx context.Context, d depot.Depot, l *layer, to *layout, put func(uint64, []byte) error) error {
	ranks := w.division.Ranks(to.Seeds)
	for i, b := range l.Parts {
		p := &to.Parts[i]
		values := make([]byte, p.Cells())
		if b.Hash != "" {
			var err error
			if values, err = b.Read(ctx, d); err != nil {
				return err
			}
		}
		if err := ranks.Put(p, values[:p.Cells()], put); err != nil {
			return err
		}
	}
	return ctx.Err()
}
