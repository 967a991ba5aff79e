// Package numeral writes numbers for people.
package numeral

import (
	"fmt"

	"github.com/dustin/go-humanize"
)

// Number writes n with commas between thousands.
func Number(n int64) string { return humanize.Comma(n) }

// Count returns a number of things, in the singular or the plural.
func Count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Number(n) + " " + what + "s"
}

// Short writes n, which is not negative, with at most three digits and a letter for thousands,
// millions or thousand millions.
func Short(n int64) string {
	x, unit := float64(n), 0
	for ; x >= 999.5 && unit < len(units)-1; unit++ {
		x /= 1000
	}
	digits := 0
	switch {
	case unit == 0 || x >= 99.95:
	case x >= 9.995:
		digits = 1
	default:
		digits = 2
	}
	return fmt.Sprintf("%.*f%s", digits, x, units[unit])
}

var units = []string{"", "k", "M", "G"}
