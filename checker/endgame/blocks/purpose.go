package blocks

import (
	"math/bits"

	"github.com/mancheck/mancheck/checker/plan"
)

// Purpose is the purpose of passes over a layer.
type Purpose int

// The purposes, in order.
const (
	Unknowns Purpose = iota // marks positions that lead to one without a future
	Endless                 // marks positions from which play may go on for ever in the layer
	Futures
)

// Initial has the initial value of positions with a future, and the constant value of others.
var Initial = [...]struct{ Known, Unknown byte }{Unknowns: {0, 1}, Endless: {1, 0}, Futures: {0, noFuture}}

// evaluate finds the values of a row, as they are stored. base has the best of its moves to other
// layers, and line returns the line that a link leads to. unknown says that some positions have no
// future.
func (c *Control) evaluate(what Purpose, best, base []int8, links []Link, unknown bool, line func(*Link) ([]byte, error)) error {
	switch what {
	case Unknowns:
		for i, v := range base {
			best[i] = 0
			if v == NoValue {
				best[i] = 1
			}
		}
	case Endless:
		clear(best)
	case Futures:
		copy(best, base)
	}
	for i := range links {
		l := &links[i]
		from, err := line(l)
		if err != nil {
			return err
		}
		negated := l.negated && what == Futures
		if l.part == nil {
			raiseOne(&best[l.column], from[l.into], negated)
			continue
		}
		raisePart(best, from, l.table.To, l.part, 0, negated)
	}
	if what == Unknowns || !unknown && (what == Endless || c.Maximizing) {
		return nil
	}
	sign := int8(1)
	if what == Futures && !c.Maximizing {
		sign = -1
	}
	for i, v := range best {
		best[i] = sign * v
		if base[i] == NoValue {
			best[i] = int8(Initial[what].Unknown)
		}
	}
	return nil
}

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
