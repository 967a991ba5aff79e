package listing

import (
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/exec"
)

// passes bounds how often all conditions are used to narrow the intervals: one may benefit from
// another.
const passes = 3

// narrow restricts the intervals of pits to what the conditions allow; it reports whether any board
// remains.
func (s *search) narrow() bool {
	for changed, pass := true, 0; changed && pass < passes; pass++ {
		changed = false
		for _, c := range s.conditions {
			n := narrowing{search: s, cond: c}
			box, possible := n.where(c.x, true, boxOf(s.state.Seeds))
			if !possible {
				return false
			}
			changed = s.cut(box) || changed
		}
	}
	return true
}

// cut applies the bounds of the listed pits, and reports whether any is new.
func (s *search) cut(b box) (changed bool) {
	for p, listed := range s.Pits {
		if v := s.state.Seeds[p]; listed && (v.Lo != b.lo[p] || v.Hi != b.hi[p]) {
			s.state.Seeds[p] = partial.Between(b.lo[p], b.hi[p], v.Of)
			changed = changed || s.state.Seeds[p] != v
		}
	}
	return changed
}

// box bounds the seeds of every pit.
type box struct{ lo, hi []int }

func boxOf(seeds []partial.Value) box {
	bounds := make([]int, 2*len(seeds))
	b := box{bounds[:len(seeds)], bounds[len(seeds):]}
	for p, v := range seeds {
		b.lo[p], b.hi[p] = v.Lo, v.Hi
	}
	return b
}

func (b box) clone() box {
	return box{append([]int(nil), b.lo...), append([]int(nil), b.hi...)}
}

// empty reports whether some pit has no possible number of seeds.
func (b box) empty() bool {
	for p := range b.lo {
		if b.lo[p] > b.hi[p] {
			return true
		}
	}
	return false
}

// around returns the least box that contains b and c.
func (b box) around(c box) box {
	for p := range b.lo {
		b.lo[p], b.hi[p] = min(b.lo[p], c.lo[p]), max(b.hi[p], c.hi[p])
	}
	return b
}

// narrowing uses one condition.
type narrowing struct {
	*search
	cond condition
}

// where returns a box that contains all of b in which the truth of x is as wanted, and whether
// there may be any such board.
func (n narrowing) where(x *exec.Expr, want bool, b box) (box, bool) {
	v, err := n.eval(n.cond, x)
	if holds, decided := v.Holds(); err == nil && decided {
		return b, holds == want
	}
	_, negates := x.Of.(rules.Not)
	switch {
	case negates:
		return n.where(x.X, !want, b)
	case x.Parts != nil && (x.Op == rules.And) == want:
		return n.all(x.Parts, want, b)
	case x.Parts != nil:
		return n.any(x.Parts, want, b)
	case x.Op > rules.And && x.Op < rules.Add:
		op := x.Op
		if b = b.clone(); !want {
			op = opposites[op]
		}
		n.comparison(op, x.X, x.Right, b)
		return b, !b.empty()
	}
	return b, true
}

// all is where for each of some conditions, any for one of them.
func (n narrowing) all(xs []*exec.Expr, want bool, b box) (_ box, possible bool) {
	possible = true
	for i := 0; i < len(xs) && possible; i++ {
		b, possible = n.where(xs[i], want, b)
	}
	return b, possible
}

func (n narrowing) any(xs []*exec.Expr, want bool, b box) (around box, possible bool) {
	for _, x := range xs {
		switch c, is := n.where(x, want, b); {
		case is && possible:
			around = around.clone().around(c)
		case is:
			around, possible = c, true
		}
	}
	return around, possible
}

// opposites has for each comparison the one that holds where it does not.
var opposites = map[rules.Op]rules.Op{
	rules.Eq: rules.Ne, rules.Ne: rules.Eq, rules.Lt: rules.Ge, rules.Ge: rules.Lt, rules.Gt: rules.Le, rules.Le: rules.Gt,
}

func (n narrowing) comparison(op rules.Op, l, r *exec.Expr, b box) {
	switch op {
	case rules.Eq:
		n.atMost(l, r, 0, b)
		n.atMost(r, l, 0, b)
	case rules.Le:
		n.atMost(l, r, 0, b)
	case rules.Lt:
		n.atMost(l, r, -1, b)
	case rules.Ge:
		n.atMost(r, l, 0, b)
	case rules.Gt:
		n.atMost(r, l, -1, b)
	}
}

// atMost uses l <= r + more.
func (n narrowing) atMost(l, r *exec.Expr, more int, b box) {
	left, err := n.eval(n.cond, l)
	if err != nil {
		return
	}
	right, err := n.eval(n.cond, r)
	if err != nil {
		return
	}
	if right.HasTop() {
		n.below(l, right.Hi+more, b)
	}
	if left.Lo > 0 {
		n.above(r, left.Lo-more, b)
	}
}

// below uses x <= top. If x is a sum, each part is at most top minus the least values of the
// others.
func (n narrowing) below(x *exec.Expr, top int, b box) {
	top = max(top, -num.Most)
	switch of := x.Of.(type) {
	case rules.Cell:
		if p, ok := n.pit(of, x); ok {
			b.hi[p] = min(b.hi[p], top)
		}
	case rules.Sum:
		all, ok := total(of.Pits, b.lo)
		if !ok {
			return
		}
		for _, p := range of.Pits {
			others := all - b.lo[p]
			b.hi[p] = min(b.hi[p], top-others)
		}
	case rules.Binary:
		if x.Op == rules.Add {
			n.belowSum(x, top, b)
		}
	case rules.Const, rules.OpenParam, rules.Lookup, rules.Not, rules.Cond, rules.Question, rules.Old: // bound nothing
	}
}

func (n narrowing) belowSum(x *exec.Expr, top int, b box) {
	l, errL := n.eval(n.cond, x.X)
	r, errR := n.eval(n.cond, x.Right)
	if errL == nil && errR == nil && l.Lo >= 0 && r.Lo >= 0 {
		n.below(x.X, top-r.Lo, b)
		n.below(x.Right, top-l.Lo, b)
	}
}

// above uses x >= least.
func (n narrowing) above(x *exec.Expr, least int, b box) {
	least = min(least, num.Most)
	switch of := x.Of.(type) {
	case rules.Cell:
		if p, ok := n.pit(of, x); ok {
			b.lo[p] = max(b.lo[p], least)
		}
	case rules.Sum:
		hi := boxOf(n.state.Seeds).hi
		if top, ok := total(of.Pits, hi); ok {
			for _, p := range of.Pits {
				others := top - hi[p]
				b.lo[p] = max(b.lo[p], least-others)
			}
		}
	case rules.Const, rules.OpenParam, rules.Lookup, rules.Not, rules.Binary, rules.Cond, rules.Question, rules.Old:
	}
}

// total adds up the values of pits in a list by pit. It is not ok if the sum is out of range.
func total(pits, list []int) (n int, ok bool) {
	for _, p := range pits {
		if n += list[p]; n > num.Most {
			return 0, false
		}
	}
	return n, true
}

// pit returns the pit that x counts, if it is known.
func (n narrowing) pit(of rules.Cell, x *exec.Expr) (int, bool) {
	if of.Sort != rules.PitCell || of.Index == nil {
		return of.Slot, of.Sort == rules.PitCell
	}
	v, err := n.eval(n.cond, x.X)
	p, known := v.Is()
	return p, err == nil && known && p >= 0
}
