package endgame

import (
	"context"
	"encoding/binary"
	"slices"
	"sync/atomic"
)

// reasons finds out whether futures in a layer rest on something. That each is the best that the
// moves lead to does not prove it: moves may lead back to where they come from.
//
// A future of which nothing needs to be shown is sound, and so is one
//
//   - in favor of the player to move, if a move worth as much leads out of the layer or to a
//     position whose future is sound;
//   - against the player to move, if all moves worth as much that stay in the layer lead to such;
//   - that is not known, if the rules leave the position open, or a move leads to another one that
//     is not known and for which that is sound.
//
// If endless play wins nothing and all futures are sound, they are right. The player who wins by a
// future plays a move for which it is sound. All moves of the other one are worth as much to that
// player or more. As long as the future stays the same, each position that play comes to was found
// sound before the last one; so in the end play leaves the layer, with as much or more. To give no
// more the other one plays any move worth as much: no move of the winner gives more, and nor does
// endless play. By the same argument neither player gets more than a future of 0, which rests on
// nothing.
//
// If there is no such convention, a future is sound if those of all positions are to which moves in
// the layer lead. Then no play comes back.
type reasons struct {
	*layer
	convention bool            // endless play wins nothing
	sound      []atomic.Uint64 // by number of a position, as a bit
	open       [][]byte        // by unit: the claims that are not sound
	fresh      atomic.Bool
}

// A claim is the place of a position in its unit, counted from that of the claim before; then twice
// the number of positions on which it rests, and one more if all of them have to be sound; then
// their numbers.

func newReasons(l *layer) *reasons {
	n := (l.size*l.controls + 63) / 64
	return &reasons{layer: l, convention: l.positions.EndlessWinsNothing(), sound: make([]atomic.Uint64, n), open: make([][]byte, l.units())}
}

// add looks at a position of the worker c, whose moves have been played. have is its future.
func (r *reasons) add(c *checker, number uint64, maximizing bool, have int) {
	all, rests := true, c.rests[:0]
	switch {
	case have == noFuture:
		if c.worth != noFuture {
			all, rests = false, r.worth(c, rests, have)
		}
	case !r.convention:
		for _, to := range c.ranks {
			rests = append(rests, r.number(to))
		}
	case have != 0:
		all = have > 0 != maximizing
		if all || c.worth != have {
			rests = r.worth(c, rests, have)
		}
	}
	if c.rests = rests; len(rests) == 0 {
		r.accept(number)
		return
	}
	place := r.place(number)
	c.claims = appendClaim(c.claims, place-c.last, all, rests)
	c.last = place
}

// place returns the place of a position in its unit, and numberAt is the inverse.
func (l *layer) place(number uint64) uint64 {
	return number%l.size%(1<<unitBits)*l.controls + number/l.size
}

func (l *layer) numberAt(unit int, place uint64) uint64 {
	return place%l.controls*l.size + uint64(unit)<<unitBits + place/l.controls
}

// worth appends the numbers of the positions of the layer that moves lead to with this future.
func (r *reasons) worth(c *checker, rests []uint64, future int) []uint64 {
	for i, to := range c.ranks {
		if c.futures[i] == future {
			rests = append(rests, r.number(to))
		}
	}
	return rests
}

// appendClaim appends a claim; step is how far it is from the one before.
func appendClaim(claims []byte, step uint64, all bool, rests []uint64) []byte {
	kind := 2 * uint64(len(rests))
	if all {
		kind++
	}
	claims = binary.AppendUvarint(binary.AppendUvarint(claims, step), kind)
	for _, n := range rests {
		claims = binary.AppendUvarint(claims, n)
	}
	return claims
}

func (r *reasons) accept(number uint64) { r.sound[number/64].Or(1 << (number % 64)) }

func (r *reasons) isSound(number uint64) bool { return r.sound[number/64].Load()>>(number%64)&1 != 0 }

// settle accepts claims of some units until nothing changes. fresh says that it has accepted some.
func (r *reasons) settle(ctx context.Context, workers []*checker, from, to int) (fresh bool, err error) {
	for again := true; again && err == nil; again = r.fresh.Load() {
		err = r.pass(ctx, workers, from, to)
		fresh = fresh || r.fresh.Load()
	}
	return fresh, err
}

// pass goes through the claims of some units.
func (r *reasons) pass(ctx context.Context, workers []*checker, from, to int) error {
	r.fresh.Store(false)
	return share(ctx, workers, to-from, func(_ context.Context, c *checker, i int) error {
		r.again(c, from+i)
		return nil
	})
}

// circle says what is wrong if no claim is accepted any more: of the first of them. It is nil if
// none is left.
func (r *reasons) circle(c *checker) *WrongError {
	unit := slices.IndexFunc(r.open, func(claims []byte) bool { return len(claims) > 0 })
	if unit < 0 {
		return nil
	}
	place, _ := binary.Uvarint(r.open[unit])
	r.positions.Unrank(r.rank(r.numberAt(unit, place)), c.key)
	have := r.futureOf(c.worker, c.key)
	return &WrongError{r.positions.State(c.key), have, have}
}

// again goes through the claims of a unit.
func (r *reasons) again(c *checker, unit int) {
	claims := r.open[unit]
	left := claims[:0]
	place, last := uint64(0), uint64(0)
	next := func() uint64 {
		v, n := binary.Uvarint(claims)
		claims = claims[n:]
		return v
	}
	for len(claims) > 0 {
		place += next()
		kind := next()
		all, rests, accepted := kind&1 != 0, c.rests[:0], false
		for range kind / 2 {
			if to := next(); !r.isSound(to) {
				rests = append(rests, to)
			} else if !all {
				accepted = true
			}
		}
		if c.rests = rests; accepted || len(rests) == 0 {
			r.accept(r.numberAt(unit, place))
			r.fresh.Store(true)
			continue
		}
		left = appendClaim(left, place-last, all, rests)
		last = place
	}
	r.open[unit] = left
}
