package cert

import (
	"context"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules"
)

// No statement of the kernel makes seeds or removes them: sowings and transfers move them from pit
// to pit, and pits cannot be assigned to. So every reachable state has as many seeds as some start.
// For conditions that are linear in the seeds this may be enough to decide them.

// mostTotals bounds how many different numbers of seeds the starts may have.
const mostTotals = 10_000

// checkConserved checks that no state with as many seeds as some start satisfies the target.
func (st *statement) checkConserved(ctx context.Context, r *Report) error {
	switch {
	case len(st.sys.OpenParams()) > 0:
		return reject("the number of seeds is evidence for one value of each parameter only")
	case st.target == nil:
		return reject("the number of seeds shows nothing about such a claim")
	case !(conserved{sys: st.sys}).concerns(st.target):
		return reject("the claim does not compare numbers of seeds")
	case assignsSeeds(st.sys):
		return reject("the rules assign to a pit")
	}
	m := partial.New(ctx, st.sys)
	starts, totals := 0, map[int]bool{}
	err := eachStart(ctx, m, st.tries, func(s partial.State) error {
		at, err := known(m, s)
		if err != nil {
			return err
		}
		starts++
		n := at.Total()
		if totals[n] {
			return nil
		}
		if totals[n] = true; len(totals) > mostTotals {
			return &NeedsSolver{"the starts have too many different numbers of seeds"}
		}
		if holds, _ := (conserved{st.sys, n}).truth(st.target); holds {
			return reject("that all states have %d seeds does not decide the claim", n)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if starts > 0 {
		r.Subject = st.hasSubject(ctx, whole(st.sys), m)
	} else {
		r.Subject = NoSubject
	}
	r.checked("starts, and the number of seeds of each", starts)
	r.Trusted = append(r.Trusted, executor)
	return nil
}

// assignsSeeds reports whether a statement assigns to a pit. The resolver makes no such statement.
func assignsSeeds(sys *rules.System) (does bool) {
	look := func(s rules.Stmt) {
		set, is := s.(rules.Set)
		does = does || is && set.To.Sort == rules.PitCell
	}
	for i := range sys.Actions {
		rules.WalkStmts(sys.Actions[i].Body, look)
	}
	for i := range sys.Reactions {
		for _, by := range sys.Reactions[i].By {
			rules.WalkStmts(by.Body, look)
		}
	}
	return does
}

// conserved stands for all states with a number of seeds, whichever pits they are in.
type conserved struct {
	sys   *rules.System
	total int
}

// truth reports whether a condition may hold in such a state, and whether it may not. Both are true
// if nothing is known.
func (c conserved) truth(x rules.Expr) (may, mayNot bool) {
	switch x := any(x).(type) { // most say nothing
	case rules.Const:
		return x.Value != 0, x.Value == 0
	case rules.Not:
		may, mayNot = c.truth(x.X)
		return mayNot, may
	case rules.Binary:
		return c.binary(x)
	}
	return true, true
}

// concerns reports whether a condition contains a comparison that is linear in the seeds.
func (c conserved) concerns(x rules.Expr) bool {
	switch x := any(x).(type) { // most say nothing
	case rules.Not:
		return c.concerns(x.X)
	case rules.Binary:
		if x.Op == rules.And || x.Op == rules.Or {
			return c.concerns(x.L) || c.concerns(x.R)
		}
		_, _, linear := c.difference(x.L, x.R)
		return linear
	}
	return false
}

// binary is truth for connectives and comparisons.
func (c conserved) binary(x rules.Binary) (may, mayNot bool) {
	if x.Op == rules.And || x.Op == rules.Or {
		l, notL := c.truth(x.L)
		r, notR := c.truth(x.R)
		if x.Op == rules.And {
			return l && r, notL || notR
		}
		return l || r, notL && notR
	}
	lo, hi, ok := c.difference(x.L, x.R)
	if !ok || x.Op < rules.Eq || x.Op > rules.Ge {
		return true, true
	}
	for _, d := range []int{lo, hi, min(max(lo, 0), hi)} { // every comparison changes its value only at 0, so these decide it
		is, err := rules.Apply(x.Op, d, 0)
		if err != nil {
			return true, true
		}
		may, mayNot = may || is != 0, mayNot || is == 0
	}
	return may, mayNot
}

// difference returns the bounds of l - r. Both are attained, with all seeds in one pit. ok is false
// if the difference is not linear in the seeds of fixed pits, or is out of range.
func (c conserved) difference(l, r rules.Expr) (lo, hi int, ok bool) {
	var sum rules.Linear
	if !sum.Add(l, 1) || !sum.Add(r, -1) {
		return 0, 0, false
	}
	if len(c.sys.Pits) == 0 {
		return sum.Constant, sum.Constant, len(sum.Terms) == 0
	}
	factors := make([]int, len(c.sys.Pits))
	for _, t := range sum.Terms {
		pit, is := t.X.(rules.Cell)
		if !is || pit.Sort != rules.PitCell || pit.Index != nil {
			return 0, 0, false
		}
		if factors[pit.Slot], ok = num.Add(factors[pit.Slot], t.Factor); !ok {
			return 0, 0, false
		}
	}
	least, most := factors[0], factors[0]
	for _, f := range factors {
		least, most = min(least, f), max(most, f)
	}
	lo, ok = linear(sum.Constant, least, c.total)
	if ok {
		hi, ok = linear(sum.Constant, most, c.total)
	}
	return lo, hi, ok
}

// linear returns a + b*n, unless that is out of range.
func linear(a, b, n int) (int, bool) {
	p, ok := num.Mul(b, n)
	if !ok {
		return 0, false
	}
	return num.Add(a, p)
}
