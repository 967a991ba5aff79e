// Package chart draws how often something was counted, as bars of text.
//
//	chart.go  bars, and numbers made into bars
//	text.go   bars on a terminal
package chart

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
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
