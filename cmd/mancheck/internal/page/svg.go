package page

import (
	"fmt"
	"html"
	"strings"

	"github.com/mancheck/mancheck/proofs/explain"
	"github.com/mancheck/mancheck/rules"
)

// maxDots is the greatest number of seeds that is drawn as dots.
const maxDots = 12

// dots are the places of seeds in a pit, from its middle, in thousandths of its radius: so many rings that each next seed finds room.
var dots = [maxDots][2]int{
	{0, 0},
	{-450, 0},
	{450, 0},
	{-220, -400},
	{220, 400},
	{220, -400},
	{-220, 400},
	{0, -760},
	{660, 390},
	{-660, 390},
	{660, -390},
	{-660, -390},
}

// drawSVG draws a board. The player in the page draws boards in the same way.
func drawSVG(b *explain.Board) string {
	l := layoutOf(b.System)
	var out strings.Builder
	fmt.Fprintf(&out, `<svg class="board" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s">`,
		l.w, l.h, l.w, l.h, html.EscapeString(spoken(b)))
	fmt.Fprintf(&out, `<rect class="wood" x="1" y="1" width="%d" height="%d" rx="16"/>`, l.w-2, l.h-2)
	for _, s := range l.spots {
		drawPit(&out, b, s)
	}
	out.WriteString("</svg>")
	return out.String()
}

func drawPit(out *strings.Builder, b *explain.Board, s spot) {
	fmt.Fprintf(out, `<g class="%s"><title>%s</title>`, pitClass(b, s), html.EscapeString(pitTitle(b, s.pit)))
	if s.store {
		fmt.Fprintf(out, `<rect class="hole" x="%d" y="%d" width="%d" height="%d" rx="%d"/>`, s.x-radius, s.y-s.h/2, 2*radius, s.h, radius)
	} else {
		fmt.Fprintf(out, `<circle class="hole" cx="%d" cy="%d" r="%d"/>`, s.x, s.y, radius)
	}
	if n := b.State.Seeds[s.pit]; !b.Open(s.pit) && n > 0 && n <= maxDots {
		fmt.Fprintf(out, `<path class="seeds" d="%s"/>`, seeds(s, n))
	} else if n > maxDots {
		fmt.Fprintf(out, `<text class="many" x="%d" y="%d">%d</text>`, s.x, s.y+5, n)
	}
	fmt.Fprintf(out, `<text class="count" x="%d" y="%d">%s</text>`, s.x, s.y+s.h/2+14, countText(b, s.pit))
	if d := b.Change(s.pit); d != 0 {
		fmt.Fprintf(out, `<text class="change" x="%d" y="%d">%s</text>`, s.x+radius-1, s.y-s.h/2+8, signed(d))
	}
	out.WriteString("</g>")
}

func pitClass(b *explain.Board, s spot) string {
	class := "pit"
	if s.store {
		class += " store"
	}
	switch d := b.Change(s.pit); {
	case b.Open(s.pit):
		class += " open"
	case d > 0:
		class += " gain"
	case d < 0:
		class += " loss"
	}
	if s.pit == b.Marked() {
		class += " marked"
	}
	if !b.Open(s.pit) && b.State.Seeds[s.pit] == 0 {
		class += " empty"
	}
	return class
}

func pitTitle(b *explain.Board, pit int) string {
	return b.System.Pits[pit].Name + ": " + countOf(b, pit)
}

func countText(b *explain.Board, pit int) string {
	if b.Open(pit) {
		return "–"
	}
	return countOf(b, pit)
}

func signed(n int) string {
	if n < 0 {
		return fmt.Sprintf("−%d", -n)
	}
	return fmt.Sprintf("+%d", n)
}

// seeds is a path of points, which its round line ends make dots.
func seeds(s spot, n int) string {
	var d strings.Builder
	for _, at := range dots[even(n):][:n] {
		fmt.Fprintf(&d, "M%d %dh0", s.x+scaled(at[0]), s.y+scaled(at[1]))
	}
	return d.String()
}

// even leaves the seed in the middle out where those around it are symmetrical without it.
func even(n int) int {
	if n < maxDots && n%2 == 0 {
		return 1
	}
	return 0
}

func scaled(thousandths int) int { return thousandths * (radius - 4) / 1000 }

// spoken is a board in words: what is not empty, and where it stands.
func spoken(b *explain.Board) string {
	var items []string
	for p, n := range b.State.Seeds {
		if !b.Open(p) && n > 0 {
			items = append(items, fmt.Sprintf("%s %d", b.System.Pits[p].Name, n))
		}
	}
	if len(items) == 0 {
		items = append(items, "no seeds")
	}
	if m := b.Marked(); m != rules.None {
		items = append(items, "at "+b.System.Pits[m].Name)
	}
	if status := b.Status(); status != "" {
		items = append(items, status)
	}
	return strings.Join(items, ", ")
}
