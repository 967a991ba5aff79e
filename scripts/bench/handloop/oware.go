package main

// oware is Oware, as examples/oware.sow has it.
type oware struct {
	*board
	half uint64 // of all seeds
}

func newOware(m, n int) (game, bool) {
	b, ok := newBoard(m, n, (*board).housesOnly)
	return oware{b, uint64(m * n)}, ok
}

// housesOnly are the places of a sowing through the houses but for the one it comes from.
func (b *board) housesOnly(place, seeds int) []int {
	var to []int
	for at := place; len(to) < seeds; {
		at = (at + 1) % (2*b.m + 1)
		if at != b.m && at != place {
			to = append(to, at)
		}
	}
	return to
}

func (o oware) moves(state uint64, to []uint64) int {
	b := o.board
	before, side := state&b.all, state&northBit
	n := 0
	for house := range b.m {
		seeds := before >> (b.width * uint(house) & 63) & b.field
		if seeds == 0 {
			continue
		}
		s := &b.sown[house][seeds&63]
		after := before + s.add
		if after>>(b.half&63)&b.own == 0 {
			continue // it does not feed
		}
		if int(s.place) > b.m && after>>(s.last&63)&b.field&^1 == 2 {
			after = o.capture(after, int(s.place))
		}
		to[n] = o.settled(after, side)
		n++
	}
	return n
}

// capture takes twos and threes from a place of theirs back, if that leaves them something.
func (o oware) capture(fields uint64, last int) uint64 {
	b := o.board
	left, lot := fields, uint64(0)
	for p := last; p > b.m; p-- {
		shift := b.width * uint(p) & 63
		seeds := fields >> shift & b.field
		if seeds&^1 != 2 {
			break
		}
		lot += seeds
		left -= seeds << shift
	}
	if left>>(b.half&63)&b.own == 0 {
		return fields
	}
	return left + lot<<(b.store&63)
}

// settled is the state after a move that side has made.
func (o oware) settled(fields, side uint64) uint64 {
	b := o.board
	theirs := b.turned(fields)
	if fields>>(b.store&63)&b.field > o.half || theirs>>(b.store&63)&b.field > o.half {
		if side != 0 {
			fields = theirs
		}
		return fields | overBit
	}
	if theirs&b.own != 0 && (fields&b.own != 0 || o.feeds(theirs)) {
		return theirs | side ^ northBit
	}
	return b.swept(fields, side != 0) | overBit | starvedBit
}

// feeds reports whether a move gives seeds to a player who has none.
func (o oware) feeds(fields uint64) bool {
	b := o.board
	for house := range b.m {
		seeds := fields >> (b.width * uint(house) & 63) & b.field
		if seeds != 0 && (fields+b.sown[house][seeds&63].add)>>(b.half&63)&b.own != 0 {
			return true
		}
	}
	return false
}
