package play

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// A layout says which parts of the screen there is room for. The board and the input line are
// always shown.
type layout struct {
	head  bool // the title and the players
	gaps  bool // empty lines between the parts
	frame bool // around the board
	keys  bool // keys, and the moves made
	all   bool // all legal moves, rather than the line with the one under the cursor
}

// layouts go from the fullest to the barest.
var layouts = []layout{
	{head: true, gaps: true, frame: true, keys: true, all: true},
	{head: true, frame: true, keys: true, all: true},
	{head: true, keys: true, all: true},
	{keys: true, all: true},
	{keys: true},
	{},
}

// content returns the screen: as many lines as fit, none of them too wide. It takes the first
// layout that fits.
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
			need += 2 // room for some of the answer
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

// tooSmall says how large a window must be to show the board.
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

// fitted returns exactly height lines, none of them wider than width.
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

// widest returns the width of the widest line.
func widest(lines []string) int {
	most := 0
	for _, line := range lines {
		most = max(most, lipgloss.Width(line))
	}
	return most
}
