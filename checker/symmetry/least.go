package symmetry

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
)

// Reducer finds the least images of packed states. A goroutine needs its own.
type Reducer struct {
	words  int
	images []*Image
	into   []uint64
	least  []uint64
}

// Reducer returns a Reducer for the states that codec packs. The symmetries must keep what codec
// keeps: see Keeping. It is nil for a group without symmetries.
func (g Group) Reducer(codec *pack.Codec) *Reducer {
	if len(g.Members) == 0 {
		return nil
	}
	r := &Reducer{words: codec.Words(), into: make([]uint64, codec.Words()), least: make([]uint64, codec.Words())}
	for _, s := range g.Members {
		im := NewImage(g.Sys, s, codec)
		im.status(g.Sys, s, codec)
		r.images = append(r.images, im)
	}
	return r
}

// Least replaces a key by the least of its images, which include itself. All states of an orbit
// have the same least image.
func (r *Reducer) Least(key []uint64) {
	copy(r.least, key)
	for i := range r.images {
		r.images[i].Of(key, r.into)
		if slices.Compare(r.into, r.least) < 0 {
			copy(r.least, r.into)
		}
	}
	copy(key, r.least)
}

// Represent is Least for consecutive keys.
func (r *Reducer) Represent(keys []uint64) {
	for ; len(keys) > 0; keys = keys[r.words:] {
		r.Least(keys[:r.words])
	}
}

// Size returns the number of images of a key, including itself.
func (r *Reducer) Size(key []uint64) int {
	fixed := 1
	for i := range r.images {
		r.images[i].Of(key, r.into)
		if slices.Equal(r.into, key) {
			fixed++
		}
	}
	return (len(r.images) + 1) / fixed
}

// Members appends the images of a key to into, each once, itself first.
func (r *Reducer) Members(key, into []uint64) []uint64 {
	first := len(into)
	into = append(into, key...)
next:
	for i := range r.images {
		r.images[i].Of(key, r.into)
		for at := first; at < len(into); at += r.words {
			if slices.Equal(into[at:at+r.words], r.into) {
				continue next
			}
		}
		into = append(into, r.into...)
	}
	return into
}

// Quotient is a game whose states are the least of each orbit. They stand for all states of it.
type Quotient struct {
	game.Rules
	Group
}

// Identity implements game.Rules.
func (q *Quotient) Identity() []byte { return fmt.Appendf(q.Rules.Identity(), "%v\n", q.Members) }

// On implements game.Rules.
func (q *Quotient) On(codec *pack.Codec) (game.Game, error) {
	g, err := q.Rules.On(codec)
	return &leastGame{g, q.Reducer(codec)}, err
}

// Close adds to a set of actions the images of its members.
func (g Group) Close(actions []bool) {
	for changed := true; changed; {
		changed = false
		for _, m := range g.Members {
			for a, b := range m.Actions {
				if actions[a] && !actions[b] {
					actions[b], changed = true, true
				}
			}
		}
	}
}

// leastGame is a Quotient on packed states. It is game.Classes.
type leastGame struct {
	game.Game
	*Reducer
}

// Expand implements game.Game.
func (g *leastGame) Expand(key []uint64, out *pack.Batch) error {
	from := len(out.Keys)
	err := g.Game.Expand(key, out)
	g.Represent(out.Keys[from:])
	return err
}

// Whole implements game.Classes.
func (g *leastGame) Whole() game.Game { return g.Game }

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
