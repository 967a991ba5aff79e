package symmetry

import (
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
)

// Reducer finds the least images of packed states. A goroutine needs its own.
type Reducer struct {
	words  int
	images []image
	into   []uint64
	least  []uint64
}

// image computes the image of a packed state: fields that are shifted alike are moved together.
type image struct {
	moves  []move
	tables []table
}

// move moves some bits of a word.
type move struct {
	from, to int
	mask     uint64
	left     int // negative: to the right
}

// table moves a field and maps its value.
type table struct {
	from, to pack.Field
	values   []uint64
}

// Reducer returns a Reducer for the states that codec packs. The symmetries must keep what codec
// keeps: see Keeping. It is nil for a group without symmetries.
func (g Group) Reducer(codec *pack.Codec) *Reducer {
	if len(g.Members) == 0 {
		return nil
	}
	r := &Reducer{words: codec.Words(), into: make([]uint64, codec.Words()), least: make([]uint64, codec.Words())}
	for _, s := range g.Members {
		r.images = append(r.images, newImage(g.Sys, s, codec))
	}
	return r
}

func newImage(sys *rules.System, s Symmetry, codec *pack.Codec) image {
	var im image
	for p, q := range s.Pits {
		if from, ok := codec.Cell(p); ok {
			to, _ := codec.Cell(q)
			im.move(from, to)
		}
	}
	for v, w := range s.Vars {
		im.variable(sys, s, codec, v, w)
	}
	status := codec.Status()
	values := make([]uint64, status.Mask+1)
	for i := range values {
		switch o := i - len(sys.Players); {
		case o < 0:
			values[i] = uint64(s.Players[i])
		case o < len(s.Outcomes):
			values[i] = uint64(len(sys.Players) + s.Outcomes[o])
		}
	}
	im.tables = append(im.tables, table{status, status, values})
	return im
}

// variable adds the image of a variable.
func (im *image) variable(sys *rules.System, s Symmetry, codec *pack.Codec, v, w int) {
	pits := len(sys.Pits)
	x := &sys.Vars[v]
	if from, ok := codec.Cell(pits + v); ok {
		to, _ := codec.Cell(pits + w)
		if x.Kind != rules.PitVar && x.Kind != rules.PlayerVar {
			im.move(from, to)
			return
		}
		values := make([]uint64, from.Mask+1)
		for i, n := range x.Domain {
			values[i] = uint64(s.value(x.Kind, n) - to.Low)
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
		values[i] = uint64(slices.Index(image, s.value(x.Kind, n)))
	}
	im.tables = append(im.tables, table{from, to, values})
}

// move adds the move of a field.
func (im *image) move(from, to pack.Field) {
	mask, left := from.Mask<<from.Shift, int(to.Shift)-int(from.Shift)
	for i := range im.moves {
		if m := &im.moves[i]; m.from == from.Word && m.to == to.Word && m.left == left {
			m.mask |= mask
			return
		}
	}
	im.moves = append(im.moves, move{from.Word, to.Word, mask, left})
}

func (im *image) of(key, into []uint64) {
	clear(into)
	for i := range im.moves {
		if m := &im.moves[i]; m.left >= 0 {
			into[m.to] |= key[m.from] & m.mask << m.left
		} else {
			into[m.to] |= key[m.from] & m.mask >> -m.left
		}
	}
	for i := range im.tables {
		t := &im.tables[i]
		into[t.to.Word] |= t.values[key[t.from.Word]>>t.from.Shift&t.from.Mask] << t.to.Shift
	}
}

// Least replaces a key by the least of its images, which include itself. All states of an orbit
// have the same least image.
func (r *Reducer) Least(key []uint64) {
	copy(r.least, key)
	for i := range r.images {
		r.images[i].of(key, r.into)
		if slices.Compare(r.into, r.least) < 0 {
			copy(r.least, r.into)
		}
	}
	copy(key, r.least)
}

// LeastAll is Least for consecutive keys.
func (r *Reducer) LeastAll(keys []uint64) {
	for ; len(keys) > 0; keys = keys[r.words:] {
		r.Least(keys[:r.words])
	}
}

// Orbit returns the number of images of a key, including itself.
func (r *Reducer) Orbit(key []uint64) int {
	fixed := 1
	for i := range r.images {
		r.images[i].of(key, r.into)
		if slices.Equal(r.into, key) {
			fixed++
		}
	}
	return (len(r.images) + 1) / fixed
}

// Images appends the images of a key to into, each once, itself first.
func (r *Reducer) Images(key, into []uint64) []uint64 {
	first := len(into)
	into = append(into, key...)
next:
	for i := range r.images {
		r.images[i].of(key, r.into)
		for at := first; at < len(into); at += r.words {
			if slices.Equal(into[at:at+r.words], r.into) {
				continue next
			}
		}
		into = append(into, r.into...)
	}
	return into
}
