package pack

import "encoding/binary"

// List is a list of numbers that takes only as many bytes for each as they need.
type List struct {
	width  int // bytes of a number
	n      int
	chunks [][]byte
}

// listBits is how many numbers a chunk has, as a power of two.
const listBits = 12

// NewList returns an empty list of numbers of at most the given number of bits.
func NewList(bits int) List { return List{width: max((bits+7)/8, 1)} }

// Len returns the number of elements.
func (l *List) Len() int { return l.n }

// Width returns the bytes that a number takes.
func (l *List) Width() int { return l.width }

// Clear empties the list and keeps its memory.
func (l *List) Clear() { l.n = 0 }

// Append appends the numbers with these indexes.
func (l *List) Append(numbers []uint64, at []int32) {
	for len(at) > 0 {
		c, first := l.last()
		k := min(len(at), 1<<listBits-first)
		to := c[first*l.width:]
		for _, i := range at[:k] {
			binary.LittleEndian.PutUint64(to, numbers[i]) // what is too much is overwritten by the next one
			to = to[l.width:]
		}
		l.n += k
		at = at[k:]
	}
}

// last returns the chunk for the next number, and the number's index there.
func (l *List) last() ([]byte, int) {
	if l.n>>listBits == len(l.chunks) {
		l.chunks = append(l.chunks, make([]byte, l.width<<listBits+8))
	}
	return l.chunks[l.n>>listBits], l.n & (1<<listBits - 1)
}

// Read writes the numbers from index lo on to all of out.
func (l *List) Read(lo int, out []uint64) {
	mask := ^uint64(0) >> (64 - 8*l.width)
	for j := range out {
		i := lo + j
		c := l.chunks[i>>listBits]
		out[j] = binary.LittleEndian.Uint64(c[(i&(1<<listBits-1))*l.width:]) & mask
	}
}
