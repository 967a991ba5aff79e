package pack

import (
	"math/bits"
	"slices"

	"github.com/mancheck/mancheck/internal/lists"
)

// Route carries cells from the keys of one Codec to those of another, in which they have other
// places.
type Route struct{ hops []hop }

// hop is some fields that are moved together: those of mask in word from, turned left by turn, are
// part of word to.
type hop struct {
	from, to int
	mask     uint64
	turn     int
}

// NewRoute returns the route of some cells: cell i of from is cell to(i) of to, if that is not
// negative. With status, the player to move is carried, too, if both have as many players and
// outcomes. Cells that are carried need fields of one width, and variables of one domain.
func NewRoute(from, to *Codec, dest func(cell int) int, status bool) Route {
	var r Route
	for _, f := range slices.Concat(from.fields, lists.Map(from.sparse, func(s sparse) field { return s.field })) {
		if d := dest(f.cell); d >= 0 {
			at, _, _ := to.Place(d) // one that has none has no bits
			r.add(f.Field, at)
		}
	}
	if status {
		r.add(from.status, to.status)
	}
	return r
}

// add carries a field. Neighbors that move equally far move together.
func (r *Route) add(from, to Field) {
	mask := min(from.Mask, to.Mask) << from.Shift
	turn := int(to.Shift) - int(from.Shift)
	for i := range r.hops {
		if h := &r.hops[i]; h.from == from.Word && h.to == to.Word && h.turn == turn {
			h.mask |= mask
			return
		}
	}
	if mask != 0 {
		r.hops = append(r.hops, hop{from.Word, to.Word, mask, turn})
	}
}

// Carry adds what is carried of a key to another key, which has zeros there.
func (r *Route) Carry(from, to []uint64) {
	for i := range r.hops {
		h := &r.hops[i]
		to[h.to] |= bits.RotateLeft64(from[h.from]&h.mask, h.turn)
	}
}

// Odd writes consecutive keys of one word to into, with what is carried in the place of each in
// which a field is odd. It fails if that takes more than two moves, since it has no loop over them.
func (r *Route) Odd(f Field, keys, into []uint64) bool {
	if len(r.hops) != 2 {
		return false
	}
	one, two, shift := r.hops[0], r.hops[1], f.Shift&63
	into = into[:len(keys)]
	for i, key := range keys {
		image := bits.RotateLeft64(key&one.mask, one.turn) | bits.RotateLeft64(key&two.mask, two.turn)
		into[i] = key ^ (key^image)&-(key>>shift&1)
	}
	return true
}

// Mask sets the bits of a key to which something is carried.
func (r *Route) Mask(to []uint64) {
	for _, h := range r.hops {
		to[h.to] |= bits.RotateLeft64(h.mask, h.turn)
	}
}
