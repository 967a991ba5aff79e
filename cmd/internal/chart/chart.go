// Package chart draws how often something was counted, as bars of text.
package chart

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/numeral"
)

// Chart is bars below a title.
type Chart struct {
	Title string
	Bars  []Bar
}

// Bar is something that was counted so many times.
type Bar struct {
	Label string
	Count int64
}

// total is the sum of all counts, and most the greatest.
func (c Chart) total() (total, most int64) {
	for _, b := range c.Bars {
		total += b.Count
		most = max(most, b.Count)
	}
	return total, most
}

// Histogram makes a chart of how often each number was counted. Numbers that cannot occur between
// those that do, as odd ones among even, are left out. Where there would be more bars than most,
// each stands for several numbers: 2, 5, 10, 20, … of them.
func Histogram(title string, counts map[int]int64, most int) Chart {
	c := Chart{Title: title}
	if len(counts) == 0 {
		return c
	}
	keys := slices.Sorted(maps.Keys(counts))
	lo, hi := keys[0], keys[len(keys)-1]
	step := 0 // the greatest number of which all differences are multiples
	for _, k := range keys {
		for a := k - lo; a != 0; {
			step, a = a, step%a
		}
	}
	step = max(step, 1)
	rest, width := num.Mod(lo, step), 1 // a bin has width numbers that are rest and a multiple of step
	bin := func(k int) int { return num.Div(k-rest, step*width) }
	for unit := 1; bin(hi)-bin(lo) >= most; unit *= 10 {
		for _, width = range []int{2 * unit, 5 * unit, 10 * unit} {
			if bin(hi)-bin(lo) < most {
				break
			}
		}
	}
	sums := map[int]int64{}
	for k, n := range counts {
		sums[bin(k)] += n
	}
	for i := bin(lo); i <= bin(hi); i++ {
		first := i*step*width + rest
		label := fmt.Sprint(first)
		if width > 1 {
			label = fmt.Sprintf("%d..%d", first, first+(width-1)*step)
		}
		c.Bars = append(c.Bars, Bar{label, sums[i]})
	}
	return c
}

// The width of bars: usual where lines may be as long as they need to be, and least where they may
// not.
const (
	usualBar = 50
	leastBar = 8
)

// eighths are the ends of bars.
var eighths = []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// Write writes a chart in lines of at most width columns; 0: there is no limit. A count that is not
// 0 has a bar.
func (c Chart) Write(w io.Writer, color term.Palette, width int) {
	fmt.Fprintln(w, color.Paint(term.Bold, c.Title))
	total, most := c.total()
	labels, counts := 0, 0
	for _, b := range c.Bars {
		labels = max(labels, utf8.RuneCountInString(b.Label))
		counts = max(counts, len(numeral.Number(b.Count)))
	}
	for _, b := range c.Bars {
		head := fmt.Sprintf("  %s  %s  %s  ", term.Left(labels, b.Label), term.Left(counts, numeral.Number(b.Count)), term.Left(6, share(b.Count, total)))
		room := usualBar
		if width > 0 {
			room = max(leastBar, min(usualBar, width-1-utf8.RuneCountInString(head)))
		}
		line := head + color.Paint(term.Good, bar(b.Count, most, room))
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// share is a part of a whole in percent.
func share(n, of int64) string { return fmt.Sprintf("%.1f%%", 100*float64(n)/float64(max(of, 1))) }

// bar is as long as n is of most.
func bar(n, most int64, room int) string {
	if n == 0 {
		return ""
	}
	parts := max(1, int(float64(n)/float64(most)*float64(8*room)+0.5))
	return strings.Repeat("█", parts/8) + eighths[parts%8]
}
