package main

import "math/bits"

// A state of a game of two players is a board as the player to move sees it, in fields of equal
// width: own houses 0..m-1 in the order of sowing, own store m, their houses m+1..2m, their store
// 2m+1. Three bits are above.
const (
	starvedBit = 1 << 61 // of a game that is over, where there are two ways to end it
	northBit   = 1 << 62 // North is to move; 0 if the game is over
	overBit    = 1 << 63 // the game is over; the board is as South sees it
)

// board is a board of two rows with what all games on it need. Shifts are below 64; the masks of
// shifts in the moves below save what the compiler would do if they were not.
type board struct {
	m     int
	width uint   // of a field, in bits
	half  uint   // of a player's fields together, in bits
	store uint   // shift of the mover's store
	field uint64 // mask of the lowest field
	own   uint64 // mask of the mover's houses
	all   uint64 // mask of all fields
	start uint64
	sown  [][64]sowing // by place and number of seeds
}

// sowing is what a sowing of a known place with a known number of seeds does.
type sowing struct {
	add      uint64 // to the board, modulo 2^64: one vector for all fields
	capture  uint64 // all ones if it ends in an own house, and there may be a capture
	pass     uint64 // all ones if it does not end in the own store, and the turn passes
	last     uint8  // shift of the field it ends in
	place    uint8  // the field it ends in
	opposite uint8  // shift of the field opposite, for an own house
}

// newBoard reports false if a state does not fit a word. sow gives the places in which a number of
// seeds from a place end up.
func newBoard(m, n int, sow func(b *board, place, seeds int) []int) (*board, bool) {
	seeds := 2 * m * n
	w := uint(bits.Len(uint(seeds)))
	half := w * uint(m+1)
	if 2*half > 61 || seeds > 63 {
		return nil, false
	}
	b := &board{m: m, width: w, half: half, store: w * uint(m), field: 1<<w - 1, all: 1<<(2*half) - 1, own: 1<<(w*uint(m)) - 1}
	b.sown = make([][64]sowing, 2*m+1)
	for place := range b.sown {
		if place == m {
			continue
		}
		b.start |= uint64(n) << b.shift(place)
		for c := 1; c <= seeds; c++ {
			b.sown[place][c] = b.sowing(place, sow(b, place, c))
		}
	}
	return b, true
}

func (b *board) shift(place int) uint8 { return uint8(b.width * uint(place)) }

// sowing is that of one seed into each place of a list, from the hand.
func (b *board) sowing(from int, to []int) sowing {
	s := sowing{add: -uint64(len(to)) << b.shift(from)}
	last := 0
	for _, p := range to {
		s.add += 1 << b.shift(p)
		last = p
	}
	s.last, s.place = b.shift(last), uint8(last)
	if last != b.m {
		s.pass = ^uint64(0)
	}
	if last < b.m {
		s.capture, s.opposite = ^uint64(0), b.shift(2*b.m-last)
	}
	return s
}

// storesToo are the places of a sowing through all but their store.
func (b *board) storesToo(place, seeds int) []int {
	var to []int
	for range seeds {
		place = (place + 1) % (2*b.m + 1) // their store, 2m+1, is skipped
		to = append(to, place)
	}
	return to
}

func (b *board) starts() []uint64 { return []uint64{b.start} }
func (b *board) most() int        { return b.m }

// turned is a board as the other player sees it.
func (b *board) turned(fields uint64) uint64 {
	return fields>>(b.half&63) | fields<<(b.half&63)&b.all
}

// swept is the board at the end of the game, as South sees it, when all seeds are in the stores.
func (b *board) swept(fields uint64, north bool) uint64 {
	var stores [2]uint64
	for p := range stores {
		for i := range b.m + 1 {
			stores[p] += fields >> (b.half*uint(p) + b.width*uint(i)) & b.field
		}
	}
	if north {
		stores[0], stores[1] = stores[1], stores[0]
	}
	return stores[0]<<b.store | stores[1]<<(b.half+b.store)
}
