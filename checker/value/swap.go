package value

import (
	"context"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/symmetry"
	"github.com/mancheck/mancheck/rules"
)

// A symmetry of the rules may exchange the players. A play then has an image that is as legal, in
// which each does what the other did. If the image of each seed is worth as much to the other
// player, the future of the image of a position is that of the position, negated: the constant part
// of the margin, which may favor a player, is no part of futures. So tables need only the positions
// with the first player to move, the entries.

// swap returns a symmetry of this kind, or nil if none is found. What it does twice changes
// nothing.
func (g *game) swap(ctx context.Context) *symmetry.Symmetry {
	if !g.linear || len(g.sys.Players) != 2 {
		return nil
	}
	for _, s := range symmetry.Find(ctx, g.sys).Members {
		if s.Players[First] == Second && s.IsInvolution() && s.Keeps(g.inPlayParts) && g.negates(&s) {
			return &s
		}
	}
	return nil
}

// negates reports whether the image of each seed is worth as much to the other player, and whether
// the images of sinks are sinks.
func (g *game) negates(s *symmetry.Symmetry) bool {
	for p, q := range s.Pits {
		if g.margin.weights[q] != -g.margin.weights[p] || g.isSink[p] != g.isSink[q] {
			return false
		}
	}
	return true
}

// Negated marks an entry of which the future has to be negated.
const Negated = 1 << 63

// entries finds entries of positions: itself, or if there is a swap and the second player is to
// move, the image. Those of finished states mean nothing.
type entries struct {
	ranker *pack.Ranker
	image  *symmetry.Image // nil: there is no swap
	status pack.Field
	words  int
	first  []uint64 // positions with the first player to move
}

func newEntries(sys *rules.System, r *pack.Ranker, codec *pack.Codec, s *symmetry.Symmetry) entries {
	e := entries{ranker: r, status: codec.Status(), words: codec.Words()}
	if s != nil {
		e.image = symmetry.NewImage(sys, *s, codec)
	}
	return e
}

// len is the number of entries.
func (e *entries) len() uint64 {
	if e.image == nil {
		return e.ranker.Live()
	}
	return e.ranker.Live() / 2
}

// of returns the entry of the position of a live state.
func (e *entries) of(key []uint64) uint64 {
	if e.image != nil && key[e.status.Word]>>(e.status.Shift&63)&1 != 0 {
		if e.first == nil {
			e.first = make([]uint64, e.words)
		}
		key = e.image.Of(key, e.first[:e.words])
	}
	return e.ranker.Rank(key)
}

// mark marks the entry of the position of a live state if that of the image was taken.
func (e *entries) mark(key []uint64, entry uint64) uint64 {
	if e.image == nil {
		return entry
	}
	return entry | key[e.status.Word]>>(e.status.Shift&63)<<63
}

// find writes the entries of consecutive keys to ranks.
func (e *entries) find(keys, ranks []uint64) {
	if e.image == nil {
		e.ranker.Ranks(keys, ranks)
		return
	}
	e.ranker.Ranks(e.toFirst(keys), ranks)
	word, shift := e.status.Word, e.status.Shift&63
	for i := range ranks {
		ranks[i] |= keys[word] >> shift << 63
		keys = keys[e.words:]
	}
}

// toFirst returns the positions, or images of positions, in which the first player is to move. They
// are valid until the next call.
func (e *entries) toFirst(keys []uint64) []uint64 {
	to := slices.Grow(e.first[:0], len(keys))[:len(keys)]
	e.first = to
	e.image.Where(e.status, keys, to)
	mask := e.status.Mask << (e.status.Shift & 63) // finished states have one
	for at := e.status.Word; at < len(to); at += e.words {
		to[at] &^= mask
	}
	return to
}
