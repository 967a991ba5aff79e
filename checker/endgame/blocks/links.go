package blocks

import (
	"unsafe"

	"github.com/mancheck/mancheck/checker/plan"
)

// Link is the moves of a part of a row to a line of the same layer.
type Link struct {
	To      int32 // block
	Half    uint8 // of which the line has one content
	negated bool  // the other player is to move then
	Known   uint32
	column  uint32     // of the one position
	into    uint32     // where it leads to in the line
	part    *plan.Part // nil: of one position
	table   *plan.Table
}

// LinkBytes is the memory of a Link.
const LinkBytes = int64(unsafe.Sizeof(Link{}))

// Linker collects the links of rows.
type Linker struct {
	Links   []Link
	Ends    []int // by row: the end of its links
	Singles int64 // number of links of one position, so far
	Unknown bool  // some positions have no future
	// Ended is called after the last action of a row, with the best of the moves.
	Ended func(row []int8) error
}

// add adds a link to positions with a content of the half that was sown from.
func (k *Linker) add(r *row, c int, s Seeds, l Link) {
	c, s, half, negated := r.Kept(c, s, r.half)
	l.To, l.Half = int32(r.At(c, s)), uint8(half)
	l.negated = negated == r.Controls[r.control].Maximizing
	k.Links = append(k.Links, l)
}
