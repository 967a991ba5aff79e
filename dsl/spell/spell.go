// Package spell finds the name that is closest to a misspelt one.
package spell

import (
	"strings"
	"unicode/utf8"

	"github.com/hbollon/go-edlib"
)

// Nearest returns the candidate that is closest to name, or "" if none is close. One that differs
// only in capital letters is closest. Among equally close ones it prefers the longest common
// prefix, then alphabetical order. The distance counts letters that are missing, added, changed, or
// swapped with their neighbours (optimal string alignment). One such difference is close in a short
// name, and one in three letters in a longer one.
func Nearest(name string, candidates []string) string {
	best, least := "", limit(utf8.RuneCountInString(name))+1
	for _, c := range candidates {
		if n := len(c) - len(name); c == "" || max(n, -n) > utf8.UTFMax*least {
			continue
		}
		d := edlib.OSADamerauLevenshteinDistance(name, c)
		if strings.EqualFold(name, c) {
			d = 0
		}
		if d < least || d == least && best != "" && better(name, c, best) {
			best, least = c, d
		}
	}
	return best
}

// better reports whether c is preferable to an equally close candidate.
func better(name, c, best string) bool {
	if a, b := common(name, c), common(name, best); a != b {
		return a > b
	}
	return c < best
}

// common is the length of the common prefix.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func limit(length int) int {
	switch {
	case length < 2:
		return 0
	case length < 6:
		return 1
	}
	return min(length/3, 3)
}
