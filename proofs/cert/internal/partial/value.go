package partial

import (
	"math/big"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
)

// inf stands for no bound. Numbers beyond the range of the language are not told apart: of one that is too large it is known that it is at
// least num.Most. So a lower bound is never inf, nor an upper one -inf.
const inf = num.Most + 1

// Value is what is known of a number: it lies between Lo and Hi. Of names the part of the state because of which no more is
// known; it is meaningless in a value that is known.
type Value struct {
	Lo, Hi int
	Of     string
}

// Known is a number of which all is known.
func Known(n int) Value { return clamped(n, n, "") }

// AtLeast is a number from lo up.
func AtLeast(lo int, of string) Value { return clamped(lo, inf, of) }

// Between is a number from lo to hi.
func Between(lo, hi int, of string) Value { return clamped(lo, hi, of) }

// clamped rounds bounds outwards to such as there are.
func clamped(lo, hi int, of string) Value {
	if lo < -num.Most {
		lo = -inf
	}
	if hi > num.Most {
		hi = inf
	}
	return Value{Lo: min(lo, num.Most), Hi: max(hi, -num.Most), Of: of}
}

func anything(of string) Value { return Value{Lo: -inf, Hi: inf, Of: of} }

func maybe(of string) Value { return Value{Lo: 0, Hi: 1, Of: of} }

func truth(b bool) Value {
	if b {
		return Known(1)
	}
	return Known(0)
}

// Is returns the number, if it is known.
func (v Value) Is() (n int, known bool) { return v.Lo, v.Lo == v.Hi }

// Bounded reports whether there is an upper bound.
func (v Value) Bounded() bool { return v.Hi < inf }

// May reports whether the number may be n.
func (v Value) May(n int) bool { return v.Lo <= n && n <= v.Hi }

// Holds says whether the number, as a truth value, is true. If that is not known decided is false.
func (v Value) Holds() (holds, decided bool) {
	if v.Lo > 0 || v.Hi < 0 {
		return true, true
	}
	return false, v.Lo == 0 && v.Hi == 0
}

// blame is the part because of which a result of v and w is not known.
func blame(v, w Value) string {
	if _, known := v.Is(); !known {
		return v.Of
	}
	if _, known := w.Is(); !known {
		return w.Of
	}
	return tooLarge
}

const tooLarge = "a number that is too large"

// hull is a number that is v or w.
func hull(v, w Value) Value {
	return Value{Lo: min(v.Lo, w.Lo), Hi: max(v.Hi, w.Hi), Of: blame(v, w)}
}

func (v Value) plus(w Value) Value {
	lo, hi := -inf, inf
	if v.Lo != -inf && w.Lo != -inf {
		lo = v.Lo + w.Lo
	}
	if v.Hi != inf && w.Hi != inf {
		hi = v.Hi + w.Hi
	}
	return clamped(lo, hi, blame(v, w))
}

func (v Value) negated() Value { return Value{Lo: -v.Hi, Hi: -v.Lo, Of: v.Of} }

// apply computes v op w. ok is false for a division by zero.
func apply(op rules.Op, v, w Value) (result Value, ok bool) {
	switch op {
	case rules.Add:
		return v.plus(w), true
	case rules.Sub:
		return v.plus(w.negated()), true
	case rules.Min:
		return Value{min(v.Lo, w.Lo), min(v.Hi, w.Hi), blame(v, w)}, true
	case rules.Max:
		return Value{max(v.Lo, w.Lo), max(v.Hi, w.Hi), blame(v, w)}, true
	case rules.Mul, rules.Div, rules.Mod:
		return exactly(op, v, w)
	}
	return compare(op, v, w), true
}

// exactly computes what is only computed of known numbers.
func exactly(op rules.Op, v, w Value) (Value, bool) {
	a, aKnown := v.Is()
	b, bKnown := w.Is()
	if op != rules.Mul && bKnown && b == 0 {
		return Value{}, false
	}
	if !aKnown || !bKnown {
		return anything(blame(v, w)), true
	}
	switch op {
	case rules.Mul:
		return product(a, b), true
	case rules.Div:
		return Known(floorDiv(a, b)), true
	}
	return Known(a - b*floorDiv(a, b)), true
}

func product(a, b int) Value {
	p := new(big.Int).Mul(big.NewInt(int64(a)), big.NewInt(int64(b)))
	switch {
	case p.CmpAbs(big.NewInt(num.Most)) <= 0:
		return Known(int(p.Int64()))
	case p.Sign() > 0:
		return AtLeast(num.Most, tooLarge)
	}
	return AtLeast(num.Most, tooLarge).negated()
}

// floorDiv divides and rounds to minus infinity.
func floorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// compare decides a comparison if the bounds do.
func compare(op rules.Op, v, w Value) Value {
	switch op {
	case rules.Gt:
		return compare(rules.Lt, w, v)
	case rules.Ge:
		return compare(rules.Le, w, v)
	case rules.Ne:
		return not(compare(rules.Eq, v, w))
	case rules.Lt:
		return ordered(v.Hi < w.Lo, v.Lo >= w.Hi, v, w)
	case rules.Le:
		return ordered(v.Hi <= w.Lo, v.Lo > w.Hi, v, w)
	}
	a, aKnown := v.Is()
	b, bKnown := w.Is()
	return ordered(aKnown && bKnown && a == b, v.Hi < w.Lo || w.Hi < v.Lo, v, w)
}

// ordered is true or false if one of these is certain.
func ordered(yes, no bool, v, w Value) Value {
	switch {
	case yes && !no:
		return Known(1)
	case no && !yes:
		return Known(0)
	}
	return maybe(blame(v, w))
}

func not(v Value) Value {
	holds, decided := v.Holds()
	if !decided {
		return maybe(v.Of)
	}
	return truth(!holds)
}
