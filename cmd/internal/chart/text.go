package chart

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/internal/numeral"
)

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
