// Package lists has what package slices lacks. No function changes the list that it is given.
package lists

import (
	"iter"
	"slices"
)

// Map returns what f makes of each element. It is nil for an empty list.
func Map[E, T any](list []E, f func(E) T) []T {
	out := slices.Grow([]T(nil), len(list))
	for _, e := range list {
		out = append(out, f(e))
	}
	return out
}

// Filter returns the elements that satisfy a condition. It is nil if there are none.
func Filter[E any](list []E, is func(E) bool) []E {
	var out []E
	for _, e := range list {
		if is(e) {
			out = append(out, e)
		}
	}
	return out
}

// Where returns the indexes of the elements that satisfy a condition. It is nil if there are none.
func Where[E any](list []E, is func(E) bool) []int {
	var out []int
	for i, e := range list {
		if is(e) {
			out = append(out, i)
		}
	}
	return out
}

// Set returns the indexes of what is set.
func Set(list []bool) []int { return Where(list, func(is bool) bool { return is }) }

// Marked ranges over the indexes of what is set.
func Marked(list []bool) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, is := range list {
			if is && !yield(i) {
				return
			}
		}
	}
}

// Flat returns all that f makes of the elements, in order. It is nil if that is nothing.
func Flat[E, T any](list []E, f func(E) []T) []T {
	var out []T
	for _, e := range list {
		out = append(out, f(e)...)
	}
	return out
}

// Distinct leaves out the elements that are equal to an earlier one. It is nil for an empty list.
func Distinct[E comparable](list []E) []E {
	var out []E
	for _, e := range list {
		if !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	return out
}

// Find returns the first element that satisfies a condition, or the zero value.
func Find[E any](list []E, is func(E) bool) (found E) {
	for _, e := range list {
		if is(e) {
			return e
		}
	}
	return found
}

// Count returns the number of elements that satisfy a condition.
func Count[E any](list []E, is func(E) bool) (n int) {
	for _, e := range list {
		if is(e) {
			n++
		}
	}
	return n
}

// Sum adds up what f makes of each element.
func Sum[E any, N int | int64](list []E, f func(E) N) (sum N) {
	for _, e := range list {
		sum += f(e)
	}
	return sum
}

// Runs divides a list into stretches of neighbours that are alike.
func Runs[E any](list []E, alike func(a, b E) bool) [][]E {
	var out [][]E
	for i, e := range list {
		if i == 0 || !alike(list[i-1], e) {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], e)
	}
	return out
}
