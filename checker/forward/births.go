package forward

import "math/bits"

// births records which state was first to reach each state, in two bits per state: for each
// expanded state in turn a one for each state it was first to reach, and a zero. States are
// numbered in the order in which they are first reached, so the n-th one of the record belongs to
// the n-th state that is not a start, and the zeros before it count the states expanded earlier.
type births struct {
	starts int
	words  []uint64
	n      int // bits
}

// add records that the next expanded state was first to reach this many states.
func (b *births) add(children int) {
	for range children {
		b.push(1)
	}
	b.push(0)
}

func (b *births) push(bit uint64) {
	if b.n&63 == 0 {
		b.words = append(b.words, 0)
	}
	b.words[b.n>>6] |= bit << (b.n & 63)
	b.n++
}

// parent returns the state that was first to reach i, or -1 for a start.
func (b *births) parent(i int) int {
	if i < b.starts {
		return -1
	}
	rank := i - b.starts
	for w, word := range b.words {
		ones := bits.OnesCount64(word)
		if rank < ones {
			return w<<6 + nthOne(word, rank) - (i - b.starts)
		}
		rank -= ones
	}
	panic("forward: a state without a birth")
}

// nthOne returns the position of the one with rank ones below it.
func nthOne(word uint64, rank int) int {
	for range rank {
		word &= word - 1
	}
	return bits.TrailingZeros64(word)
}

// bytes returns the memory taken.
func (b *births) bytes() int64 { return int64(cap(b.words)) * 8 }
