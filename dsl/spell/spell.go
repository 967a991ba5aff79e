// Package spell finds the name that is closest to a misspelt one.
package spell

import "strings"

// Nearest returns the candidate that is closest to name, or "" if none is close. One that differs
// only in capital letters is closest. Among equally close ones it prefers the longest common
// prefix, then alphabetical order. The distance counts letters that are missing, added, changed, or
// swapped with their neighbours. One such difference is close in a short name, and one in three
// letters in a longer one.
func Nearest(name string, candidates []string) string {
	word := []rune(name)
	best, least := "", limit(len(word))+1
	for _, c := range candidates {
		other := []rune(c)
		if max(len(other)-len(word), len(word)-len(other)) > least || len(other) == 0 {
			continue
		}
		d := distance(word, other)
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

// distance is the Damerau–Levenshtein distance in which no substring is edited twice.
func distance(a, b []rune) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+differ(a[i-1], b[j-1]))
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}

func differ(a, b rune) int {
	if a == b {
		return 0
	}
	return 1
}
