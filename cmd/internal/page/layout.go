package page

import (
	"unicode/utf8"

	"github.com/mancheck/mancheck/rules"
)

// Measures of a drawn board.
const (
	cellW  = 46 // room for a pit
	cellH  = 68
	nameH  = 10 // room for a name above a pit
	radius = 19
	gap    = 10 // between parts, and around the board

	nameFits = 8 // characters of a name that stand above a pit as they are
)

// spot is where a pit lies: its middle, and how tall it is. Stores are boxes, other pits circles.
type spot struct {
	Name  string `json:"pit"`
	X     int    `json:"x"`
	Y     int    `json:"y"`
	H     int    `json:"h"`
	Store bool   `json:"store"`
	pit   int
}

// Edges of a pit, and the lines below and above it on which its count and its name stand.
func (s spot) Left() int  { return s.X - radius }
func (s spot) Right() int { return s.X + radius - 1 }
func (s spot) Top() int   { return s.Y - s.H/2 }
func (s spot) Below() int { return s.Y + s.H/2 + 14 }
func (s spot) Above() int { return s.Top() - 4 }

// Long reports whether the name has to be made narrower.
func (s spot) Long() bool { return utf8.RuneCountInString(s.Name) > nameFits }

// layout is a board with the places of its pits.
type layout struct {
	W     int    `json:"w"`
	H     int    `json:"h"`
	Spots []spot `json:"spots"`
}

// layoutOf lays out a picture in columns: the parts of the rows that stand below one another.
func layoutOf(sys *rules.System) layout {
	l := layout{H: len(sys.Picture)*cellH + 2*gap}
	columns := 0
	for _, row := range sys.Picture {
		columns = max(columns, len(row))
	}
	x := gap
	for k := range columns {
		size, rows := 0, 0
		for _, row := range sys.Picture {
			if k < len(row) && len(row[k]) > 0 {
				size, rows = max(size, len(row[k])), rows+1
			}
		}
		for r, row := range sys.Picture {
			if k < len(row) {
				l.part(sys, row[k], x, r, rows == 1)
			}
		}
		x += size * cellW
		if size > 0 {
			x += gap
		}
	}
	l.W = x
	return l
}

// part lays out the pits of one part of row r. A store that is alone in its column is as tall as
// the board.
func (l *layout) part(sys *rules.System, pits []int, x, r int, alone bool) {
	for i, p := range pits {
		s := spot{
			pit: p, Name: sys.Pits[p].Name, X: x + i*cellW + cellW/2, Y: gap + r*cellH + nameH + radius + 3,
			Store: len(pits) == 1 && sys.Pits[p].Index == 0, H: 2 * radius,
		}
		if s.Store && alone {
			s.H = l.H - 2*gap - nameH - 18
			s.Y = gap + nameH + 3 + s.H/2
		}
		l.Spots = append(l.Spots, s)
	}
}
