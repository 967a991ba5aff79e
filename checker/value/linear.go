package value

import "github.com/mancheck/mancheck/rules"

// linear is a number that depends on the seeds: a constant, and for each pit a weight for each of
// its seeds.
type linear struct {
	constant int
	weights  []int
}

// most bounds constants and weights, so that no worth of a board overflows.
const most = 1 << 20

// linearMargin returns the score of the first player less that of the second, if it is linear.
func linearMargin(sys *rules.System) (linear, bool) {
	l := linear{weights: make([]int, len(sys.Pits))}
	for p, x := range sys.Scores {
		factor := 1
		if p != First {
			factor = -1
		}
		if !l.add(x, factor) {
			return l, false
		}
	}
	return l, true
}

// add adds a multiple of an expression; false says that it is not linear, or too large.
func (l *linear) add(x rules.Expr, factor int) bool {
	if factor > most || factor < -most {
		return false
	}
	switch x := x.(type) {
	case rules.Const:
		if x.Value > most || x.Value < -most {
			return false
		}
		l.constant += factor * x.Value
		return l.constant < most*most && l.constant > -most*most
	case rules.Sum:
		for _, p := range x.Pits {
			if !l.weigh(p, factor) {
				return false
			}
		}
		return true
	case rules.Cell:
		p, fixed := rules.SeedsOf(x)
		return fixed && l.weigh(p, factor)
	case rules.Binary:
		return l.binary(x, factor)
	case rules.Cond, rules.Lookup, rules.Not, rules.Old, rules.OpenParam, rules.Question:
	}
	return false
}

func (l *linear) binary(x rules.Binary, factor int) bool {
	switch x.Op {
	case rules.Add:
		return l.add(x.L, factor) && l.add(x.R, factor)
	case rules.Sub:
		return l.add(x.L, factor) && l.add(x.R, -factor)
	case rules.Mul:
		if c, is := x.L.(rules.Const); is && c.Value <= most && c.Value >= -most {
			return l.add(x.R, factor*c.Value)
		}
		if c, is := x.R.(rules.Const); is && c.Value <= most && c.Value >= -most {
			return l.add(x.L, factor*c.Value)
		}
	}
	return false
}

func (l *linear) weigh(pit, by int) bool {
	l.weights[pit] += by
	return l.weights[pit] <= most && l.weights[pit] >= -most
}
