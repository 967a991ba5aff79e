package chart

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/cmd/internal/term"
)

// TestHistogram: no count is lost, each number is in the bar that says so, there are not more bars
// than asked for, and all have as many numbers.
func TestHistogram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := map[int]int64{}
		by, rest := rapid.IntRange(1, 4).Draw(t, "by"), rapid.IntRange(0, 3).Draw(t, "rest")
		for k, n := range rapid.MapOfN(rapid.IntRange(-300, 300), rapid.Int64Range(1, 9), 1, 30).Draw(t, "counts") {
			counts[k*by+rest] = n
		}
		most := rapid.IntRange(2, 40).Draw(t, "most")
		c := Histogram("title", counts, most)
		if len(c.Bars) > most {
			t.Fatalf("%d bars", len(c.Bars))
		}
		size := 0
		for i, b := range c.Bars {
			lo, hi := ends(t, b.Label)
			if i > 0 && hi-lo != size {
				t.Fatalf("%s is wider than the bar before", b.Label)
			}
			size = hi - lo
			var want int64
			for k, n := range counts {
				if lo <= k && k <= hi {
					want += n
					delete(counts, k)
				}
			}
			if b.Count != want {
				t.Fatalf("%s: %d, want %d", b.Label, b.Count, want)
			}
		}
		if len(counts) > 0 {
			t.Fatalf("left out: %v", counts)
		}
	})
}

// ends are the least and the greatest number of a bar.
func ends(t *rapid.T, label string) (lo, hi int) {
	first, last, several := strings.Cut(label, "..")
	if !several {
		last = first
	}
	lo, err := strconv.Atoi(first)
	hi, also := strconv.Atoi(last)
	if err != nil || also != nil {
		t.Fatalf("%q", label)
	}
	return lo, hi
}

// TestEven: where all numbers are even, odd ones are in no bar.
func TestEven(t *testing.T) {
	c := Histogram("margin", map[int]int64{-4: 1, -2: 2, 4: 3}, 10)
	want := []Bar{{"-4", 1}, {"-2", 2}, {"0", 0}, {"2", 0}, {"4", 3}}
	if !slices.Equal(c.Bars, want) {
		t.Errorf("%v, want %v", c.Bars, want)
	}
}

// TestWidth: lines keep to the width, and every count that is not 0 has a bar.
func TestWidth(t *testing.T) {
	c := Chart{"title", []Bar{{"one", 1}, {"many", 1_000_000}, {"none", 0}, {"half", 500_000}}}
	for _, width := range []int{0, 40, 80, 140} {
		var out strings.Builder
		c.Write(&out, term.Palette{}, width)
		lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
		for i, line := range lines[1:] {
			if n := utf8.RuneCountInString(line); width > 0 && n >= width {
				t.Errorf("%d of %d columns: %s", n, width, line)
			}
			if has := strings.ContainsAny(line, "█▏"); has != (c.Bars[i].Count > 0) {
				t.Errorf("a bar: %t in %s", has, line)
			}
		}
		if full, half := strings.Count(lines[2], "█"), strings.Count(lines[4], "█"); full < leastBar || half != full/2 {
			t.Errorf("bars of %d and %d", full, half)
		}
	}
}
