package space

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
)

// inf stands for no bound; numbers at or beyond it are kept there. It leaves room for adding a few without overflow.
const inf = 1 << 60

// interval is the numbers from lo to hi.
type interval struct{ lo, hi int }

var (
	anything = interval{-inf, inf}
	maybe    = interval{0, 1}
)

func point(v int) interval { return interval{v, v} }

func (i interval) isPoint() bool { return i.lo == i.hi && finite(i.lo) }

func (i interval) hull(j interval) interval { return interval{min(i.lo, j.lo), max(i.hi, j.hi)} }

func finite(v int) bool { return -inf < v && v < inf }

func clamp(v int) int { return max(-inf, min(v, inf)) }

// add adds numbers that may be infinite, of the same sign if both are.
func add(a, b int) int {
	switch {
	case !finite(a):
		return a
	case !finite(b):
		return b
	}
	return clamp(a + b)
}

// mul multiplies numbers that may be infinite; nothing times infinite is nothing.
func mul(a, b int) int {
	if a == 0 || b == 0 {
		return 0
	}
	p := a * b
	if !finite(a) || !finite(b) || p/b != a || !finite(p) {
		if (a < 0) == (b < 0) {
			return inf
		}
		return -inf
	}
	return p
}

func (i interval) plus(j interval) interval { return interval{add(i.lo, j.lo), add(i.hi, j.hi)} }

func (i interval) times(j interval) interval {
	a, b, c, d := mul(i.lo, j.lo), mul(i.lo, j.hi), mul(i.hi, j.lo), mul(i.hi, j.hi)
	return interval{min(a, b, c, d), max(a, b, c, d)}
}

// box bounds the seeds of every pit and, behind these, the values of every parameter.
// changes counts how often a bound became tighter.
type box struct {
	lo, hi  []int
	changes int
}

// newBox has no bounds but those of kept pits, which hold 0 or more seeds, of others, which hold none, and of parameters.
func newBox(sys *rules.System, kept []bool) *box {
	b := &box{}
	for p := range sys.Pits {
		b.lo, b.hi = append(b.lo, 0), append(b.hi, inf)
		if !keeps(kept, p) {
			b.hi[p] = 0
		}
	}
	for _, p := range sys.Params {
		hi := inf
		if p.HasHi {
			hi = p.Hi
		}
		b.lo, b.hi = append(b.lo, p.Lo), append(b.hi, hi)
	}
	return b
}

func (b *box) clone() *box { return &box{lo: slices.Clone(b.lo), hi: slices.Clone(b.hi)} }

func (b *box) set(from *box) {
	copy(b.lo, from.lo)
	copy(b.hi, from.hi)
}

func (b *box) at(i int) interval { return interval{b.lo[i], b.hi[i]} }

// cut leaves in column i only the numbers of v; it reports whether any are left.
func (b *box) cut(i int, v interval) bool {
	if v.lo > b.lo[i] {
		b.lo[i] = v.lo
		b.changes++
	}
	if v.hi < b.hi[i] {
		b.hi[i] = v.hi
		b.changes++
	}
	return b.lo[i] <= b.hi[i]
}

func (b *box) cutAll(c *box) {
	for i := range b.lo {
		b.cut(i, c.at(i))
	}
}

// exclude takes v away from column i if it is one of its ends.
func (b *box) exclude(i, v int) bool {
	left := b.at(i)
	if left.lo == v {
		left.lo++
	}
	if left.hi == v {
		left.hi--
	}
	return b.cut(i, left)
}

// join makes b the least box that holds b and c.
func (b *box) join(c *box) *box {
	for i := range b.lo {
		b.lo[i], b.hi[i] = min(b.lo[i], c.lo[i]), max(b.hi[i], c.hi[i])
	}
	return b
}

// unbounded names the pits without an upper bound.
func (b *box) unbounded(sys *rules.System) []string {
	var names []string
	for i, p := range sys.Pits {
		if !finite(b.hi[i]) {
			names = append(names, p.Name)
		}
	}
	return names
}
