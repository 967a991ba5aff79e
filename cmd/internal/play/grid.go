package play

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// grid is how the board of a game is drawn: in the same size whatever lies on it. Pits have their
// labels beside them, and the players' names are at their sides.
type grid struct {
	sys    *rules.System
	labels []string
	count  int   // columns of a number of seeds
	widths []int // of the parts of rows
	sides  [2]int
	places []place // by pit; pits that are not in the picture are nowhere
}

// place is where a pit is drawn: its row of the picture, counted from 1, and its first column.
type place struct{ row, x int }

// cellMargin is the number of columns of a cell beside the seeds: a blank or bracket before, and
// behind them a blank, a bracket or a mark.
const cellMargin = 2

// newGrid returns the drawing of a board with this number of seeds.
func newGrid(sys *rules.System, labels []string, seeds int) *grid {
	g := &grid{sys: sys, labels: labels, count: len(strconv.Itoa(seeds)), places: make([]place, len(sys.Pits)), sides: sides(sys)}
	for _, label := range labels {
		g.count = max(g.count, len(label)-1)
	}
	for _, row := range sys.Picture {
		for i, pits := range row {
			if i == len(g.widths) {
				g.widths = append(g.widths, 0)
			}
			g.widths[i] = max(g.widths[i], len(pits)*g.cell())
		}
	}
	for r, row := range sys.Picture {
		x := 0
		for i, pits := range row {
			for k, p := range pits {
				g.places[p] = place{r + 1, x + k*g.cell()}
			}
			x += g.widths[i] + 1
		}
	}
	return g
}

// cell is the number of columns of a pit.
func (g *grid) cell() int { return g.count + cellMargin }

// width is the number of columns of the board.
func (g *grid) width() int {
	n := max(0, len(g.widths)-1)
	for _, w := range g.widths {
		n += w
	}
	return n
}

// sides returns the players at the upper and at the lower side. Both are None if the rows next to
// the sides that somebody owns are not those of two players.
func sides(sys *rules.System) [2]int {
	none := [2]int{rules.None, rules.None}
	if len(sys.Players) < 2 || len(sys.Picture) == 0 {
		return none
	}
	var owners []int // of the rows that somebody owns
	for _, row := range sys.Picture {
		if o := owner(sys, row); o != rules.None {
			owners = append(owners, o)
		}
	}
	if n := len(owners); n > 0 && owners[0] != owners[n-1] {
		return [2]int{owners[0], owners[n-1]}
	}
	return none
}

// owner returns the player who owns most pits of a row, or None.
func owner(sys *rules.System, row [][]int) int {
	counts := make([]int, len(sys.Players))
	most := rules.None
	for _, pits := range row {
		for _, p := range pits {
			if o := sys.Pits[p].Owner; o != rules.None {
				if counts[o]++; most == rules.None || counts[o] > counts[most] {
					most = o
				}
			}
		}
	}
	return most
}

// drawn is what a grid shows.
type drawn struct {
	seeds  []int
	before []int // pits that have gained or lost seeds since are marked; nil: none
	marked int   // the pit in brackets, or None
	mover  int   // whose name is marked, or None
	bare   bool  // without labels and names
	paint  func(pit int, text string, label bool) string
}

// spot is a stretch of a line that belongs to a pit: g.cell columns from a column on.
type spot struct{ pit, line, column int }

// draw returns the lines of the board, and where pits are drawn on them, with their labels.
func (g *grid) draw(d drawn) (lines []string, spots []spot) {
	if !d.bare && g.sides[0] != rules.None {
		lines = append(lines, g.name(d, 0))
	}
	for r, row := range g.sys.Picture {
		first := len(lines)
		if g.labelled(d, r, true) {
			lines = append(lines, g.row(r, d, true))
		}
		lines = append(lines, g.row(r, d, false))
		if g.labelled(d, r, false) {
			lines = append(lines, g.row(r, d, true))
		}
		for line := first; line < len(lines); line++ {
			for _, pits := range row {
				spots = append(spots, lists.Map(pits, func(p int) spot { return spot{p, line, g.places[p].x} })...)
			}
		}
	}
	if !d.bare && g.sides[1] != rules.None {
		lines = append(lines, g.name(d, 1))
	}
	return lines, spots
}

// name writes the name of the player at a side.
func (g *grid) name(d drawn, side int) string {
	player, mark := g.sides[side], "  "
	if player == d.mover {
		mark = "› "
	}
	return mark + g.sys.Players[player]
}

// labelled reports whether a row has labels above or below it: those of the upper half are above.
func (g *grid) labelled(d drawn, row int, above bool) bool {
	if d.bare || above != (row < len(g.sys.Picture)/2) {
		return false
	}
	return slices.ContainsFunc(slices.Concat(g.sys.Picture[row]...), func(p int) bool { return g.labels[p] != "" })
}

// row writes the seeds of a row, or its labels.
func (g *grid) row(r int, d drawn, labels bool) string {
	var text strings.Builder
	bar := "|"
	if labels {
		bar = " "
	}
	for i, pits := range g.sys.Picture[r] {
		if i > 0 {
			text.WriteString(bar)
		}
		for _, p := range pits {
			cell := g.seeds(p, d)
			if labels {
				cell = fmt.Sprintf("%*s ", g.cell()-1, g.labels[p])
			}
			if d.paint != nil {
				cell = d.paint(p, cell, labels)
			}
			text.WriteString(cell)
		}
		text.WriteString(strings.Repeat(" ", g.widths[i]-len(pits)*g.cell()))
	}
	return text.String()
}

// seeds writes the cell of a pit.
func (g *grid) seeds(p int, d drawn) string {
	before, behind := " ", " "
	if p == d.marked {
		before, behind = "[", "]"
	}
	switch {
	case d.before == nil || p == d.marked:
	case d.seeds[p] > d.before[p]:
		behind = "+"
	case d.seeds[p] < d.before[p]:
		behind = "-"
	}
	return fmt.Sprintf("%s%*d%s", before, g.count, d.seeds[p], behind)
}

// height is the number of lines of the board.
func (g *grid) height(bare bool) int {
	lines, _ := g.draw(drawn{seeds: make([]int, len(g.sys.Pits)), marked: rules.None, mover: rules.None, bare: bare})
	return len(lines)
}
