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
	b := bins{step: step(keys), width: 1}
	b.rest = num.Mod(keys[0], b.step)
	lo, hi := keys[0], keys[len(keys)-1]
	b.widen(lo, hi, most)
	sums := map[int]int64{}
	for _, k := range keys {
		sums[b.of(k)] += counts[k]
	}
	for bin := b.of(lo); bin <= b.of(hi); bin++ {
		c.Bars = append(c.Bars, Bar{b.label(bin), sums[bin]})
	}
	return c
}

// step returns the greatest number of which all differences of numbers are multiples; 1 if there
// are none.
func step(keys []int) int {
	g := 0
	for _, k := range keys[1:] {
		for a := k - keys[0]; a != 0; {
			g, a = a, g%a
		}
	}
	return max(g, 1)
}

// bins put numbers together. Numbers are rest and a multiple of step; a bin has width of them.
type bins struct{ rest, step, width int }

// of returns the bin of a number.
func (b bins) of(k int) int { return num.Div(k-b.rest, b.step*b.width) }

// widen makes the bins so wide that there are at most so many from lo to hi.
func (b *bins) widen(lo, hi, most int) {
	for unit := 1; ; unit *= 10 {
		for _, factor := range []int{1, 2, 5} {
			if b.width = unit * factor; b.of(hi)-b.of(lo) < most {
				return
			}
		}
	}
}

func (b bins) label(bin int) string {
	first := bin*b.step*b.width + b.rest
	if b.width == 1 {
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d..%d", first, first+(b.width-1)*b.step)
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
