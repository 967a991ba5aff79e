package num

import "math/bits"

// Inf as an upper bound, and -Inf as a lower one, stand for no bound.
const Inf = Most + 1

// Interval is the integers from Lo to Hi. Lo is -Inf or lies in the range of numbers, Hi is Inf or
// does. Operations round outwards: what they give holds every result, also those outside the range.
type Interval struct{ Lo, Hi int }

// Anything is the interval of all integers.
var Anything = Interval{-Inf, Inf}

// Point is the interval of one number.
func Point(v int) Interval { return Interval{v, v} }

// AtLeast is the interval of the numbers from lo up.
func AtLeast(lo int) Interval { return Interval{lo, Inf} }

// IsPoint reports whether i holds just one number.
func (i Interval) IsPoint() bool { return i.Lo == i.Hi }

// Bounded reports whether i has both bounds.
func (i Interval) Bounded() bool { return i.Lo > -Inf && i.Hi < Inf }

// Has reports whether v lies in i.
func (i Interval) Has(v int) bool { return i.Lo <= v && v <= i.Hi }

// Meets reports whether i and j have a number in common.
func (i Interval) Meets(j Interval) bool { return i.Lo <= j.Hi && j.Lo <= i.Hi }

// Hull is the least interval that holds i and j.
func (i Interval) Hull(j Interval) Interval { return Interval{min(i.Lo, j.Lo), max(i.Hi, j.Hi)} }

// Range is the interval of the numbers from lo to hi, which may lie outside the range, but not
// beyond 2*Inf.
func Range(lo, hi int) Interval { return outward(lo, hi) }

// outward makes bounds of an interval whose ends may be any numbers between -2*Inf and 2*Inf.
func outward(lo, hi int) Interval {
	if lo < -Most {
		lo = -Inf
	}
	if hi > Most {
		hi = Inf
	}
	return Interval{min(lo, Most), max(hi, -Most)}
}

// Plus holds the sums of a number in i and one in j.
func (i Interval) Plus(j Interval) Interval {
	lo, hi := -Inf, Inf
	if i.Lo > -Inf && j.Lo > -Inf {
		lo = i.Lo + j.Lo
	}
	if i.Hi < Inf && j.Hi < Inf {
		hi = i.Hi + j.Hi
	}
	return outward(lo, hi)
}

// Negated holds the negatives.
func (i Interval) Negated() Interval { return Interval{-i.Hi, -i.Lo} }

// Minus holds the differences.
func (i Interval) Minus(j Interval) Interval { return i.Plus(j.Negated()) }

// Times holds the products.
func (i Interval) Times(j Interval) Interval {
	a, b, c, d := mul(i.Lo, j.Lo), mul(i.Lo, j.Hi), mul(i.Hi, j.Lo), mul(i.Hi, j.Hi)
	return outward(min(a, b, c, d), max(a, b, c, d))
}

// mul multiplies bounds; zero times infinity is zero. A product outside the range is infinite.
func mul(a, b int) int {
	if a == 0 || b == 0 {
		return 0
	}
	if In(a) && In(b) {
		if p, ok := Mul(a, b); ok {
			return p
		}
	}
	if (a < 0) == (b < 0) {
		return Inf
	}
	return -Inf
}

// Div holds the quotients by k, which is positive, rounded to minus infinity.
func (i Interval) Div(k int) Interval {
	if i.Lo > -Inf {
		i.Lo = Div(i.Lo, k)
	}
	if i.Hi < Inf {
		i.Hi = Div(i.Hi, k)
	}
	return i
}

// Mod holds the remainders of a division by k, which is positive. They are never negative.
func (i Interval) Mod(k int) Interval {
	if i.Bounded() && Div(i.Lo, k) == Div(i.Hi, k) {
		return Interval{Mod(i.Lo, k), Mod(i.Hi, k)}
	}
	return Interval{0, k - 1}
}

// Factor holds each x for which k times x lies in i; k is not 0.
func (i Interval) Factor(k int) Interval {
	if k < 0 {
		i, k = i.Negated(), -k
	}
	if i.Lo > -Inf {
		i.Lo = -Div(-i.Lo, k)
	}
	if i.Hi < Inf {
		i.Hi = Div(i.Hi, k)
	}
	return i
}

// Total is a sum of intervals from which each can be removed again.
type Total struct {
	lo, hi       wide
	noLow, noTop int // number of intervals without such a bound
}

// Add adds an interval.
func (t *Total) Add(i Interval) { t.count(i, 1) }

func (t *Total) count(i Interval, sign int) {
	if i.Lo > -Inf {
		t.lo = t.lo.plus(sign * i.Lo)
	} else {
		t.noLow += sign
	}
	if i.Hi < Inf {
		t.hi = t.hi.plus(sign * i.Hi)
	} else {
		t.noTop += sign
	}
}

// Without holds the sums of all intervals but i, which was added before.
func (t Total) Without(i Interval) Interval {
	t.count(i, -1)
	return t.Interval()
}

// Interval holds the sums of all intervals added.
func (t Total) Interval() Interval {
	lo, hi := -Inf, Inf
	if t.noLow == 0 {
		lo = t.lo.clamped()
	}
	if t.noTop == 0 {
		hi = t.hi.clamped()
	}
	return outward(lo, hi)
}

// wide is an integer of 128 bits, in two's complement: no sum of numbers that can be held in memory
// overflows it.
type wide struct{ hi, lo uint64 }

func (w wide) plus(v int) wide {
	lo, carry := bits.Add64(w.lo, uint64(v), 0)
	hi, _ := bits.Add64(w.hi, uint64(v>>63), carry)
	return wide{hi, lo}
}

// clamped is w if that lies in the range of numbers, or else Inf or -Inf.
func (w wide) clamped() int {
	v := int(w.lo)
	switch {
	case w.hi == uint64(v>>63) && In(v):
		return v
	case int64(w.hi) < 0:
		return -Inf
	}
	return Inf
}
