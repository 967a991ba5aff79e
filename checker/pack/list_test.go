package pack

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestList appends numbers of any width and reads them again.
func TestList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.IntRange(0, 64).Draw(t, "width")
		l := NewList(width)
		var want []uint64
		for range rapid.IntRange(1, 12).Draw(t, "times") {
			n := rapid.IntRange(1, 1500).Draw(t, "numbers")
			x := rapid.Uint64().Draw(t, "number")
			some, at := make([]uint64, n), []int32{}
			for i := range some {
				x = x*0x9e3779b97f4a7c15 + 1
				some[i] = x >> 1 & (1<<width - 1)
				if x>>63 == 1 {
					at = append(at, int32(i))
					want = append(want, some[i])
				}
			}
			l.Append(some, at)
		}
		lo := rapid.IntRange(0, len(want)).Draw(t, "lo")
		hi := rapid.IntRange(lo, len(want)).Draw(t, "hi")
		got := make([]uint64, hi-lo)
		l.Read(lo, got)
		if l.Len() != len(want) || !slices.Equal(got, want[lo:hi]) {
			t.Fatalf("%d elements, want %d; from %d to %d: %d, want %d", l.Len(), len(want), lo, hi, got, want[lo:hi])
		}
		if l.Clear(); l.Len() != 0 {
			t.Fatal("not empty")
		}
	})
}
