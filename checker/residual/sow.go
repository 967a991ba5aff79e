package residual

import "github.com/mancheck/mancheck/rules"

// mostSeeds bounds the seeds of a sowing that is played seed by seed while its program is made.
const mostSeeds = 1 << 12

// sow branches on everything that the sowing depends on, in the order in which it is evaluated.
// When all of it is known, the sowing is an addition.
func (b *changer) sow(s rules.Sow) bool {
	h := hand{sow: &s}
	var ok bool
	if h.source, ok = b.pick(s.Source); !ok {
		return true
	}
	if h.source == rules.None {
		return b.finish(bail)
	}
	b.from = h.source
	inPlay := b.sowsInPlay(&h)
	ready := !inPlay && b.plan(&h)
	b.from = rules.None
	if inPlay || !ready {
		return true
	}
	held, ok := b.cells[h.source], true
	if !isKnown(held) {
		if held, ok = b.pick(rules.PitAt(h.source)); !ok {
			return true
		}
	}
	if h.seeds < 1 || h.seeds > held {
		return b.refuse()
	}
	if h.seeds > mostSeeds {
		return b.finish(bail)
	}
	b.origin = h.source
	b.gain(h.source, -h.seeds)
	if len(s.Drop) > 0 {
		return b.sowSlowly(&h)
	}
	return b.sowAll(&h)
}

// plan determines the number of seeds, the first pit to try and the pits passed over. It returns
// false if the program ended, because it had to branch on one of them.
func (b *changer) plan(h *hand) bool {
	count, ok := h.sow.Count, false
	if count == nil {
		count = rules.PitAt(h.source)
	}
	if h.seeds, ok = b.pick(count); !ok {
		return false
	}
	lap := &b.sys.Laps[h.sow.Lap]
	switch {
	case h.sow.StartAt != nil:
		if h.next, ok = b.pick(h.sow.StartAt); !ok {
			return false
		}
		if h.next == rules.None {
			b.finish(bail)
			return false
		}
	case h.sow.OriginFirst:
		h.next = h.source
	default:
		h.next = lap.Next[h.source]
	}
	return b.skips(h)
}

func (b *changer) skips(h *hand) bool {
	if h.sow.SkipIf == nil {
		return true
	}
	h.skip = make([]bool, len(h.sow.SkipIf))
	for pit, x := range h.sow.SkipIf {
		if x == nil {
			continue
		}
		v, ok := b.pick(x)
		if !ok {
			return false
		}
		h.skip[pit] = v != 0
	}
	return true
}

// place returns the pit for the next seed, or rules.None.
func (b *changer) place(h *hand) int {
	return Place(&b.sys.Laps[h.sow.Lap], h.skip, h.sow.OnlyLast, h.next, h.seeds == 1)
}

// sowAll sows all seeds at once. They have been taken from the pit.
func (b *changer) sowAll(h *hand) bool {
	lap := &b.sys.Laps[h.sow.Lap]
	gains, last := make([]int, b.pits), rules.None
	for ; h.seeds > 0; h.seeds-- {
		if last = b.place(h); last == rules.None {
			return b.refuse()
		}
		gains[last]++
		h.next = lap.Next[last]
	}
	first := b.word // begin with the word changed last, to merge updates
	for i := range b.words {
		for pit, n := range gains {
			if n > 0 && b.places[pit].Word == (first+i)%b.words {
				b.gain(pit, n)
			}
		}
	}
	b.dropped(last)
	return b.pass()
}

// dropped notes the pit of the latest seed, which is in it already.
func (b *changer) dropped(pit int) {
	b.last, b.lastWas = pit, lost
	switch {
	case isKnown(b.cells[pit]):
		b.lastWas = b.cells[pit] - 1
	case b.places[pit].has:
		b.lastWas = derived
	}
}

// sowSlowly begins a sowing with statements after each drop.
func (b *changer) sowSlowly(h *hand) bool {
	h.id = b.blockOf(h.sow.Drop).id
	b.todo = &frame{block: b.void, hand: h, up: b.todo.after()}
	b.fresh = false
	return false
}

// dropNext sows the next seed, and continues with the statements after it.
func (b *changer) dropNext(f *frame) bool {
	if f.hand.seeds == 0 {
		b.todo = f.up
		return false
	}
	h := *f.hand
	pit := b.place(&h)
	if pit == rules.None {
		return b.refuse()
	}
	h.seeds--
	h.next = b.sys.Laps[h.sow.Lap].Next[pit]
	b.todo = &frame{block: b.blockOf(h.sow.Drop), hand: &h, up: f.up}
	b.gain(pit, 1)
	b.dropped(pit)
	return false
}
