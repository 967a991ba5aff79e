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

// drawing keeps what the boards of a page have in common, so that each is written down once: the empty boards.
type drawing struct {
	ids   map[string]string // of empty boards, by their text
	bases strings.Builder
}

// base is the id of an empty board with its pits. open says of which pits it is not known what lies in them.
func (d *drawing) base(sys *rules.System, l layout, open func(pit int) bool) string {
	var out strings.Builder
	fmt.Fprintf(&out, `<rect class="wood" x="1" y="1" width="%d" height="%d" rx="16"/>`, l.w-2, l.h-2)
	for _, s := range l.spots {
		class, title, text := "pit", sys.Pits[s.pit].Name, ""
		if s.store {
			class += " store"
		}
		if open(s.pit) {
			class, title, text = class+" open", title+": any number", countAt("count", s, "–")
		}
		fmt.Fprintf(&out, `<g class="%s"><title>%s</title>%s%s</g>`, class, html.EscapeString(title), outline("hole", s), text)
	}
	id := d.ids[out.String()]
	if id == "" {
		id = fmt.Sprintf("board%d", len(d.ids)+1)
		d.ids[out.String()] = id
		fmt.Fprintf(&d.bases, `<g id="%s">%s</g>`, id, out.String())
	}
	return id
}

// defs are what boards are made of: the empty ones, and seeds by their number.
func (d *drawing) defs() string {
	var out strings.Builder
	out.WriteString(`<svg class="defs" width="0" height="0" aria-hidden="true"><defs>`)
	for n := 1; n <= maxDots; n++ {
		fmt.Fprintf(&out, `<path id="seeds%d" class="seeds" d="%s"/>`, n, seeds(n))
	}
	out.WriteString(d.bases.String() + `</defs></svg>`)
	return out.String()
}

// svg draws a board. The player in the page draws boards in the same way.
func (d *drawing) svg(b *explain.Board) string {
	l := layoutOf(b.System)
	var out strings.Builder
	fmt.Fprintf(&out, `<svg class="board" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s"><use href="#%s"></use>`,
		l.w, l.h, l.w, l.h, html.EscapeString(spoken(b)), d.base(b.System, l, b.Open))
	for _, s := range l.spots {
		if !b.Open(s.pit) {
			drawPit(&out, b, s)
		}
	}
	drawZeros(&out, b, l)
	out.WriteString("</svg>")
	return out.String()
}

// drawPit draws what lies in a pit, and what is to be noticed about it.
func drawPit(out *strings.Builder, b *explain.Board, s spot) {
	if class := ringClass(b, s.pit); class != "" {
		out.WriteString(outline(class, s))
	}
	switch n := b.State.Seeds[s.pit]; {
	case n > maxDots:
		fmt.Fprintf(out, `<text class="many" x="%d" y="%d">%d</text>`, s.x, s.y+5, n)
		out.WriteString(countAt("count", s, countOf(b, s.pit)))
	case n > 0:
		fmt.Fprintf(out, `<use href="#seeds%d" x="%d" y="%d"></use>`, n, s.x, s.y)
		out.WriteString(countAt("count", s, countOf(b, s.pit)))
	}
	if d := b.Change(s.pit); d != 0 {
		fmt.Fprintf(out, `<text class="change %s" x="%d" y="%d">%s</text>`, direction(d), s.x+radius-1, s.y-s.h/2+8, signed(d))
	}
}

// drawZeros writes the counts of empty pits, one text for each run of them at one height.
func drawZeros(out *strings.Builder, b *explain.Board, l layout) {
	var xs []string
	y := 0
	flush := func() {
		if len(xs) > 0 {
			fmt.Fprintf(out, `<text class="zero" x="%s" y="%d">%s</text>`, strings.Join(xs, " "), y, strings.Repeat("0", len(xs)))
		}
		xs = nil
	}
	for _, s := range l.spots {
		if b.Open(s.pit) || b.State.Seeds[s.pit] > 0 {
			continue
		}
		if at := s.y + s.h/2 + 14; at != y {
			flush()
			y = at
		}
		xs = append(xs, fmt.Sprint(s.x))
	}
	flush()
}

func outline(class string, s spot) string {
	if s.store {
		return fmt.Sprintf(`<rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="%d"></rect>`, class, s.x-radius, s.y-s.h/2, 2*radius, s.h, radius)
	}
	return fmt.Sprintf(`<circle class="%s" cx="%d" cy="%d" r="%d"></circle>`, class, s.x, s.y, radius)
}

func countAt(class string, s spot, text string) string {
	return fmt.Sprintf(`<text class="%s" x="%d" y="%d">%s</text>`, class, s.x, s.y+s.h/2+14, text)
}

// ringClass is how a pit's edge is drawn, or empty if there is nothing to be noticed.
func ringClass(b *explain.Board, pit int) string {
	var class []string
	if d := b.Change(pit); d != 0 {
		class = append(class, direction(d))
	}
	if pit == b.Marked() {
		class = append(class, "marked")
	}
	if b.Differs(pit) {
		class = append(class, "differs")
	}
	if len(class) == 0 {
		return ""
	}
	return strings.Join(append([]string{"ring"}, class...), " ")
}

func direction(change int) string {
	if change < 0 {
		return "loss"
	}
	return "gain"
}

func signed(n int) string {
	if n < 0 {
		return fmt.Sprintf("−%d", -n)
	}
	return fmt.Sprintf("+%d", n)
}

// seeds is a path of points around the middle, which its round line ends make dots.
func seeds(n int) string {
	var d strings.Builder
	for _, at := range dots[even(n):][:n] {
		fmt.Fprintf(&d, "M%d %dh0", scaled(at[0]), scaled(at[1]))
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
