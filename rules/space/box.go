package space

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// box bounds the seeds of every pit and, after these, the values of every parameter. changes counts
// how often a bound became tighter.
type box struct {
	lo, hi  []int
	changes int
}

// newBox has only the initial bounds: kept pits hold 0 or more seeds, others none; parameters are
// in their ranges.
func newBox(sys *rules.System, kept rules.Parts) *box {
	b := &box{}
	for p := range sys.Pits {
		b.lo, b.hi = append(b.lo, 0), append(b.hi, num.Inf)
		if !kept.HasPit(p) {
			b.hi[p] = 0
		}
	}
	for _, p := range sys.Params {
		in := p.Range()
		b.lo, b.hi = append(b.lo, in.Lo), append(b.hi, in.Hi)
	}
	return b
}

// clone copies the bounds. The copy counts its own changes from zero.
func (b *box) clone() *box { return &box{lo: slices.Clone(b.lo), hi: slices.Clone(b.hi)} }

func (b *box) bounds(i int) num.Interval { return num.Interval{Lo: b.lo[i], Hi: b.hi[i]} }

// cut restricts column i to v; it reports whether any number is left.
func (b *box) cut(i int, v num.Interval) bool {
	if v.Lo > b.lo[i] {
		b.lo[i] = v.Lo
		b.changes++
	}
	if v.Hi < b.hi[i] {
		b.hi[i] = v.Hi
		b.changes++
	}
	return b.lo[i] <= b.hi[i]
}

// cutAll restricts b to c. It is called only with boxes within b, so no column becomes empty.
func (b *box) cutAll(c *box) {
	for i := range b.lo {
		b.cut(i, c.bounds(i))
	}
}

// exclude removes v from column i if it is one of the bounds: a hole inside an interval cannot be
// expressed. It reports whether any number is left.
func (b *box) exclude(i, v int) bool {
	left := b.bounds(i)
	if left.Lo == v {
		left.Lo++
	}
	if left.Hi == v {
		left.Hi--
	}
	return b.cut(i, left)
}

// join extends b to the least box that contains b and c.
func (b *box) join(c *box) *box {
	for i := range b.lo {
		b.lo[i], b.hi[i] = min(b.lo[i], c.lo[i]), max(b.hi[i], c.hi[i])
	}
	return b
}

// unbounded names the pits without an upper bound.
func (b *box) unbounded(sys *rules.System) []string {
	open := lists.Where(b.hi[:len(sys.Pits)], func(hi int) bool { return hi == num.Inf })
	return lists.Map(open, func(p int) string { return sys.Pits[p].Name })
}
