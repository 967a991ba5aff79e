package judge

import (
	"math"
	"math/big"
	"math/bits"
)

// num is an integer of any size, since the judge must not share the limits of the engines. Small
// ones are in i; big is set only if i does not suffice, so each number has one form.
type num struct {
	i   int64
	big *big.Int
}

func whole(n int) num { return num{i: int64(n)} }

func bit(b bool) num {
	if b {
		return num{i: 1}
	}
	return num{}
}

// readNum reads a decimal number.
func readNum(text string) num {
	b, ok := new(big.Int).SetString(text, 10)
	if !ok {
		wrongf("%q is no number", text)
	}
	return normal(b)
}

func (a num) wide() *big.Int {
	if a.big != nil {
		return a.big
	}
	return big.NewInt(a.i)
}

// normal returns the form with i if the number fits.
func normal(b *big.Int) num {
	if b.IsInt64() {
		return num{i: b.Int64()}
	}
	return num{big: b}
}

func (a num) small(b num) bool { return a.big == nil && b.big == nil }

// add detects an overflow by the sign: the sum is greater than a only if b is positive.
func (a num) add(b num) num {
	if a.small(b) {
		if s := a.i + b.i; (s > a.i) == (b.i > 0) {
			return num{i: s}
		}
	}
	return normal(new(big.Int).Add(a.wide(), b.wide()))
}

// neg handles the least int64 apart, whose negation does not fit.
func (a num) neg() num {
	if a.big == nil && a.i != math.MinInt64 {
		return num{i: -a.i}
	}
	return normal(new(big.Int).Neg(a.wide()))
}

func (a num) sub(b num) num { return a.add(b.neg()) }

// mul multiplies absolute values in 128 bits to see whether the product fits.
func (a num) mul(b num) num {
	if a.small(b) && a.i > math.MinInt64 && b.i > math.MinInt64 {
		hi, lo := bits.Mul64(uint64(max(a.i, -a.i)), uint64(max(b.i, -b.i)))
		if hi == 0 && lo <= math.MaxInt64 {
			if (a.i < 0) != (b.i < 0) {
				return num{i: -int64(lo)}
			}
			return num{i: int64(lo)}
		}
	}
	return normal(new(big.Int).Mul(a.wide(), b.wide()))
}

// divMod rounds towards minus infinity, so the remainder has the sign of b.
func (a num) divMod(b num) (quo, rem num) {
	if b.sign() == 0 {
		failf("division by zero")
	}
	q, r := new(big.Int).QuoRem(a.wide(), b.wide(), new(big.Int))
	if r.Sign() != 0 && (r.Sign() < 0) != (b.sign() < 0) {
		q.Sub(q, big.NewInt(1))
		r.Add(r, b.wide())
	}
	return normal(q), normal(r)
}

func (a num) sign() int {
	if a.big != nil {
		return a.big.Sign()
	}
	return a.cmp(num{})
}

// less is 1 or 0, for small numbers.
func (a num) less(b num) int {
	if a.i < b.i {
		return 1
	}
	return 0
}

func (a num) cmp(b num) int {
	if a.small(b) {
		return b.less(a) - a.less(b)
	}
	return a.wide().Cmp(b.wide())
}

// compared evaluates `a op b`.
func compared(op string, a, b num) bool { return ordered(op, a.cmp(b)) }

func ordered(op string, c int) bool {
	switch op {
	case "=":
		return c == 0
	case "/=", "!=":
		return c != 0
	case "<":
		return c < 0
	case "<=":
		return c <= 0
	case ">":
		return c > 0
	case ">=":
		return c >= 0
	}
	wrongf("%q compares nothing", op)
	return false
}

// int converts a number that sizes something to an int. One that is too large counts as a limit.
func (a num) int(what string) int {
	if a.big != nil || a.i > 1<<31 || a.i < -1<<31 {
		exceedf("%s is too large to be tried", what)
	}
	return int(a.i)
}

func (a num) String() string { return a.wide().String() }
