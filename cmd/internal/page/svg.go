package page

import (
	"fmt"
	"math"
	"strings"

	"github.com/mancheck/mancheck/proofs/explain"
	"github.com/mancheck/mancheck/rules"
)

// maxDots is the greatest number of seeds that is drawn as dots.
const maxDots = 12

// dots are the places of the seeds in a pit, by their number, from its middle.
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

// emptyBoard is what all states on a board have in common, which the page has once.
type emptyBoard struct {
	ID string
	layout
	open func(pit int) bool // whether it is not known what lies in a pit
}

// Open reports whether it is not known what lies in a pit.
func (e emptyBoard) Open(s spot) bool { return e.open(s.pit) }

// base is the id of an empty board.
func (h *page) base(l layout, open func(pit int) bool) string {
	key := fmt.Sprint(l)
	for _, s := range l.Spots {
		key += fmt.Sprint(open(s.pit))
	}
	if h.ids[key] == "" {
		h.ids[key] = fmt.Sprintf("board%d", len(h.Bases)+1)
		h.Bases = append(h.Bases, emptyBoard{h.ids[key], l, open})
	}
	return h.ids[key]
}

// drawnBoard is a board as the page draws it. The player in the page draws boards in the same way.
type drawnBoard struct {
	layout
	Base, Spoken string
	Seeds        string // a path
	Known        []drawnPit
	Counts       []digits
}

// drawnPit is a pit of which it is known what lies in it.
type drawnPit struct {
	spot
	Ring   string // class of its edge, if there is something to be noticed
	Many   int    // seeds, if they are too many to be drawn
	Change string
	Way    string // of the change: gain or loss
}

// digits are counts under pits. Neighbours of one digit each share a text, which says where each
// digit stands.
type digits struct {
	Class, Text string
	Xs          []string
	Y           int
}

func (h *page) svg(b *explain.Board) drawnBoard {
	l := layoutOf(b.System)
	out := drawnBoard{layout: l, Base: h.base(l, b.Open), Spoken: spoken(b)}
	for _, s := range l.Spots {
		if b.Open(s.pit) {
			continue
		}
		p := drawnPit{spot: s, Ring: ringClass(b, s.pit)}
		if n := b.State.Seeds[s.pit]; n > maxDots {
			p.Many = n
		} else {
			for _, at := range dots[n] {
				out.Seeds += fmt.Sprintf("M%d %dh0", s.X+at[0], s.Y+at[1])
			}
		}
		if c := b.Change(s.pit); c != 0 {
			p.Change, p.Way = strings.Replace(fmt.Sprintf("%+d", c), "-", "−", 1), direction(c)
		}
		out.Known = append(out.Known, p)
		out.count(s, fmt.Sprint(b.State.Seeds[s.pit]))
	}
	return out
}

// count writes a number under a pit.
func (d *drawnBoard) count(s spot, text string) {
	class := "count"
	if text == "0" {
		class = "zero"
	}
	n := len(d.Counts)
	if n == 0 || d.Counts[n-1].Class != class || d.Counts[n-1].Y != s.Below() || len(text) > 1 || len(d.Counts[n-1].Text) != len(d.Counts[n-1].Xs) {
		d.Counts = append(d.Counts, digits{Class: class, Y: s.Below()})
		n++
	}
	d.Counts[n-1].Text += text
	d.Counts[n-1].Xs = append(d.Counts[n-1].Xs, fmt.Sprint(s.X))
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
