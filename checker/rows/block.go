package rows

import (
	"math/bits"
	"slices"

	"github.com/mancheck/mancheck/checker/plan"
)

// block is the states with one control and so many seeds in each territory.
type block struct {
	id
	layer   int
	side    int // the territory whose contents are rows
	seen    []uint64
	fresh   matrix  // states that may not have been seen
	turned  matrix  // more of these, with rows and columns exchanged; made when it is needed
	any     bool    // there may be such states
	taken   int64   // bytes
	actions []int32 // that may be legal; nil: not found yet
}

// id tells blocks apart.
type id struct {
	control plan.Key
	totals  [2]int
}

// matrix is a set of states: a row for each content of one territory, and in it a bit for each
// content of the other.
type matrix struct {
	words int // of a row
	bits  []uint64
	dirty []bool // by row: it is not empty
}

func newMatrix(rows, columns int) matrix {
	words := plan.WordsFor(columns)
	return matrix{words, make([]uint64, rows*words), make([]bool, rows)}
}

// matrixBytes is the memory of a matrix.
func matrixBytes(rows, columns int) int64 {
	return int64(rows)*(8*int64(plan.WordsFor(columns))+1) + 64
}

func (m *matrix) add(row, bit uint32) {
	m.bits[int(row)*m.words+int(bit>>6)] |= 1 << (bit & 63)
	m.dirty[row] = true
}

// row returns a row to which states will be added.
func (m *matrix) row(n uint32) []uint64 {
	m.dirty[n] = true
	at := int(n) * m.words
	return m.bits[at : at+m.words : at+m.words]
}

// turn moves the states in turned to fresh. States are added row by row, which is fast, and turned
// when they are needed, each once.
func (b *block) turn() {
	t := &b.turned
	var square [64]uint64
	for first := 0; first < len(t.dirty); first += 64 {
		rows := t.dirty[first:min(first+64, len(t.dirty))]
		if !slices.Contains(rows, true) {
			continue
		}
		clear(rows)
		for i := range t.words {
			n := 0
			for r := range rows {
				x := &t.bits[(first+r)*t.words+i]
				square[r], *x = *x, 0
				n += bits.OnesCount64(square[r])
			}
			clear(square[len(rows):])
			b.addSquare(&square, n, i<<6, first>>6)
		}
	}
}

// dense is how many of 64 by 64 states make it faster to turn them all at once.
const dense = 80

// addSquare adds n states to fresh, given as columns, which begin with a row of the block.
func (b *block) addSquare(square *[64]uint64, n, row, word int) {
	f := &b.fresh
	switch {
	case n == 0:
	case n < dense:
		for c, x := range square {
			for ; x != 0; x &= x - 1 {
				r := row + bits.TrailingZeros64(x)
				f.bits[r*f.words+word] |= 1 << c
				f.dirty[r] = true
			}
		}
	default:
		transpose(square)
		for r, x := range square {
			if x != 0 {
				f.bits[(row+r)*f.words+word] |= x
				f.dirty[row+r] = true
			}
		}
	}
}

// transpose exchanges the rows and the columns of a square of bits: ever smaller squares beside the
// diagonal are swapped (Warren, Hacker's Delight, section 7-3).
func transpose(square *[64]uint64) {
	mask := uint64(1)<<32 - 1
	for n := 32; n > 0; n, mask = n/2, mask^mask<<(n/2) {
		for r := 0; r < 64; r = (r + n + 1) &^ n {
			x := (square[r]>>n ^ square[r+n]) & mask
			square[r] ^= x << n
			square[r+n] ^= x
		}
	}
}

// take moves the new states of a row to those that were seen, and to news. It returns how many
// there are.
func (b *block) take(row int, news []uint64) (n int) {
	m := &b.fresh
	m.dirty[row] = false
	at := row * m.words
	fresh := m.bits[at : at+m.words]
	seen, news := b.seen[at : at+m.words][:len(fresh)], news[:len(fresh)]
	for i, x := range fresh {
		fresh[i] = 0
		x &^= seen[i]
		seen[i] |= x
		news[i] = x
		n += bits.OnesCount64(x)
	}
	return n
}
