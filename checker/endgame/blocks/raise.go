package blocks

import (
	"math/bits"

	"github.com/mancheck/mancheck/checker/plan"
)

// raisePart raises the values of a part of a row to the worth of moves to other positions.
func raisePart(best []int8, from []byte, to []uint32, q *plan.Part, won int32, negated bool) {
	switch {
	case q.Mask != nil:
		raiseSome(best, from, to, q.Mask, won, negated)
	case q.Same:
		raiseSame(best, from, won, negated)
	default:
		raise(best, from, to, won, negated)
	}
}

// raise raises the values of a row to the worth of moves to other positions.
func raise(best []int8, from []byte, to []uint32, won int32, negated bool) {
	to = to[:len(best)]
	if negated {
		for i, b := range best {
			best[i] = int8(max(int32(b), won-int32(int8(from[to[i]&(1<<plan.ResultAt-1)]))))
		}
		return
	}
	for i, b := range best {
		best[i] = int8(max(int32(b), won+int32(int8(from[to[i]&(1<<plan.ResultAt-1)]))))
	}
}

// raiseSame is raise if the contents stay as they are.
func raiseSame(best []int8, from []byte, won int32, negated bool) {
	from = from[:len(best)]
	if negated {
		for i, b := range best {
			best[i] = int8(max(int32(b), won-int32(int8(from[i]))))
		}
		return
	}
	for i, b := range best {
		best[i] = int8(max(int32(b), won+int32(int8(from[i]))))
	}
}

// raiseSome is raise for some of the values.
func raiseSome(best []int8, from []byte, to []uint32, mask []uint64, won int32, negated bool) {
	sign := int32(1)
	if negated {
		sign = -1
	}
	for i, set := range mask {
		for ; set != 0; set &= set - 1 {
			x := i<<6 + bits.TrailingZeros64(set)
			best[x] = int8(max(int32(best[x]), won+sign*int32(int8(from[to[x]&(1<<plan.ResultAt-1)]))))
		}
	}
}

// raiseOne is raise for one value, with nothing won.
func raiseOne(best *int8, from byte, negated bool) {
	v := int8(from)
	if negated {
		v = -v
	}
	*best = max(*best, v)
}
