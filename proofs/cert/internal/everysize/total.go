package everysize

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/family"
)

// Amount is a number of seeds: a constant, and a multiple of each open parameter.
type Amount struct {
	Constant int
	Of       []int // by parameter of the System
}

// AmountOf returns an expression as an Amount. ok is false if it is none.
func AmountOf(sys *rules.System, x rules.Expr) (a Amount, ok bool) {
	a.Of = make([]int, len(sys.Params))
	var sum rules.Linear
	if !sum.Add(x, 1) {
		return a, false
	}
	a.Constant = sum.Constant
	for _, t := range sum.Terms {
		p, is := t.X.(rules.OpenParam)
		if !is {
			return a, false
		}
		if a.Of[p.Param], ok = num.Add(a.Of[p.Param], t.Factor); !ok {
			return a, false
		}
	}
	return a, true
}

// Equal reports whether two numbers are the same for all values of the open parameters.
func (a Amount) Equal(b Amount) bool {
	return a.Constant == b.Constant && slices.Equal(a.Of, b.Of)
}

// plus returns a with a multiple of b. ok is false if that is out of range.
func (a Amount) plus(b Amount, times int) (sum Amount, ok bool) {
	ok = true
	add := func(x, y int) int {
		product, fits := num.Mul(y, times)
		z, also := num.Add(x, product)
		ok = ok && fits && also
		return z
	}
	sum = Amount{add(a.Constant, b.Constant), slices.Clone(a.Of)}
	for i := range sum.Of {
		sum.Of[i] = add(sum.Of[i], b.Of[i])
	}
	return sum, ok
}

// Total is how many seeds each start of a System has, and how many more with each step of the size.
type Total struct{ Base, Step Amount }

// At returns the number of seeds after some steps of the size. ok is false if it is out of range.
func (t Total) At(steps int) (Amount, bool) { return t.Base.plus(t.Step, steps) }

// TotalOf returns how many seeds the starts have. The setup has to say how many there are in each
// pit; pits that are inserted get as many as the first one of their seam.
func TotalOf(sys *rules.System, seams []family.Seam) (t Total, why string) {
	none := Amount{Of: make([]int, len(sys.Params))}
	t = Total{none, none}
	in := make([]*Amount, len(sys.Pits))
	for _, cond := range rules.Conjuncts(sys.Start.Cond) {
		if p, n, ok := laidOut(sys, cond); ok && in[p] == nil {
			in[p] = &n
		}
	}
	fits := true
	add := func(sum, more Amount, times int) Amount {
		sum, ok := sum.plus(more, times)
		fits = fits && ok
		return sum
	}
	for p, free := range sys.Start.Free {
		switch {
		case !free:
		case in[p] == nil:
			return t, "the setup does not say how many seeds there are in `" + sys.Pits[p].Name + "`"
		default:
			t.Base = add(t.Base, *in[p], 1)
		}
	}
	for _, s := range seams {
		switch {
		case sys.Start.Free[s.X] != sys.Start.Free[s.Y]:
			return t, "the setup says how many seeds there are in only one of `" + sys.Pits[s.X].Name + "` and `" + sys.Pits[s.Y].Name + "`, between which the board grows"
		case sys.Start.Free[s.X]:
			t.Step = add(t.Step, *in[s.X], s.Grows)
		}
	}
	if !fits {
		return t, "the number of seeds is out of range"
	}
	return t, ""
}

// laidOut returns the pit and the number of a condition that a pit has a number of seeds.
func laidOut(sys *rules.System, cond rules.Expr) (pit int, n Amount, ok bool) {
	b, is := cond.(rules.Binary)
	if !is || b.Op != rules.Eq {
		return 0, n, false
	}
	for _, side := range [][2]rules.Expr{{b.L, b.R}, {b.R, b.L}} {
		if p, single := rules.SeedsOf(side[0]); single {
			n, ok = AmountOf(sys, side[1])
			return p, n, ok
		}
	}
	return 0, n, false
}
