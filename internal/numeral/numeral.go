// Package numeral writes numbers for people.
package numeral

import "fmt"

// Number writes n with commas between thousands.
func Number(n int64) string {
	if n < 0 {
		return "-" + grouped(-uint64(n))
	}
	return grouped(uint64(n))
}

func grouped(n uint64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", grouped(n/1000), n%1000)
}

// Count returns a number of things, in the singular or the plural.
func Count(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return Number(n) + " " + what + "s"
}
