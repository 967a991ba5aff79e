package page

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mancheck/mancheck/proofs/explain"
	"github.com/mancheck/mancheck/rules"
)

// maxDots is the greatest number of seeds that is drawn as dots.
const maxDots = 12

// dots are the places of so many seeds in a pit, from its middle.
var dots = func() (all [maxDots + 1][][2]int) {
	all[0] = [][2]int{}
	for n := 1; n <= maxDots; n++ {
		inner, outer := rings(n)
		all[n] = append(ring(inner, 4.3), ring(outer, [...]float64{0, 0, 4.5, 5.5, 6.7, 9, 9, 9, 10, 12, 12, 12, 12}[n])...)
	}
	return all
}()

// rings splits seeds among two rings; one alone lies in the middle.
func rings(n int) (inner, outer int) {
	switch {
	case n >= 10:
		return 2 + n/11, n - 2 - n/11
	case n == 1 || n >= 5:
		return 1, n - 1
	}
	return 0, n
}

// ring is n places on a circle, the first one on top.
func ring(n int, radius float64) (list [][2]int) {
	if n == 1 {
		return [][2]int{{0, 0}}
	}
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		list = append(list, [2]int{int(math.Round(radius * sin)), int(math.Round(-radius * cos))})
	}
	return list
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
		fmt.Fprintf(&out, `<g class="%s"><title>%s</title>%s%s%s</g>`, class, html.EscapeString(title), outline("hole", s), nameOf(sys, s), text)
	}
	id := d.ids[out.String()]
	if id == "" {
		id = fmt.Sprintf("board%d", len(d.ids)+1)
		d.ids[out.String()] = id
		fmt.Fprintf(&d.bases, `<g id="%s">%s</g>`, id, out.String())
	}
	return id
}

// nameOf writes the name of a pit above it; a long one is made narrower.
func nameOf(sys *rules.System, s spot) string {
	name, fit := sys.Pits[s.pit].Name, ""
	if utf8.RuneCountInString(name) > nameFits {
		fit = fmt.Sprintf(` textLength="%d" lengthAdjust="spacingAndGlyphs"`, cellW-2)
	}
	return fmt.Sprintf(`<text class="name" x="%d" y="%d"%s>%s</text>`, s.x, s.y-s.h/2-4, fit, html.EscapeString(name))
}

// defs are the empty boards.
func (d *drawing) defs() string {
	return `<svg class="defs" width="0" height="0" aria-hidden="true"><defs>` + d.bases.String() + `</defs></svg>`
}

// svg draws a board. The player in the page draws boards in the same way.
func (d *drawing) svg(b *explain.Board) string {
	l := layoutOf(b.System)
	var out strings.Builder
	fmt.Fprintf(&out, `<svg class="board" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s"><use href="#%s"/>`,
		l.w, l.h, l.w, l.h, html.EscapeString(spoken(b)), d.base(b.System, l, b.Open))
	known := slices.DeleteFunc(slices.Clone(l.spots), func(s spot) bool { return b.Open(s.pit) })
	for _, s := range known {
		if class := ringClass(b, s.pit); class != "" {
			out.WriteString(outline(class, s))
		}
	}
	if seeds := allSeeds(b, known); seeds != "" {
		fmt.Fprintf(&out, `<path class="seeds" d="%s"/>`, seeds)
	}
	for _, s := range known {
		if n := b.State.Seeds[s.pit]; n > maxDots {
			fmt.Fprintf(&out, `<text class="many" x="%d" y="%d">%d</text>`, s.x, s.y+5, n)
		}
		if c := b.Change(s.pit); c != 0 {
			fmt.Fprintf(&out, `<text class="change %s" x="%d" y="%d">%s</text>`, direction(c), s.x+radius-1, s.y-s.h/2+8, signed(c))
		}
	}
	drawCounts(&out, b, known)
	out.WriteString("</svg>")
	return out.String()
}

// drawCounts writes the numbers under the pits. Neighbours of one digit each share a text, which says where each digit stands.
func drawCounts(out *strings.Builder, b *explain.Board, spots []spot) {
	var xs []string
	class, digits, y := "", "", 0
	flush := func() {
		if digits != "" {
			fmt.Fprintf(out, `<text class="%s" x="%s" y="%d">%s</text>`, class, strings.Join(xs, " "), y, digits)
		}
		xs, digits = nil, ""
	}
	for _, s := range spots {
		c, text, at := "count", countOf(b, s.pit), s.y+s.h/2+14
		if text == "0" {
			c = "zero"
		}
		if c != class || at != y || len(text) > 1 || len(digits) != len(xs) {
			flush()
		}
		class, y, digits, xs = c, at, digits+text, append(xs, fmt.Sprint(s.x))
	}
	flush()
}

func outline(class string, s spot) string {
	if s.store {
		return fmt.Sprintf(`<rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="%d"/>`, class, s.x-radius, s.y-s.h/2, 2*radius, s.h, radius)
	}
	return fmt.Sprintf(`<circle class="%s" cx="%d" cy="%d" r="%d"/>`, class, s.x, s.y, radius)
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

// allSeeds is a path of points, which its round line ends make dots.
func allSeeds(b *explain.Board, spots []spot) string {
	var d strings.Builder
	for _, s := range spots {
		n := b.State.Seeds[s.pit]
		if n > maxDots {
			continue
		}
		for _, at := range dots[n] {
			fmt.Fprintf(&d, "M%d %dh0", s.x+at[0], s.y+at[1])
		}
	}
	return d.String()
}

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

func countOf(b *explain.Board, pit int) string {
	if b.Open(pit) {
		return "_"
	}
	return fmt.Sprint(b.State.Seeds[pit])
}
