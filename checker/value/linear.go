package value

import "github.com/mancheck/mancheck/rules"

// linear is a number that depends on the seeds: a constant, and for each pit a weight for each of
// its seeds.
type linear struct {
	constant int
	weights  []int
}

// maxWeight bounds weights, and its square constants, so that no worth of a board overflows.
const maxWeight = 1 << 20

// linearMargin returns the score of the first player less that of the second, if it is linear.
func linearMargin(sys *rules.System) (linear, bool) {
	var sum rules.Linear
	for p, x := range sys.Scores {
		factor := 1
		if p != First {
			factor = -1
		}
		if !sum.Add(x, factor) {
			return linear{}, false
		}
	}
	l := linear{constant: sum.Constant, weights: make([]int, len(sys.Pits))}
	for _, t := range sum.Terms {
		p, fixed := rules.SeedsOf(t.X)
		if !fixed || t.Factor > maxWeight || t.Factor < -maxWeight {
			return l, false
		}
		if l.weights[p] += t.Factor; l.weights[p] > maxWeight || l.weights[p] < -maxWeight {
			return l, false
		}
	}
	return l, l.constant < maxWeight*maxWeight && l.constant > -maxWeight*maxWeight
}
