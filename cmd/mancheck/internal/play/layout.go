package play

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// A layout says what a screen has room for. The board and the line that is typed are on all of
// them.
type layout struct {
	head  bool // the game and the players
	gaps  bool // empty lines between the parts
	frame bool // around the board
	keys  bool // what can be pressed, and the moves made
	all   bool // every legal move, and not just the line of the one under the cursor
}

// layouts go from the fullest one to the barest.
var layouts = []layout{
	{head: true, gaps: true, frame: true, keys: true, all: true},
	{head: true, frame: true, keys: true, all: true},
	{head: true, keys: true, all: true},
	{keys: true, all: true},
	{keys: true},
	{},
}

// content is the screen: as many lines as it has, none of which is wider.
func (m *model) content() string {
	width, height := max(1, m.width), max(1, m.height)
	main := width
	if width >= wide {
		main = width - sideWidth - 2
	}
	for i, l := range layouts {
		lines, foot := m.main(l, main), m.foot(l, width)
		room := height - len(foot)
		need := len(lines)
		if m.said != "" && i < len(layouts)-1 {
			need += 2 // some of the answer
		}
		if need > room || widest(lines) > main {
			continue
		}
		if left := room - len(lines); left > 0 {
			lines = append(lines, m.answer(main, left)...)
		}
		if width >= wide {
			left := lipgloss.NewStyle().Width(main).Render(strings.Join(lines, "\n"))
			lines = strings.Split(lipgloss.JoinHorizontal(lipgloss.Top, left, "  ", m.side(room)), "\n")
		}
		return strings.Join(fitted(slices.Concat(fitted(lines, width, room), foot), width, height), "\n")
	}
	return m.tooSmall(width, height)
}

// tooSmall says how large a window has to be for the board.
func (m *model) tooSmall(width, height int) string {
	least := layouts[len(layouts)-1]
	lines := m.main(least, 1<<16)
	text := fmt.Sprintf("make the window larger: %d columns and %d lines show the board", widest(lines), len(lines)+len(m.foot(least, width)))
	lines = wrapped(text, width)
	if height > 1 {
		lines = append(fitted(lines, width, height-1), "> "+tail(m.typed, width-4)+"▏")
	}
	return strings.Join(fitted(lines, width, height), "\n")
}

// fitted are so many lines, none of which is wider.
func fitted(lines []string, width, height int) []string {
	lines = slices.Clone(lines[:min(len(lines), max(0, height))])
	for i, line := range lines {
		lines[i] = ansi.Truncate(line, width, "…")
	}
	for len(lines) < height {
		lines = append(lines, "")
	}
	return lines
}

// widest is the width of the widest line.
func widest(lines []string) int {
	most := 0
	for _, line := range lines {
		most = max(most, lipgloss.Width(line))
	}
	return most
}
