package drawing

import (
	"slices"
	"unicode/utf8"

	"github.com/mancheck/mancheck/rules"
)

// Measures of a drawn board, in units that are scaled with it.
const (
	cellW   = 46 // room for a pit
	cellH   = 70
	nameH   = 12 // room above a pit, for its name or another mark
	playerH = 20 // room for the name of a player
	radius  = 20
	digitW  = 8  // about the width of a digit
	gap     = 10 // between parts, and around the board

	nameFits = 8   // characters of a name that stand above a pit as they are
	wide     = 480 // a board that is wider is not made as small as its panel
)

// Layout is a board with the places of its pits. As JSON it is what class Board is made from.
type Layout struct {
	W       int    `json:"w"`
	H       int    `json:"h"`
	Spots   []Spot `json:"spots"`
	Players []Name `json:"players"` // those who have a side
	PitVar  string `json:"pitVar"`  // the variable for the pit that is marked, or empty
	Label   string `json:"label"`   // that of all moves, which need not be shown, or empty

	sys *rules.System
}

// Spot is where a pit lies: its middle, and how tall it is. Stores are boxes, other pits circles.
type Spot struct {
	Name  string `json:"pit"`
	X     int    `json:"x"`
	Y     int    `json:"y"`
	H     int    `json:"h"`
	Store bool   `json:"store"`
	pit   int
}

// Name is where the name of a player stands: at the side that is theirs.
type Name struct {
	Name string `json:"name"`
	X    int    `json:"x"`
	Y    int    `json:"y"`
}

// LayoutOf lays out a picture in columns: the parts of the rows that stand below one another.
func LayoutOf(sys *rules.System) *Layout {
	rows, apart := standing(sys)
	l := &Layout{H: len(rows)*cellH + 2*gap, Spots: []Spot{}, Players: []Name{}, Label: OnlyLabel(sys), sys: sys}
	if v, ok := sys.PitVar(); ok {
		l.PitVar = sys.Vars[v].Name
	}
	columns := 0
	for _, row := range rows {
		columns = max(columns, len(row))
	}
	x := gap
	for k := range columns {
		size, filled := 0, 0
		for _, row := range rows {
			if k < len(row) && len(row[k]) > 0 {
				size, filled = max(size, len(row[k])), filled+1
			}
		}
		for r, row := range rows {
			if k < len(row) {
				l.part(row[k], x, r, filled == 1)
			}
		}
		x += size * cellW
		if size > 0 {
			x += gap
		}
	}
	for _, p := range apart {
		l.part([]int{p}, x, 0, true)
		x += cellW + gap
	}
	l.W = x
	l.nameSides()
	return l
}

// standing returns the rows of a picture that stand below one another, and the pits apart: one that
// nobody owns and that is a row by itself lies beside the board, where it takes no row.
func standing(sys *rules.System) (rows [][][]int, apart []int) {
	for _, row := range sys.Picture {
		if all := slices.Concat(row...); len(all) == 1 && len(sys.Picture) > 1 && sys.Pits[all[0]].Owner == rules.None {
			apart = append(apart, all[0])
		} else {
			rows = append(rows, row)
		}
	}
	return rows, apart
}

// part lays out the pits of one part of row r. A store that is alone in its column is as tall as
// the board.
func (l *Layout) part(pits []int, x, r int, alone bool) {
	for i, p := range pits {
		s := Spot{
			pit: p, Name: l.sys.Pits[p].Name, X: x + i*cellW + cellW/2, Y: gap + r*cellH + nameH + radius,
			Store: len(pits) == 1 && l.sys.Pits[p].Index == 0, H: 2 * radius,
		}
		if s.Store && alone {
			s.H = l.H - 2*gap - cellH + 2*radius
			s.Y = gap + nameH + s.H/2
		}
		l.Spots = append(l.Spots, s)
	}
}

// nameSides puts the name of each player who owns pits above or below the board, at the side on
// which most of these lie.
func (l *Layout) nameSides() {
	if len(l.sys.Players) < 2 {
		return
	}
	var above, below []Name
	for player, name := range l.sys.Players {
		if x, upper, ok := l.side(player); ok && upper {
			above = append(above, Name{name, x, gap + playerH/2})
		} else if ok {
			below = append(below, Name{name, x, 0})
		}
	}
	if len(above) > 0 {
		for i := range l.Spots {
			l.Spots[i].Y += playerH
		}
		l.H += playerH
	}
	for i := range below {
		below[i].Y = l.H + playerH/2 - 3
	}
	if len(below) > 0 {
		l.H += playerH
	}
	l.Players = append(l.Players, append(above, below...)...)
}

// side returns where the pits of a player lie: their middle, and whether that is in the upper half.
// Stores count for a player who owns nothing else.
func (l *Layout) side(player int) (x int, above, ok bool) {
	for _, stores := range []bool{false, true} {
		n, sumX, sumY := 0, 0, 0
		for _, s := range l.Spots {
			if l.sys.Pits[s.pit].Owner == player && s.Store == stores {
				n, sumX, sumY = n+1, sumX+s.X, sumY+s.Y
			}
		}
		if n > 0 {
			return sumX / n, 2*sumY < n*l.H, true
		}
	}
	return 0, false, false
}

// OnlyLabel returns the label that all moves of a game share and that need not be shown, or "" if
// there are several.
func OnlyLabel(sys *rules.System) string {
	only := ""
	for i, a := range sys.Actions {
		if i > 0 && a.Label != only {
			return ""
		}
		only = a.Label
	}
	return only
}

// Wide reports whether the board would be hard to read in a narrow panel.
func (l *Layout) Wide() bool { return l.W > wide }

// Left is the left edge of a pit.
func (s Spot) Left() int { return s.X - radius }

// Places returns where seeds are drawn: in a round pit by Dots, and in a box three beside each
// other, from the middle outwards.
func (s Spot) Places(n int) (list [][2]int) {
	if s.H == 2*radius {
		return Dots[min(n, maxDots)]
	}
	most := min(n, 3*(s.H/8-2))
	for i := range most {
		row := i / 3
		list = append(list, [2]int{10*(i%3) - 5*min(2, most-3*row-1) + 3*(row%2), (row + 1) / 2 * (8 - 16*(row%2))})
	}
	return list
}

// Top is the upper edge.
func (s Spot) Top() int { return s.Y - s.H/2 }

// Below is the line on which the count stands.
func (s Spot) Below() int { return s.Y + s.H/2 + 15 }

// Above is the line on which the name stands.
func (s Spot) Above() int { return s.Top() - 3 }

// Long reports whether the name has to be made narrower.
func (s Spot) Long() bool { return utf8.RuneCountInString(s.Name) > nameFits }
