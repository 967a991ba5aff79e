package main

import "math/bits"

// A state is a board as the player to move sees it, in fields of equal width: own houses 0..m-1 in
// the order of sowing, own store m, their houses m+1..2m, their store 2m+1. Two bits are above.
const (
	northBit = 1 << 62 // North is to move
	overBit  = 1 << 63 // the game is over; the board is as South sees it
)

// kalah is Kalah(m,n) as tables. Shifts are below 64; the masks of shifts in the code below save
// what the compiler would do if they were not.
type kalah struct {
	m     int
	width uint   // of a field, in bits
	half  uint   // of a player's fields together, in bits
	field uint64 // mask of the lowest field
	own   uint64 // mask of the mover's houses
	board uint64 // mask of all fields
	start uint64
	sown  [][64]sowing // by house and number of seeds
}

// sowing is what a sowing of a known house with a known number of seeds does.
type sowing struct {
	add      uint64 // to the board, modulo 2^64: one vector for all fields
	capture  uint64 // all ones if it ends in an own house, and there may be a capture
	pass     uint64 // all ones if it does not end in the own store, and the turn passes
	last     uint8  // shift of the field it ends in
	opposite uint8  // shift of the field opposite, for an own house
}

// compile reports false if a board does not fit 62 bits.
func compile(m, n int) (*kalah, bool) {
	seeds := 2 * m * n
	w := uint(bits.Len(uint(seeds)))
	half := w * uint(m+1)
	if 2*half > 62 || seeds > 63 {
		return nil, false
	}
	k := &kalah{m: m, width: w, half: half, field: 1<<w - 1, board: 1<<(2*half) - 1, own: 1<<(w*uint(m)) - 1}
	k.sown = make([][64]sowing, m)
	for house := range m {
		k.start |= uint64(n)<<(w*uint(house)) | uint64(n)<<(w*uint(m+1+house))
		for c := 1; c <= seeds; c++ {
			k.sown[house][c] = k.sow(house, c)
		}
	}
	return k, true
}

func (k *kalah) sow(house, seeds int) sowing {
	shift := func(i int) uint8 { return uint8(k.width * uint(i)) }
	at, add := house, -uint64(seeds)<<shift(house)
	for range seeds {
		at = (at + 1) % (2*k.m + 1) // their store, 2m+1, is skipped
		add += 1 << shift(at)
	}
	s := sowing{add: add, last: shift(at)}
	if at != k.m {
		s.pass = ^uint64(0)
	}
	if at < k.m {
		s.capture, s.opposite = ^uint64(0), shift(2*k.m-at)
	}
	return s
}

// moves writes the states after each move of a state in which the game is not over, at most m, and
// returns their number. What is as likely as not is computed without a branch.
func (k *kalah) moves(state uint64, to []uint64) int {
	before, side := state&k.board, state&northBit
	store := k.width * uint(k.m)
	n := 0
	for house := range k.sown {
		seeds := before >> (k.width * uint(house) & 63) & k.field
		if seeds == 0 {
			continue
		}
		s := &k.sown[house][seeds&63]
		b := before + s.add
		opposite := b >> (s.opposite & 63) & k.field
		taken := s.capture
		if b>>(s.last&63)&k.field != 1 {
			taken = 0
		}
		if opposite == 0 {
			taken = 0
		}
		b += taken & ((opposite+1)<<(store&63) - 1<<(s.last&63) - opposite<<(s.opposite&63))
		theirs := b >> (k.half & 63)
		if b&k.own == 0 || theirs&k.own == 0 {
			to[n] = k.swept(b, side != 0)
		} else {
			b ^= s.pass & (b ^ (theirs | b<<(k.half&63)&k.board))
			to[n] = b | side ^ s.pass&northBit
		}
		n++
	}
	return n
}

// swept is the state at the end of the game, when all seeds are in the stores.
func (k *kalah) swept(b uint64, north bool) uint64 {
	var stores [2]uint64
	for p := range stores {
		for i := range k.m + 1 {
			stores[p] += b >> (k.half*uint(p) + k.width*uint(i)) & k.field
		}
	}
	if north {
		stores[0], stores[1] = stores[1], stores[0]
	}
	store := k.width * uint(k.m)
	return overBit | stores[0]<<store | stores[1]<<(k.half+store)
}
