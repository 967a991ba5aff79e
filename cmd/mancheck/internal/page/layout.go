package page

import "github.com/mancheck/mancheck/rules"

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
	pit   int
	x, y  int
	store bool
	h     int // of a store
}

// layout is a board with the places of its pits.
type layout struct {
	w, h  int
	spots []spot
}

// layoutOf lays out a picture in columns: the parts of the rows that stand below one another.
func layoutOf(sys *rules.System) layout {
	l := layout{h: len(sys.Picture)*cellH + 2*gap}
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
	l.w = x
	return l
}

// part lays out the pits of one part of row r. A store that is alone in its column is as tall as the board.
func (l *layout) part(sys *rules.System, pits []int, x, r int, alone bool) {
	for i, p := range pits {
		s := spot{pit: p, x: x + i*cellW + cellW/2, y: gap + r*cellH + nameH + radius + 3, store: len(pits) == 1 && sys.Pits[p].Index == 0, h: 2 * radius}
		if s.store && alone {
			s.h = l.h - 2*gap - nameH - 18
			s.y = gap + nameH + 3 + s.h/2
		}
		l.spots = append(l.spots, s)
	}
}
