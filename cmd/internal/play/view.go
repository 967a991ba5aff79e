package play

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/charmbracelet/x/ansi"

	"github.com/mancheck/mancheck/internal/plain"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
)

// The styles. Whatever they say is also said by a character or a word, for terminals without
// colours.
var (
	bold     = lipgloss.NewStyle().Bold(true)
	faint    = lipgloss.NewStyle().Faint(true)
	selected = lipgloss.NewStyle().Bold(true).Reverse(true)
	gained   = lipgloss.NewStyle().Foreground(lipgloss.Green)
	lost     = lipgloss.NewStyle().Foreground(lipgloss.Red)
	warned   = lipgloss.NewStyle().Foreground(lipgloss.Yellow)
	frame    = lipgloss.NewStyle().Border(lipgloss.RoundedBorder()).Padding(1, 2)
)

// A screen of at least wide columns shows the moves made at the side.
const (
	wide      = 100
	sideWidth = 30
)

// View draws the whole screen.
func (m *model) View() tea.View {
	v := tea.NewView(m.content())
	v.AltScreen = true
	v.WindowTitle = "mancheck play: " + m.Sys.Name
	return v
}

// answer returns the part of the answer that there is room for, at least one line. If some is left
// out, the last line says how to scroll.
func (m *model) answer(width, room int) []string {
	var lines []string
	if m.said != "" {
		for _, line := range strings.Split(m.said, "\n") {
			lines = append(lines, wrapped(plain.Line(line), width)...)
		}
	}
	if len(lines) <= room {
		m.scroll = 0
		return lines
	}
	if room == 1 {
		return lines[:1]
	}
	room--
	m.scroll = max(0, min(m.scroll, len(lines)-room))
	part := lines[m.scroll : m.scroll+room]
	where := fmt.Sprintf("lines %d to %d of %d: PgUp, PgDn", m.scroll+1, m.scroll+room, len(lines))
	return append(slices.Clip(part), faint.Render(where))
}

// main returns the lines about the game: the players, the board, the moves, and the computer's
// work.
func (m *model) main(l layout, width int) []string {
	var lines []string
	gap := func() {
		if l.gaps {
			lines = append(lines, "")
		}
	}
	if l.head {
		lines = append(lines, bold.Render(cut(m.Title, width)), faint.Render(cut(m.players(), width)))
		gap()
	}
	lines = append(lines, strings.Split(m.board(l.frame), "\n")...)
	if status := m.game.status(); status != "" {
		lines = append(lines, wrapped(bold.Render(plain.Line(status)), width)...)
	}
	if n := m.game.repeated(); n >= 0 {
		lines = append(lines, warned.Render(cut(fmt.Sprintf("as after move %d", n), width)))
	}
	gap()
	if m.mine() {
		lines = append(lines, m.choices(l.all, width)...)
		gap()
	}
	switch {
	case m.cancel != nil:
		lines = append(lines, warned.Render(cut(fmt.Sprintf("%s … %.0f s", m.busy, time.Since(m.began).Seconds()), width)))
		gap()
	case m.halted != "":
		for _, line := range wrapped(plain.Line(m.halted), width) {
			lines = append(lines, warned.Render(line))
		}
		gap()
	}
	return lines
}

// players says who plays.
func (m *model) players() string {
	if len(m.Sys.Players) == 1 && m.person(0) {
		return "a solitaire"
	}
	var list []string
	for i, name := range m.Sys.Players {
		who := "computer"
		if m.person(i) {
			who = "person"
		}
		if name != "" {
			who = name + ": " + who
		}
		list = append(list, who)
	}
	return strings.Join(list, "   ")
}

// board draws the board, in a frame or without. It marks the pits that the move under the cursor is
// about.
func (m *model) board(framed bool) string {
	chosen := m.chosenPits()
	paint := func(pit int, cell string) string {
		switch {
		case chosen[pit]:
			return selected.Render(cell)
		case strings.Contains(cell, "+"):
			return gained.Render(cell)
		case strings.Contains(cell, "-"):
			return lost.Render(cell)
		}
		return cell
	}
	opts := board.Options{Paint: paint, Before: &m.Start} // reserves room for marks even before the first move
	drawn := strings.TrimRight(m.game.draw(opts), "\n")
	if !framed {
		return drawn
	}
	return frame.Render(drawn)
}

// chosenPits returns the pits that the move under the cursor chooses.
func (m *model) chosenPits() map[int]bool {
	pits := map[int]bool{}
	if !m.mine() {
		return pits
	}
	for _, c := range m.Sys.Actions[m.game.legal[m.cursor].Action].Choices {
		if c.Type == rules.PitType && c.Value != rules.None {
			pits[c.Value] = true
		}
	}
	return pits
}

// choices lists the legal moves with the cursor: all of them, or only the line with the cursor.
// Blanks inside a move do not break, so that a move stays on one line.
func (m *model) choices(all bool, width int) []string {
	var list []string
	for i, o := range m.game.legal {
		text := strings.ReplaceAll(cut(plain.Line(o.notation), max(1, width-9)), " ", "\u00a0")
		if i == m.cursor {
			list = append(list, selected.Render("›"+text+"‹"))
		} else {
			list = append(list, "\u00a0"+text+"\u00a0")
		}
	}
	lines := wrapped("moves: "+strings.Join(list, " "), width)
	if all {
		return lines
	}
	at := slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "›") })
	return lines[max(at, 0):][:1]
}

// side lists the latest moves made, as many as there is room for.
func (m *model) side(room int) string {
	lines := []string{bold.Render("moves made")}
	first := max(0, len(m.game.moves)-max(1, room-1))
	for i, mv := range m.game.moves[first:] {
		text := mv.notation
		if name := m.Sys.Players[mv.player]; name != "" {
			text = name + ": " + text
		}
		lines = append(lines, cut(fmt.Sprintf("%3d. %s", first+i+1, plain.Line(text)), sideWidth))
	}
	return strings.Join(lines, "\n")
}

// foot returns the input line and the keys.
func (m *model) foot(l layout, width int) []string {
	keys := "←→ choose  Enter play  Tab hint  Backspace undo  Esc end  or type: a move, claim NAME, help"
	if width < wide {
		keys = "←→ choose  Enter play  Tab hint  Backspace undo  Esc end  help"
	}
	var lines []string
	if n := len(m.game.moves); l.keys && n > 0 && width < wide {
		lines = append(lines, faint.Render(tail(fmt.Sprintf("%d moves: %s", n, plain.Line(m.game.history())), width)))
	}
	lines = append(lines, "> "+tail(m.typed, width-4)+"▏")
	if l.keys {
		lines = append(lines, faint.Render(cut(keys, width)))
	}
	return lines
}

// wrapped breaks a text into lines.
func wrapped(text string, width int) []string {
	return strings.Split(lipgloss.Wrap(text, width, ""), "\n")
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
