package num

import "math/bits"

// wide is an integer of 128 bits, in two's complement: no sum of numbers that can be held in memory
// overflows it.
type wide struct{ hi, lo uint64 }

func (w wide) plus(v int) wide {
	lo, carry := bits.Add64(w.lo, uint64(v), 0)
	hi, _ := bits.Add64(w.hi, uint64(v>>63), carry)
	return wide{hi, lo}
}

// clamped is w if that lies in the range of numbers, or else Inf or -Inf.
func (w wide) clamped() int {
	v := int(w.lo)
	switch {
	case w.hi == uint64(v>>63) && In(v):
		return v
	case int64(w.hi) < 0:
		return -Inf
	}
	return Inf
}
