package gen

import (
	"math/rand/v2"
	"strings"
)

// chance makes random choices. All of them come from one source, so a seed determines the file.
type chance struct{ *rand.Rand }

// n draws a number below k. It is 0 for k less than 1, so callers need not check whether there is a
// choice.
func (c chance) n(k int) int {
	if k <= 1 {
		return 0
	}
	return c.IntN(k)
}

// between draws a number from lo to hi.
func (c chance) between(lo, hi int) int { return lo + c.n(hi-lo+1) }

// percent is true with a probability of p percent.
func (c chance) percent(p int) bool { return p > 0 && c.n(100) < p }

// weighted draws an index with a probability in proportion to its weight.
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

// list joins n texts, each by a call of text of its own.
func list(n int, sep string, text func() string) string {
	var parts []string
	for range n {
		parts = append(parts, text())
	}
	return strings.Join(parts, sep)
}

// numbered joins n texts with commas; text gets the index.
func numbered(n int, text func(i int) string) string {
	i := -1
	return list(n, ", ", func() string { i++; return text(i) })
}

// Bytes is a source that is driven by given bytes, so that a fuzzer can make the choices. After the
// last byte it continues as a linear congruential generator with a fixed seed: a loop that waits
// for some choice then ends.
type Bytes struct {
	data []byte
	tail uint64
}

// NewBytes makes a source of data.
func NewBytes(data []byte) *Bytes { return &Bytes{data: data, tail: 1} }

// Uint64 takes one byte of the data, because choices have few alternatives. It repeats the byte in
// the high and low parts, as the functions of package rand may use either.
func (b *Bytes) Uint64() uint64 {
	if len(b.data) > 0 {
		x := uint64(b.data[0])
		b.data = b.data[1:]
		return x<<56 | x<<24 | x
	}
	b.tail = b.tail*6364136223846793005 + 1442695040888963407
	return b.tail
}
