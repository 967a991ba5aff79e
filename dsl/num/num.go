// Package num is the arithmetic of the language: its range of numbers, operations that report a
// result outside it, and intervals that are rounded outwards. All computing with numbers of rules
// or claims is done here, so that no number wraps around.
package num

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// Most is the greatest number, and -Most the least. Any two numbers can be added without overflow
// of an int.
const Most = 1<<62 - 1

// ErrRange is the error of a result outside the range; ErrZero that of a division by zero.
var (
	ErrRange = fmt.Errorf("a number is beyond the range %d..%d", -Most, Most)
	ErrZero  = errors.New("division by zero")
)

// In reports whether v lies in the range.
func In(v int) bool { return -Most <= v && v <= Most }

// Add is a + b; ok is false if that is outside the range. Here and below the operands lie in the
// range.
func Add(a, b int) (sum int, ok bool) { return a + b, In(a + b) }

// Sub is a - b.
func Sub(a, b int) (difference int, ok bool) { return a - b, In(a - b) }

// Mul is a * b.
func Mul(a, b int) (product int, ok bool) {
	const half = 1 << 31
	if uint(a+half) < 2*half && uint(b+half) < 2*half {
		return a * b, In(a * b)
	}
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	if hi != 0 || lo > Most {
		return 0, false
	}
	if (a < 0) != (b < 0) {
		return -int(lo), true
	}
	return int(lo), true
}

func magnitude(v int) uint64 { return uint64(max(v, -v)) }

// Div divides by b, which is not 0, and rounds to minus infinity. The result is in the range.
func Div(a, b int) int {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// Mod is the remainder of Div; it has the sign of b.
func Mod(a, b int) int {
	m := a % b
	if m != 0 && (m < 0) != (b < 0) {
		m += b
	}
	return m
}

// Truth is a truth value as a number.
func Truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Run lists n numbers from lo on.
func Run(lo, n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = lo + i
	}
	return list
}

// Sum adds up; ok is false if the sum, or that of the first few numbers, is outside the range.
func Sum(list []int) (sum int, ok bool) {
	for _, v := range list {
		if sum += v; !In(sum) {
			return 0, false
		}
	}
	return sum, true
}

// Parse reads a decimal number, perhaps with a sign and with underscores between digits. The error
// of one that is outside the range is ErrRange; any other is that of strconv.Atoi.
func Parse(text string) (int, error) {
	if groups := strings.Split(text, "_"); len(groups) > 1 && !slices.ContainsFunc(groups, notDigits) {
		text = strings.Join(groups, "")
	}
	n, err := strconv.Atoi(text)
	if err == nil && !In(n) || errors.Is(err, strconv.ErrRange) {
		return 0, ErrRange
	}
	return n, err
}

func notDigits(text string) bool { return text == "" || strings.Trim(text, "0123456789") != "" }
