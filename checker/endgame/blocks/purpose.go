package blocks

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
