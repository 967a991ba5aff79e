package cert

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules"
)

// outlook is what laws tell of a state, or of the two states of a step, without playing: bounds of
// the seeds in pits and of the values of variables. Conditions are judged by it. Sums of seeds are
// judged as a whole, so that seeds that only change places do not matter.
type outlook struct {
	sys      *rules.System
	total    num.Interval // seeds in all pits
	least    []least
	residues []residue
	mover    num.Interval // before the step, if there is one
	change   func(factors []int) num.Interval
}

// players has the values of the mover, who may be nobody.
func players(sys *rules.System) num.Interval {
	return num.Interval{Lo: rules.None, Hi: len(sys.Players) - 1}
}

// least says that some pits have at least so many seeds. The pits of several are different ones.
type least struct {
	pits  []int
	seeds int
}

// residue says that the seeds in some pits differ from a number by a multiple.
type residue struct {
	pits         []int
	every, seeds int
}

// sum is a sum of seeds of fixed pits in the state, and in the one before the step, and of other
// expressions.
type sum struct {
	constant num.Interval
	now, old []int // by pit: the factor
}

// evaluate bounds the value of x: in the state before the step if old is set.
func (o *outlook) evaluate(x rules.Expr, old bool) num.Interval {
	s := o.nothing()
	o.add(&s, x, 1, old)
	return o.bound(&s)
}

func (o *outlook) nothing() sum {
	return sum{num.Point(0), make([]int, len(o.sys.Pits)), make([]int, len(o.sys.Pits))}
}

// add adds a multiple of x to s.
func (o *outlook) add(s *sum, x rules.Expr, factor int, old bool) {
	if before, is := x.(rules.Old); is {
		o.add(s, before.X, factor, true)
		return
	}
	if pit, is := x.(rules.Cell); is && pit.Sort == rules.PitCell && pit.Index == nil {
		at := s.now
		if old {
			at = s.old
		}
		if f, ok := num.Add(at[pit.Slot], factor); ok {
			at[pit.Slot] = f
			return
		}
	}
	parts := rules.Summands(x)
	if _, empty := x.(rules.Sum); parts == nil && !empty {
		s.constant = s.constant.Plus(num.Point(factor).Times(o.other(x, old)))
		return
	}
	for _, p := range parts {
		k, ok := num.Mul(factor, p.Factor)
		if !ok {
			s.constant = num.Anything
			return
		}
		o.add(s, p.X, k, old)
	}
}

// bound returns the bounds of a sum. What a step changes is bounded apart from what was there.
func (o *outlook) bound(s *sum) num.Interval {
	factors, all := slices.Clone(s.now), s.constant
	if o.change != nil {
		for p, f := range s.old {
			var ok bool
			if factors[p], ok = num.Add(f, factors[p]); !ok {
				return num.Anything
			}
		}
		all = all.Plus(o.change(s.now))
	}
	if len(factors) == 0 {
		return all
	}
	free := o.total
	for _, l := range o.least {
		some := lists.Map(l.pits, func(p int) int { return factors[p] })
		all = all.Plus(num.Point(l.seeds).Times(spread(some)))
		free = free.Minus(num.Point(l.seeds))
	}
	free.Lo = max(free.Lo, 0)
	return all.Plus(free.Times(spread(factors)))
}

// spread is the least interval that holds all numbers of a list.
func spread(list []int) num.Interval { return num.Interval{Lo: slices.Min(list), Hi: slices.Max(list)} }

// other bounds an expression that is no sum of others.
func (o *outlook) other(x rules.Expr, old bool) num.Interval {
	switch x := x.(type) {
	case rules.Const:
		return num.Point(x.Value)
	case rules.OpenParam:
		return o.sys.Params[x.Param].Range()
	case rules.Cell:
		return o.cell(x, old)
	case rules.Lookup:
		list := slices.Clone(x.Table.Of)
		if v, ok := x.Table.OfNone(); ok {
			list = append(list, v)
		}
		return spread(list)
	case rules.Cond:
		return o.evaluate(x.Then, old).Hull(o.evaluate(x.Else, old))
	case rules.Binary:
		return o.binary(x, old)
	case rules.Not, rules.Question:
		return truths(o.truth(x, old))
	case rules.Old, rules.Sum:
	}
	return num.Anything
}

