package endgame

import (
	"cmp"
	"fmt"

	"github.com/mancheck/mancheck/checker/value"
)

// Play may go on for ever among the positions that are left pending in a layer: the rest. Each has
// a move to another one of them. A play that stays in the layer wins nothing more. So a play from
// the rest is worth what it is worth where it leaves the layer, or d if it never does.
//
// Let f(0) be d in all of the rest, and f(n+1) the best that the moves lead to by f(n): that is
// what play is worth if it is ended after so many moves, as worth d. Every v above d that the first
// player can force at all can be forced in a limited number of moves, as there are finitely many
// positions; and f(n) > d says that f(n) can be forced in n moves: a play that is ended would be
// worth d. So max(f(n), d) grows with n to what the first player can force above d. In the same way
// min(f(n), d) falls to what the second player can force below d. And who can force neither more
// nor less than d gets d: each player prevents the other from doing better, perhaps for ever. So
// f(n) goes from d up or down to the future, and never back, whatever the order in which positions
// are evaluated, and some of them with old values.
//
// A position of the rest that leads to one without a future has none: that is final, too.

// cycles finds the futures of the rest of a layer.
func (b *builder) cycles(l *layer, out *Layer) error {
	d, ok := b.positions.EndlessFuture()
	if !ok {
		return b.refuse(l)
	}
	l.rest = make([]uint64, (l.size*l.controls+63)/64)
	l.eachRange(func(first, end uint64) {
		for i := first; i < end; i++ {
			if b.futures[i] == mark(pending) {
				n := l.number(i)
				l.rest[n/64] |= 1 << (n % 64)
				b.futures[i] = mark(int8(d))
			}
		}
	})
	for {
		l.remember()
		changed, _, err := b.sweep(l, func(w *worker, unit int) error { return w.iterate(l, unit) })
		if err != nil {
			return err
		}
		out.Sweeps++
		b.observe(*out, changed)
		if changed == 0 {
			return nil
		}
	}
}

// iterate evaluates the rest's positions of a unit. Other units are read as they were before the
// sweep, so each sweep has the same result for any number of threads.
func (w *worker) iterate(l *layer, unit int) error {
	of := func(rank uint64) int8 {
		if l.unit(rank) == unit {
			return int8(l.futures[rank])
		}
		return l.earlier(rank)
	}
	err := w.each(l, unit, func(rank uint64, key []uint64) error {
		if n := l.number(rank); l.rest[n/64]>>(n%64)&1 == 0 {
			return nil
		}
		return w.take(l, rank, key, of)
	})
	return cmp.Or(err, w.flush(l, of))
}

// refuse says why there is no table, with a position of the rest.
func (b *builder) refuse(l *layer) error {
	e := &CycleError{Seeds: l.seeds, Reason: "the rules do not say what that is worth"}
	switch {
	case b.payoff.Endless == value.Even:
		e.Reason = "that is worth 0 whatever has been won, so what is still won depends on it"
	case b.payoff.Endless == value.AsScored:
		e.Reason = "the score counts seeds in play, so it is not clear what that is worth"
	}
	key := make([]uint64, b.positions.Words())
	l.eachRange(func(first, end uint64) {
		for i := first; i < end && e.State.Seeds == nil; i++ {
			if b.futures[i] == mark(pending) {
				b.positions.Unrank(i, key)
				e.State = b.positions.State(key)
			}
		}
	})
	return e
}

// MemoryError says that a table is larger than the memory allowed.
type MemoryError struct {
	Seeds int
	Need  uint64
	Have  int64
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("a table of positions with up to %d seeds in play takes %d bytes, and %d are allowed", e.Seeds, e.Need, e.Have)
}
