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
	for _, f := range from.cells() {
		if d := dest(f.cell); d >= 0 {
			r.add(f.Field, to.place(d))
		}
	}
	if status {
		r.add(from.status, to.status)
	}
	return r
}

// cells lists the places of all cells that are kept.
func (c *Codec) cells() []field {
	return slices.Concat(c.fields, lists.Map(c.sparse, func(s sparse) field { return s.field }))
}

// place returns the place of a cell. One that has none has no bits.
func (c *Codec) place(cell int) Field {
	return lists.Find(c.cells(), func(f field) bool { return f.cell == cell }).Field
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

// Mask sets the bits of a key to which something is carried.
func (r *Route) Mask(to []uint64) {
	for _, h := range r.hops {
		to[h.to] |= bits.RotateLeft64(h.mask, h.turn)
	}
}
