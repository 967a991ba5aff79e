package gen

import (
	"math/rand/v2"
	"strings"
)

// chance makes choices.
type chance struct{ *rand.Rand }

// n is a number below k, or 0.
func (c chance) n(k int) int {
	if k <= 1 {
		return 0
	}
	return c.IntN(k)
}

// between is a number from lo to hi.
func (c chance) between(lo, hi int) int { return lo + c.n(hi-lo+1) }

// percent is true in so many of a hundred cases.
func (c chance) percent(p int) bool { return p > 0 && c.n(100) < p }

// weighted is an index, as often as its weight says.
func (c chance) weighted(weights ...int) int {
	sum := 0
	for _, w := range weights {
		sum += w
	}
	k := c.n(sum)
	for i, w := range weights {
		if k < w {
			return i
		}
		k -= w
	}
	return 0
}

// of picks one of a list.
func of[T any](c chance, list []T) T { return list[c.n(len(list))] }

// one picks one of several texts.
func (c chance) one(texts ...string) string { return of(c, texts) }

// list joins n texts, each made anew.
func list(n int, sep string, text func() string) string {
	var parts []string
	for range n {
		parts = append(parts, text())
	}
	return strings.Join(parts, sep)
}

// numbered joins texts that know their places.
func numbered(n int, text func(i int) string) string {
	i := -1
	return list(n, ", ", func() string { i++; return text(i) })
}

// Bytes is a source that hands out given bytes, and then the same few numbers again and again. It
// lets a fuzzer choose.
type Bytes struct {
	data []byte
	tail uint64
}

// NewBytes makes a source of data.
func NewBytes(data []byte) *Bytes { return &Bytes{data: data, tail: 1} }

// Uint64 takes one byte of the data: choices here have few alternatives.
func (b *Bytes) Uint64() uint64 {
	if len(b.data) > 0 {
		x := uint64(b.data[0])
		b.data = b.data[1:]
		return x<<56 | x<<24 | x
	}
	b.tail = b.tail*6364136223846793005 + 1442695040888963407
	return b.tail
}
