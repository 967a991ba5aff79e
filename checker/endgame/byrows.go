package endgame

import (
	"context"
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/plan"
	"github.com/mancheck/mancheck/checker/value"
)

// layer evaluates a layer. The error is errBySteps if another way has to do it.
func (h *halves) layer(ctx context.Context, l *layer, out *Layer, observe func(left uint64)) error {
	for n := len(h.layers); n <= l.seeds; n++ {
		f := h.newLayer(n)
		h.layers = append(h.layers, f)
		if n < l.seeds { // it is in the table
			h.note(f)
		} else {
			h.room(f)
		}
	}
	if !h.noOrder {
		err := h.inOrder(ctx, l)
		if err == nil {
			out.Sweeps++
			observe(0)
		}
		if !errors.Is(err, errNoOrder) {
			return err
		}
		h.noOrder = true
	}
	return h.byPasses(ctx, l, out, observe)
}

// newHalves returns nil if the table is not made by rows.
func (b *builder) newHalves() *halves {
	pits := b.positions.Pits()
	half := len(pits) / 2
	h := &halves{Table: b.Table, swap: b.positions.Swap() != nil}
	l := b.Table.layer(0)
	both := [2][]int{pits[:half], slices.Clone(pits[half:])}
	sown, side := plan.Divide(b.sys)
	if len(side) != 2 || side[0] == side[1] || h.swap && (l.controls > 1 || !exchangesHalves(b.positions, both)) {
		return nil
	}
	first := 0
	switch {
	case sameSet(sown[0], both[0]) && sameSet(sown[1], both[1]):
	case sameSet(sown[0], both[1]) && sameSet(sown[1], both[0]):
		first = 1
	default:
		return nil
	}
	copy(h.mask[:], b.positions.ControlMask())
	all := l.controls * l.images
	for c := range all {
		var k plan.Key
		if b.positions.Words() > len(k) {
			return nil
		}
		key := k[:b.positions.Words()]
		b.positions.Unrank(c*l.boards, key)
		mover := b.positions.Mover(key)
		h.controls = append(h.controls, control{key: k, half: side[mover] ^ first, maximizing: b.positions.Maximizes(key)})
	}
	for i, list := range both {
		h.even[i] = true
		for _, p := range list {
			h.even[i] = h.even[i] && b.positions.Weight(p) == b.positions.Weight(list[0])
		}
	}
	var t [2]*plan.Territory
	for i := range t {
		var ok bool
		if t[i], ok = plan.NewTerritory(b.positions.Codec(), both[i], h.Seeds()); !ok || t[i].With(h.Seeds()) == nil {
			return nil
		}
	}
	free := b.memory - 3*int64(b.positions.Entries())
	plans := plan.NewCache(b.positions.Words(), h.Seeds(), t, plan.Key{}, nil)
	for range b.opts.Workers() {
		h.workers = append(h.workers, h.newWorker(b.ctx, plans, free/int64(b.opts.Workers())))
	}
	for i := range h.controls {
		c := &h.controls[i]
		list, ok := h.workers[0].stepper.Menu(c.key[:b.positions.Words()])
		if !ok {
			return nil
		}
		c.actions = list
		c.lasts = plan.LastResorts(b.sys, list)
	}
	return h
}

func sameSet(a, b []int) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}

// exchangesHalves reports whether the swap exchanges the halves of the pits. The second one gets
// the order of the first: the numbers of contents are the same then.
func exchangesHalves(p *value.Positions, both [2][]int) bool {
	if len(both[0]) != len(both[1]) {
		return false
	}
	images := make([]int, len(both[0]))
	for i, pit := range both[0] {
		images[i] = p.Swap().Pits[pit]
	}
	if !sameSet(images, both[1]) {
		return false
	}
	copy(both[1], images)
	return true
}
