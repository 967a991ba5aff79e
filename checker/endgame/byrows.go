package endgame

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/checker/endgame/blocks"
)

// layer evaluates a layer. The error is blocks.ErrNotByRows if another way has to do it.
func (h *halves) layer(ctx context.Context, l *layer, out *Layer, observe func(left uint64)) error {
	for n := len(h.layers); n <= l.seeds; n++ {
		f := h.newLayer(n)
		if h.layers = append(h.layers, f); n < l.seeds { // it is in the table
			h.note(f)
		}
	}
	if f := h.layers[l.seeds]; !h.noOrder {
		h.room(f)
		err := h.inOrder(ctx, l)
		if err == nil {
			out.Sweeps++
			observe(0)
		}
		if !errors.Is(err, errNoOrder) {
			return err
		}
		f.drop()
		h.noOrder = true
	}
	return h.byPasses(ctx, l, out, observe)
}

// newHalves returns nil if the table is not made by rows.
func (b *builder) newHalves() *halves {
	d, err := blocks.Divide(b.ctx, b.sys, b.positions)
	if err != nil {
		return nil
	}
	h := &halves{Table: b.Table, Division: d}
	free := b.memory - 3*int64(b.positions.Entries())
	for range b.opts.Workers() {
		h.workers = append(h.workers, h.newWorker(b.ctx, free/int64(b.opts.Workers())))
	}
	return h
}
