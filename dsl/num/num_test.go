package num

import (
	"errors"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// edges are numbers at which arithmetic of some width ends, and their neighbours, as far as they
// are in the range.
var edges = func() []int {
	list := []int{0, 1, -1, 2, -2, 3, 7}
	for _, bits := range []int{15, 16, 31, 32, 53, 60, 61} {
		for _, d := range []int{-1, 0, 1} {
			list = append(list, 1<<bits+d, -(1<<bits)+d)
		}
	}
	return append(list, Most-1, Most, 1-Most, -Most)
}()

func number() *rapid.Generator[int] {
	return rapid.OneOf(rapid.SampledFrom(edges), rapid.IntRange(-Most, Most), rapid.IntRange(-9, 9))
}

func wideOf(v int) *big.Int { return big.NewInt(int64(v)) }

// TestArithmetic compares every operation with integers of any size.
func TestArithmetic(t *testing.T) {
	ops := map[string]struct {
		small func(a, b int) (int, bool)
		big   func(z, a, b *big.Int) *big.Int
	}{
		"add": {Add, (*big.Int).Add},
		"sub": {Sub, (*big.Int).Sub},
		"mul": {Mul, (*big.Int).Mul},
	}
	most := wideOf(Most)
	check := func(t interface{ Fatalf(string, ...any) }, a, b int) {
		for name, op := range ops {
			got, ok := op.small(a, b)
			want := op.big(new(big.Int), wideOf(a), wideOf(b))
			if in := want.CmpAbs(most) <= 0; in != ok || ok && wideOf(got).Cmp(want) != 0 {
				t.Fatalf("%s(%d, %d) = %d, %v; want %v", name, a, b, got, ok, want)
			}
		}
		if b == 0 {
			return
		}
		// a = q*b + r with r of b's sign, or 0, and nearer to 0
		q, r := wideOf(Div(a, b)), Mod(a, b)
		if back := q.Add(q.Mul(q, wideOf(b)), wideOf(r)); back.Cmp(wideOf(a)) != 0 || wideOf(r).CmpAbs(wideOf(b)) >= 0 || r != 0 && (r < 0) != (b < 0) {
			t.Fatalf("%d div %d = %d, mod %d", a, b, Div(a, b), r)
		}
	}
	for _, a := range edges {
		for _, b := range edges {
			check(t, a, b)
		}
	}
	rapid.Check(t, func(t *rapid.T) { check(t, number().Draw(t, "a"), number().Draw(t, "b")) })
}

func TestSum(t *testing.T) {
	if n, ok := Sum([]int{Most - 3, 1, 2}); !ok || n != Most {
		t.Errorf("%d, %v", n, ok)
	}
	for _, list := range [][]int{{Most, 1}, {Most, Most, Most, Most, Most}, {-Most, -1}} {
		if n, ok := Sum(list); ok {
			t.Errorf("the sum of %d is %d", list, n)
		}
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]int{
		"2147483647": 1<<31 - 1, "2147483648": 1 << 31, "-2147483649": -1<<31 - 1, "9007199254740993": 1<<53 + 1,
		"4611686018427387903": Most, "-4611686018427387903": -Most, "007": 7, "+3": 3,
	} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("%s: %d, %v", text, got, err)
		}
	}
	for _, text := range []string{
		"4611686018427387904", "-4611686018427387904", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
		"36893488147419103232", strings.Repeat("9", 400),
	} {
		if _, err := Parse(text); !errors.Is(err, ErrRange) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := Parse("1e3"); err == nil || errors.Is(err, ErrRange) {
		t.Errorf("1e3: %v", err)
	}
}

// drawn is an interval, and a number in it, which need not be in the range.
func drawn(t *rapid.T, label string) (Interval, *big.Int) {
	a, b := number().Draw(t, label), number().Draw(t, label)
	i := Interval{min(a, b), max(a, b)}
	open := rapid.SampledFrom([]string{"", "", "low", "high", "both"}).Draw(t, label+" open")
	v := wideOf(rapid.IntRange(i.Lo, i.Hi).Draw(t, label+" at"))
	beyond := new(big.Int).Mul(wideOf(number().Draw(t, label+" beyond")), wideOf(Most))
	if open == "low" || open == "both" {
		i.Lo = -Inf
	}
	if open == "high" || open == "both" {
		i.Hi = Inf
	}
	if contains(i, beyond) {
		v = beyond
	}
	return i, v
}

func contains(i Interval, v *big.Int) bool {
	return (i.Lo == -Inf || wideOf(i.Lo).Cmp(v) <= 0) && (i.Hi == Inf || v.Cmp(wideOf(i.Hi)) <= 0)
}

// TestIntervals: what an operation gives holds the result for all numbers in its operands, however
// large.
func TestIntervals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		i, v := drawn(t, "i")
		j, w := drawn(t, "j")
		k := rapid.OneOf(rapid.IntRange(1, 9), rapid.IntRange(1, Most)).Draw(t, "k")
		n := func() *big.Int { return new(big.Int) }
		kv := n().Mul(v, wideOf(k))
		for name, c := range map[string]struct {
			got  Interval
			want *big.Int
		}{
			"plus": {i.Plus(j), n().Add(v, w)}, "minus": {i.Minus(j), n().Sub(v, w)}, "times": {i.Times(j), n().Mul(v, w)},
			"negated": {i.Negated(), n().Neg(v)}, "div": {i.Div(k), n().Div(v, wideOf(k))},
			"mod":  {i.Mod(k), n().Mod(v, wideOf(k))},
			"hull": {i.Hull(j), w}, "factor": {i.Times(Point(k)).Factor(k), v}, "negative factor": {i.Times(Point(-k)).Factor(-k), v},
		} {
			if !contains(c.got, c.want) || c.got.Lo > c.got.Hi || c.got.Lo == Inf || c.got.Hi == -Inf {
				t.Fatalf("%v %s %v (%d): %v does not hold %v", i, name, j, k, c.got, c.want)
			}
		}
		if contains(i.Factor(k), v) != contains(i, kv) && contains(i, kv) {
			t.Fatalf("%v by %d: %v does not hold %v", i, k, i.Factor(k), v)
		}
		if contains(j, v) && !i.Meets(j) {
			t.Fatalf("%v and %v have %v in common", i, j, v)
		}
	})
}

// TestTotal: intervals that are taken out again leave no trace, also where partial sums are beyond
// the range.
func TestTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var total Total
		var list []Interval
		sum, rest := new(big.Int), new(big.Int)
		for n := range rapid.IntRange(1, 12).Draw(t, "n") {
			i, v := drawn(t, "i")
			total.Add(i)
			list = append(list, i)
			if sum.Add(sum, v); n > 0 {
				rest.Add(rest, v)
			}
		}
		if got := total.Interval(); !contains(got, sum) {
			t.Fatalf("%v: %v does not hold %v", list, got, sum)
		}
		if got := total.Without(list[0]); !contains(got, rest) {
			t.Fatalf("%v: %v does not hold %v", list[1:], got, rest)
		}
	})
	var exact Total
	for _, v := range []int{Most, Most, Most, -Most, -Most, -Most, 5} {
		exact.Add(Point(v))
	}
	if got := exact.Interval(); got != Point(5) {
		t.Errorf("got %v", got)
	}
}
