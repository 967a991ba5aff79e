package rows

import "math/bits"

// block is the states with one control and so many seeds in each territory.
type block struct {
	id
	layer   int
	side    int // the territory whose contents are rows
	rows    int
	words   int // of a row
	seen    []uint64
	fresh   []uint64 // states that may not have been seen
	dirty   []bool   // by row: it has such states
	any     bool     // some row has
	actions []int32  // that may be legal
	trees   []*tree  // of their plans; nil: not found yet
}

// id tells blocks apart.
type id struct {
	control key
	totals  [2]int
}

// add adds a state.
func (b *block) add(row, bit uint32) {
	b.fresh[int(row)*b.words+int(bit>>6)] |= 1 << (bit & 63)
	b.dirty[row], b.any = true, true
}

// take moves the new states of a row to those that were seen and appends their bits to a list.
func (b *block) take(row int, list []uint32) []uint32 {
	b.dirty[row] = false
	at := row * b.words
	fresh := b.fresh[at : at+b.words]
	seen := b.seen[at : at+b.words][:len(fresh)]
	for i, x := range fresh {
		if x == 0 {
			continue
		}
		fresh[i] = 0
		x &^= seen[i]
		seen[i] |= x
		for ; x != 0; x &= x - 1 {
			list = append(list, uint32(i<<6+bits.TrailingZeros64(x)))
		}
	}
	return list
}

// bytes is the memory of a block.
func (b *block) bytes() int64 { return int64(b.rows)*int64(b.words)*16 + int64(b.rows) + 256 }