func truths(may, mayNot bool) num.Interval {
	lo := num.Truth(!mayNot)
	return num.Interval{Lo: lo, Hi: max(lo, num.Truth(may))}
}

func (o *outlook) cell(x rules.Cell, old bool) num.Interval {
	switch {
	case x.Sort == rules.PitCell:
		return num.Interval{Lo: 0, Hi: o.total.Hi}
	case x.IsRegister(rules.MoverReg) && (old || o.change == nil):
		return o.mover
	case x.IsRegister(rules.MoverReg):
		return players(o.sys)
	case x.IsRegister(rules.OutcomeReg) && old:
		return num.Point(rules.Live)
	case x.IsRegister(rules.OutcomeReg):
		return num.Interval{Lo: rules.Live, Hi: len(o.sys.Outcomes) - 1}
	case x.Sort != rules.VarCell:
		return num.Anything
	}
	values := lists.Flat(x.Slots(len(o.sys.Vars)), func(v int) []int { return o.sys.Vars[v].Domain })
	if len(values) == 0 {
		return num.Anything
	}
	return spread(values)
}

func (o *outlook) binary(x rules.Binary, old bool) num.Interval {
	l, r := o.evaluate(x.L, old), o.evaluate(x.R, old)
	positive := r.IsPoint() && r.Lo > 0
	switch {
	case x.Op < rules.Add:
		return truths(o.truth(x, old))
	case (x.Op == rules.Div || x.Op == rules.Mod) && !positive:
		return num.Anything
	case x.Op == rules.Mod:
		if v, ok := o.remainder(x.L, r.Lo); ok {
			return num.Point(v)
		}
	}
	v, _ := partial.Apply(x.Op, partial.Value{Interval: l}, partial.Value{Interval: r})
	return v.Interval
}

// remainder returns the remainder of x divided by k, if a residue tells it: x has to be a constant
// and a multiple of the seeds in the pits of the residue.
func (o *outlook) remainder(x rules.Expr, k int) (int, bool) {
	s := o.nothing()
	o.add(&s, x, 1, false)
	if o.change != nil || !s.constant.IsPoint() {
		return 0, false
	}
	for _, r := range o.residues {
		f := s.now[r.pits[0]]
		fits := true
		for p, g := range s.now {
			fits = fits && (g == f) == slices.Contains(r.pits, p) && (g == f || g == 0)
		}
		every, ok := num.Mul(f, r.every)
		all, ok2 := num.Mul(f, r.seeds)
		all, ok3 := num.Add(all, s.constant.Lo)
		if fits && f != 0 && ok && ok2 && ok3 && num.Mod(every, k) == 0 {
			return num.Mod(all, k), true
		}
	}
	return 0, false
}

// truth reports whether a condition may hold, and whether it may not. Both are true if nothing is
// known.
func (o *outlook) truth(whole rules.Expr, old bool) (may, mayNot bool) {
	switch x := any(whole).(type) { // most say nothing
	case rules.Old:
		return o.truth(x.X, true)
	case rules.Not:
		may, mayNot = o.truth(x.X, old)
		return mayNot, may
	case rules.Question:
		return true, true
	case rules.Binary:
		switch x.Op {
		case rules.And, rules.Or:
			l, notL := o.truth(x.L, old)
			r, notR := o.truth(x.R, old)
			if x.Op == rules.And {
				return l && r, notL || notR
			}
			return l || r, notL && notR
		case rules.Eq, rules.Ne, rules.Lt, rules.Le, rules.Gt, rules.Ge:
			s := o.nothing()
			o.add(&s, x.L, 1, old)
			o.add(&s, x.R, -1, old)
			v, _ := partial.Apply(x.Op, partial.Value{Interval: o.bound(&s)}, partial.Known(0))
			return v.Hi != 0, v.Has(0)
		}
	}
	v := o.evaluate(whole, old)
	return v != num.Point(0), v.Has(0)
}
