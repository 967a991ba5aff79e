package symmetry

import (
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
)

// Image computes the images of packed states: fields that are shifted alike are moved together.
type Image struct {
	words  int
	moves  pack.Route
	tables []table
}

// table moves a field and maps its value.
type table struct {
	from, to pack.Field
	values   []uint64
}

// NewImage returns the images of the pits and variables that codec packs. The symmetry must keep
// what codec keeps. The status of an image is 0.
func NewImage(sys *rules.System, s Symmetry, codec *pack.Codec) *Image {
	im, pits := &Image{words: codec.Words()}, len(sys.Pits)
	im.moves = pack.NewRoute(codec, codec, func(cell int) int {
		switch v := cell - pits; {
		case v < 0:
			return s.Pits[cell]
		case sys.Vars[v].Type == rules.PitType, sys.Vars[v].Type == rules.PlayerType:
			im.variable(s, codec, &sys.Vars[v], cell, pits+s.Vars[v])
			return rules.None
		default:
			return pits + s.Vars[v]
		}
	}, false)
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

// variable adds the image of a variable whose values have images.
func (im *Image) variable(s Symmetry, codec *pack.Codec, x *rules.Var, v, w int) {
	from, _, _ := codec.Place(v)
	to, image, _ := codec.Place(w)
	values := make([]uint64, from.Mask+1)
	for i, n := range x.Domain {
		if n = s.Value(x.Type, n); image != nil {
			values[i] = uint64(slices.Index(image, n))
		} else {
			values[i] = uint64(n - to.Low)
		}
	}
	im.tables = append(im.tables, table{from, to, values})
}

// Of writes the image of a key to into, and returns it.
func (im *Image) Of(key, into []uint64) []uint64 {
	clear(into)
	im.moves.Carry(key, into)
	for i := range im.tables {
		t := &im.tables[i]
		into[t.to.Word] |= t.values[key[t.from.Word]>>t.from.Shift&t.from.Mask] << t.to.Shift
	}
	return into
}

// Where writes consecutive keys to into, with the image in the place of each in which the field is
// odd. That is the status, or another field that images do not have.
func (im *Image) Where(f pack.Field, keys, into []uint64) {
	if im.words == 1 && len(im.tables) == 0 && im.moves.Odd(f, keys, into) {
		return
	}
	for n := im.words; len(keys) > 0; keys, into = keys[n:], into[n:] {
		if keys[f.Word]>>(f.Shift&63)&1 != 0 {
			im.Of(keys[:n], into[:n])
		} else {
			copy(into[:n], keys)
		}
	}
}
