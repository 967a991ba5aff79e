package symmetry

import (
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
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
