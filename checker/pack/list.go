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
		l.put(c[first*l.width:], numbers, at[:k])
		l.n += k
		at = at[k:]
	}
}

// put writes numbers to consecutive places.
func (l *List) put(to []byte, numbers []uint64, at []int32) {
	for len(at) > 0 && len(to) >= 8 {
		binary.LittleEndian.PutUint64(to, numbers[at[0]]) // what is too much is overwritten by the next one
		to, at = to[l.width:], at[1:]
	}
	for _, i := range at {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], numbers[i])
		copy(to, b[:l.width])
		to = to[l.width:]
	}
}

// last returns the chunk for the next number, and the number's index there.
func (l *List) last() ([]byte, int) {
	if l.n>>listBits == len(l.chunks) {
		l.chunks = append(l.chunks, make([]byte, l.width<<listBits))
	}
	return l.chunks[l.n>>listBits], l.n & (1<<listBits - 1)
}

// Read writes the numbers from index lo on to all of out.
func (l *List) Read(lo int, out []uint64) {
	for j := range out {
		i := lo + j
		from := l.chunks[i>>listBits][(i&(1<<listBits-1))*l.width:]
		if len(from) >= 8 {
			out[j] = binary.LittleEndian.Uint64(from) & (1<<(8*l.width) - 1)
			continue
		}
		var b [8]byte
		copy(b[:l.width], from)
		out[j] = binary.LittleEndian.Uint64(b[:])
	}
}
