package gen

import (
	"fmt"
	"strconv"
)

// small writes a small number, sometimes as an expression or in an unusual form.
func (c chance) small(n int) string {
	switch {
	case n < 0 && c.percent(50):
		return fmt.Sprintf("0-%d", -n)
	case n < 0:
		return fmt.Sprintf("-%d", -n)
	case n == 0 && c.percent(10):
		return "empty"
	case c.percent(3):
		return fmt.Sprintf("(%d-%d)", n+2, 2)
	case c.percent(2):
		return fmt.Sprintf("0%d", n)
	}
	return strconv.Itoa(n)
}

// bigNumbers are near the limits of the machine's types, where arithmetic of some width overflows.
var bigNumbers = []string{
	"65535", "70000", "1000000007",
	"2147483647", "(2147483647+1)", "(0-2147483647-1)", "(0-2147483647-2)", // 2^31
	"65536*65535", "65536*65536", "(0-65536*65536-1)", // 2^32
	"3000*1000000", "2147483647*4",
	"134217728*67108864", "(134217728*67108864+1)", "65536*65536*65536", // 2^53
	"(65536*65536*65536*16383)", "(2147483647*2147483647)", "(2147483647*2147483647+2147483647*2)", // 2^62
}

// beyond are expressions whose values are beyond the range of the language.
var beyond = []string{
	"65536*65536*65536*16384", "65536*65536*65536*32767", // 2^62
	"(65536*65536*65536*32767+65536*65536*65535+65536*65535+65535)", // 2^63-1
	"65536*65536*65536*32768", "(0-65536*65536*65536*32768)", // 2^63
	"(0-65536*65536*65536*32768-1)", "65536*65536*65536*65536", "(2147483647*2147483647*4)", // 2^64
}

// bigNumber writes a large number; few are literals or values out of range.
func (c chance) bigNumber() string {
	if c.percent(1) {
		return c.one("2147483648", "9223372036854775808", "99999999999999999999") // no number of the language
	}
	if c.percent(4) {
		return of(c, beyond)
	}
	return of(c, bigNumbers)
}

// arithmetic writes a number, sometimes as a sum, product, quotient or remainder with the same
// value.
func (c chance) arithmetic(n int) string {
	switch {
	case n < 0 || c.percent(80):
		return c.closedSmall(n)
	case c.percent(25):
		return fmt.Sprintf("%d - 2", n+2)
	case c.percent(25):
		return fmt.Sprintf("%d * 1", n)
	case c.percent(30):
		return fmt.Sprintf("%d div 2", 2*n+1)
	case c.percent(30):
		return fmt.Sprintf("%d mod %d", 2*n+1, n+1)
	}
	return fmt.Sprintf("%d + 0", n)
}
