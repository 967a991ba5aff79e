package main

import "math/bits"

// dose is the board of examples/dose2015.sow with n holes in a row. In fields of equal width there
// are holes 0..n-1 and store n in clockwise order, holes n+1..2n and store 2n+1. Above them is the
// number of the hole of the next round and 1, or 0 for none; then two bits.
type dose struct {
	n, stones int
	width     uint
	field     uint64
	holes     uint64          // mask of all holes
	selected  uint            // shift of the hole of the next round
	sown      [2][][64]stroke // by direction, hole and number of stones
}

// wonBit is of a game that is over.
const wonBit = 1 << 62

// stroke is a sowing of a known hole with a known number of stones.
type stroke struct {
	add   uint64 // to the state, modulo 2^64, with the hole of the next round
	last  uint8  // shift of the field it ends in
	store bool   // that is a store
}

func newDose(n, stones int) (game, bool) {
	w := uint(bits.Len(uint(stones)))
	d := dose{n: n, stones: stones, width: w, field: 1<<w - 1, selected: w * uint(2*n+2)}
	if int(d.selected)+bits.Len(uint(2*n+1)) > 62 || stones > 63 {
		return nil, false
	}
	for p := range 2*n + 2 {
		if !d.store(p) {
			d.holes |= d.field << d.shift(p)
		}
	}
	for dir, step := range []int{1, 2*n + 1} {
		d.sown[dir] = make([][64]stroke, 2*n+1)
		for hole := range d.sown[dir] {
			for c := 1; c <= stones && !d.store(hole); c++ {
				d.sown[dir][hole][c] = d.sow(hole, c, step)
			}
		}
	}
	return d, true
}

func (d dose) shift(place int) uint8   { return uint8(d.width * uint(place)) }
func (d dose) store(place int) bool    { return place%(d.n+1) == d.n }
func (d dose) choice(hole int) uint64  { return uint64(hole+1) << d.selected }
func (d dose) most() int               { return 2 * d.n }
func (d dose) after(place, by int) int { return (place + by) % (2*d.n + 2) }

// sow goes step places on for each stone; a store takes only the last one.
func (d dose) sow(hole, stones, step int) stroke {
	at, add := hole, -uint64(stones)<<d.shift(hole)
	for i := range stones {
		at = d.after(at, step)
		if d.store(at) && i < stones-1 {
			at = d.after(at, step)
		}
		add += 1 << d.shift(at)
	}
	next := at
	if d.store(at) {
		next = d.after(at, 2*d.n+2-step)
	}
	return stroke{add: add + d.choice(next) - d.choice(hole), last: d.shift(at), store: d.store(at)}
}

// starts are all boards with a stone in each hole.
func (d dose) starts() []uint64 {
	var all []uint64
	var fill func(state uint64, hole, left int)
	fill = func(state uint64, hole, left int) {
		switch {
		case hole == 2*d.n+1:
			if left == 0 {
				all = append(all, state)
			}
		case d.store(hole):
			fill(state, hole+1, left)
		default:
			for c := 1; c <= left; c++ {
				fill(state|uint64(c)<<d.shift(hole), hole+1, left-c)
			}
		}
	}
	fill(0, 0, d.stones)
	return all
}

func (d dose) moves(state uint64, to []uint64) int {
	selected := state >> (d.selected & 63)
	if selected == 0 {
		return d.choices(state, to)
	}
	hole := int(selected) - 1
	stones := state >> (d.width * uint(hole) & 63) & d.field
	if stones == 0 {
		return 0
	}
	for dir := range d.sown {
		s := &d.sown[dir][hole][stones&63]
		after := state + s.add
		switch {
		case after&d.holes == 0:
			after |= overBit | wonBit
		case !s.store && after>>(s.last&63)&d.field == 1:
			after = after&(1<<(d.selected&63)-1) | selected<<(d.selected&63) | overBit // the choice stays as it was
		}
		to[dir] = after
	}
	return len(d.sown)
}

// choices are those of the hole for the first round.
func (d dose) choices(state uint64, to []uint64) int {
	n := 0
	for hole := range 2*d.n + 1 {
		if !d.store(hole) {
			to[n] = state + d.choice(hole)
			n++
		}
	}
	return n
}
