package rows

import "math/bits"

// news is the new states of a row.
type news struct {
	set    []uint64
	n      int      // how many there are
	list   []uint32 // their numbers, if they are listed
	listed bool
}

// states lists them.
func (n *news) states() []uint32 {
	if !n.listed {
		n.list, n.listed = numbers(n.set, n.list[:0]), true
	}
	return n.list
}

// numbers appends the numbers of the bits that are set.
func numbers(set []uint64, list []uint32) []uint32 {
	for i, x := range set {
		for ; x != 0; x &= x - 1 {
			list = append(list, uint32(i<<6+bits.TrailingZeros64(x)))
		}
	}
	return list
}
