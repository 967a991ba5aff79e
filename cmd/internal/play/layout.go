package play

import (
	"slices"

	"github.com/charmbracelet/x/ansi"

	"charm.land/lipgloss/v2"
)

// A layout says which parts of the screen there are, and how many lines they have. It is chosen by
// the size of the window alone, so that nothing moves while a game is played.
type layout struct {
	head    bool // the title and the players
	gaps    bool // empty lines between the parts
	frame   bool // around the board
	labels  bool // of pits, and names of players
	history bool // the moves made
	keys    bool
	told    int // lines for the moves of the last turn
	moves   int // lines for the legal moves
	answer  int // least number of lines for answers
}

// layouts go from the fullest to the barest. A hint about six moves has room before the board has a
// frame.
var layouts = []layout{
	{head: true, gaps: true, frame: true, labels: true, history: true, keys: true, told: 2, moves: 3, answer: 7},
	{head: true, frame: true, labels: true, history: true, keys: true, told: 2, moves: 2, answer: 6},
	{head: true, labels: true, history: true, keys: true, told: 2, moves: 2, answer: 6},
	{labels: true, history: true, keys: true, told: 1, moves: 2, answer: 6},
	{labels: true, keys: true, told: 1, moves: 1, answer: 1},
	{labels: true, told: 1, moves: 1},
	{told: 1, moves: 1},
	{},
}

// Lines and columns of the frame around the board, with the padding inside.
const (
	frameLines   = 2
	frameColumns = 6
	insideX      = 3
	insideY      = 1
)

// A screen of at least wide columns shows the moves made at the side, if the board leaves room.
const (
	wide      = 100
	sideWidth = 30
)

// screen is the model being drawn.
type screen struct{ *model }

// mainWidth is the number of columns beside the list of moves made.
func (m screen) mainWidth(width int) int {
	if width >= wide && m.game.grid.width()+frameColumns <= width-sideWidth-2 {
		return width - sideWidth - 2
	}
	return width
}

// fit returns the fullest layout for a window, and ok if there is one.
func (m screen) fit(width, height int) (l layout, ok bool) {
	for _, l := range layouts {
		columns := m.game.grid.width()
		if l.frame {
			columns += frameColumns
		}
		if columns <= m.mainWidth(width) && m.lines(l, width)+l.answer <= height {
			return l, true
		}
	}
	return l, false
}

// lines is the number of lines of a layout, without those for answers.
func (m screen) lines(l layout, width int) int {
	n := m.game.grid.height(!l.labels) + 2 + l.told + l.moves // with the status and the line to type in
	for _, part := range []struct {
		is    bool
		lines int
	}{{l.head, 2}, {l.frame, frameLines}, {l.keys, 1}, {l.history && m.mainWidth(width) == width, 1}, {l.gaps, 3}} {
		if part.is {
			n += part.lines
		}
	}
	return n
}

// fitted returns exactly height lines, none of them wider than width.
func fitted(lines []string, width, height int) []string {
	lines = slices.Clone(lines[:min(len(lines), max(0, height))])
	for i, line := range lines {
		lines[i] = cut(line, width)
	}
	for len(lines) < height {
		lines = append(lines, "")
	}
	return lines
}

// cut shortens a text at the end, and tail at the beginning, to a width in columns.
func cut(text string, width int) string { return ansi.Truncate(text, max(0, width), "…") }

func tail(text string, width int) string {
	over := lipgloss.Width(text) - width
	switch {
	case width < 1:
		return ""
	case over <= 0:
		return text
	}
	return ansi.TruncateLeft(text, over+1, "…")
}
