package symmetry

import (
	"math/bits"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
)

// Image computes the images of packed states: fields that are shifted alike are moved together.
type Image struct {
	words  int
	moves  []move
	tables []table
}

// move moves some bits of a word.
type move struct {
	from, to int
	mask     uint64
	shift    int // negative: to the right
}

// table moves a field and maps its value.
type table struct {
	from, to pack.Field
	values   []uint64
}

// NewImage returns the images of the pits and variables that codec packs. The symmetry must keep
// what codec keeps. The status of an image is 0.
func NewImage(sys *rules.System, s Symmetry, codec *pack.Codec) *Image {
	im := &Image{words: codec.Words()}
	for p, q := range s.Pits {
		if from, ok := codec.Cell(p); ok {
			to, _ := codec.Cell(q)
			im.move(from, to)
		}
	}
	for v, w := range s.Vars {
		im.variable(sys, s, codec, v, w)
	}
	return im
}

// status adds the image of the status.
func (im *Image) status(sys *rules.System, s Symmetry, codec *pack.Codec) {
	f := codec.Status()
	values := make([]uint64, f.Mask+1)
	for i := range values {
		switch o := i - len(sys.Players); {
		case o < 0:
			values[i] = uint64(s.Players[i])
		case o < len(s.Outcomes):
			values[i] = uint64(len(sys.Players) + s.Outcomes[o])
		}
	}
	im.tables = append(im.tables, table{f, f, values})
}

// variable adds the image of a variable.
func (im *Image) variable(sys *rules.System, s Symmetry, codec *pack.Codec, v, w int) {
	pits := len(sys.Pits)
	x := &sys.Vars[v]
	if from, ok := codec.Cell(pits + v); ok {
		to, _ := codec.Cell(pits + w)
		if x.Type != rules.PitType && x.Type != rules.PlayerType {
			im.move(from, to)
			return
		}
		values := make([]uint64, from.Mask+1)
		for i, n := range x.Domain {
			values[i] = uint64(s.Value(x.Type, n) - to.Low)
		}
		im.tables = append(im.tables, table{from, to, values})
		return
	}
	from, domain, ok := codec.Domain(pits + v)
	if !ok {
		return
	}
	to, image, _ := codec.Domain(pits + w)
	values := make([]uint64, from.Mask+1)
	for i, n := range domain {
		values[i] = uint64(slices.Index(image, s.Value(x.Type, n)))
	}
	im.tables = append(im.tables, table{from, to, values})
}

// move adds the move of a field.
func (im *Image) move(from, to pack.Field) {
	mask, left := from.Mask<<from.Shift, int(to.Shift)-int(from.Shift)
	for i := range im.moves {
		if m := &im.moves[i]; m.from == from.Word && m.to == to.Word && m.shift == left {
			m.mask |= mask
			return
		}
	}
	im.moves = append(im.moves, move{from.Word, to.Word, mask, left})
}

// of writes the image of a key to into.
func (im *Image) of(key, into []uint64) {
	clear(into)
	for i := range im.moves {
		m := &im.moves[i]
		into[m.to] |= bits.RotateLeft64(key[m.from]&m.mask, m.shift)
	}
	for i := range im.tables {
		t := &im.tables[i]
		into[t.to.Word] |= t.values[key[t.from.Word]>>t.from.Shift&t.from.Mask] << t.to.Shift
	}
}

// Where writes consecutive keys to into, with the image in the place of each in which the field is
// odd. That is the status, or another field that images do not have.
func (im *Image) Where(f pack.Field, keys, into []uint64) {
	if im.words == 1 && len(im.tables) == 0 && len(im.moves) == 2 {
		one, two, shift := im.moves[0], im.moves[1], f.Shift&63
		into = into[:len(keys)]
		for i, key := range keys {
			image := bits.RotateLeft64(key&one.mask, one.shift) | bits.RotateLeft64(key&two.mask, two.shift)
			into[i] = key ^ (key^image)&-(key>>shift&1)
		}
		return
	}
	for n := im.words; len(keys) > 0; keys, into = keys[n:], into[n:] {
		if keys[f.Word]>>(f.Shift&63)&1 != 0 {
			im.of(keys[:n], into[:n])
		} else {
			copy(into[:n], keys)
		}
	}
}
