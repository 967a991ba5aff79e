package partial

import (
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
)

// Value is what is known of a number: it lies in an interval. Of names the part of the state
// because of which no more is known; it is meaningless in a known value.
type Value struct {
	num.Interval
	Of string
}

// PartName is what Of says of a pit or variable with this name.
func PartName(name string) string { return "`" + name + "`" }

// Known returns a known number. A number out of range is not known exactly: one that is too large
// is at least num.Most.
func Known(n int) Value { return Value{num.Range(n, n), ""} }

// AtLeast returns a number that is at least lo.
func AtLeast(lo int, of string) Value { return Value{num.Range(lo, num.Inf), of} }

// Between returns a number from lo to hi.
func Between(lo, hi int, of string) Value { return Value{num.Range(lo, hi), of} }

func anything(of string) Value { return Value{num.Anything, of} }

func maybe(of string) Value { return Value{num.Interval{Lo: 0, Hi: 1}, of} }

func truth(b bool) Value { return Known(num.Truth(b)) }

// Is returns the number, if it is known.
func (v Value) Is() (n int, known bool) { return v.Lo, v.Lo == v.Hi }

// HasTop reports whether there is an upper bound.
func (v Value) HasTop() bool { return v.Hi < num.Inf }

// Holds reports whether the number, as a truth value, is true. decided is false if that is unknown.
func (v Value) Holds() (holds, decided bool) {
	if v.Lo > 0 || v.Hi < 0 {
		return true, true
	}
	return false, v.Lo == 0 && v.Hi == 0
}

// blame returns the part because of which a result of v and w is unknown.
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

// hull returns a number that is v or w.
func hull(v, w Value) Value { return Value{v.Hull(w.Interval), blame(v, w)} }

func (v Value) plus(w Value) Value { return Value{v.Plus(w.Interval), blame(v, w)} }

// Apply computes v op w, which is no logical operator. ok is false for a division by zero.
func Apply(op rules.Op, v, w Value) (result Value, ok bool) {
	of := blame(v, w)
	switch op {
	case rules.Add:
		return v.plus(w), true
	case rules.Sub:
		return Value{v.Minus(w.Interval), of}, true
	case rules.Mul:
		return Value{v.Times(w.Interval), of}, true
	case rules.Min:
		return Value{num.Interval{Lo: min(v.Lo, w.Lo), Hi: min(v.Hi, w.Hi)}, of}, true
	case rules.Max:
		return Value{num.Interval{Lo: max(v.Lo, w.Lo), Hi: max(v.Hi, w.Hi)}, of}, true
	case rules.Div, rules.Mod:
		return divide(op, v, w)
	}
	return compare(op, v, w), true
}

// divide divides by a known number. Quotients by a positive one have bounds.
func divide(op rules.Op, v, w Value) (Value, bool) {
	a, known := v.Is()
	b, divisor := w.Is()
	switch {
	case divisor && b == 0:
		return Value{}, false
	case divisor && known && op == rules.Div:
		return Known(num.Div(a, b)), true
	case divisor && known:
		return Known(num.Mod(a, b)), true
	case divisor && b > 0 && op == rules.Div:
		return Value{v.Div(b), v.Of}, true
	case divisor && b > 0:
		return Value{v.Mod(b), v.Of}, true
	}
	return anything(blame(v, w)), true
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

// ordered returns true or false if one of these is certain.
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
