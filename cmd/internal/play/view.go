package play

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/internal/plain"
	"github.com/mancheck/mancheck/rules"
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
	frame    = lipgloss.NewStyle().Border(lipgloss.RoundedBorder()).Padding(0, 2)
)

// zone is a part of a line of the screen that can be clicked.
type zone struct {
	x, y, width int
	pit         bool // it is one of the board
	click       func(*model) tea.Cmd
}

// View draws the whole screen.
func (m *model) View() tea.View {
	v := tea.NewView(m.content())
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = "mancheck play: " + m.Sys.Name
	return v
}

// content returns the screen.
func (m *model) content() string { return screen{m}.content() }

// content returns as many lines as the window has, none of them too wide.
func (m screen) content() string {
	m.zones = nil
	width, height := max(1, m.width), max(1, m.height)
	l, ok := m.fit(width, height)
	if !ok {
		return m.tooSmall(width, height)
	}
	foot := m.foot(l, width)
	room := height - len(foot)
	main := m.mainWidth(width)
	lines := m.main(l, main)
	lines = append(lines, m.answer(main, room-len(lines))...)
	lines = fitted(lines, main, room)
	if main < width {
		side := m.side(room)
		for i := range lines {
			if i < len(side) {
				lines[i] += strings.Repeat(" ", main+2-lipgloss.Width(lines[i])) + side[i]
			}
		}
	}
	return strings.Join(fitted(slices.Concat(lines, foot), width, height), "\n")
}

// tooSmall says how large a window must be to show the board.
func (m screen) tooSmall(width, height int) string {
	least := m.lines(layouts[len(layouts)-1], 0)
	lines := wrapped(fmt.Sprintf("make the window larger: %d columns and %d lines show the board", m.game.grid.width(), least), width)
	if height > 1 {
		lines = append(fitted(lines, width, height-1), m.input(width))
	}
	return strings.Join(fitted(lines, width, height), "\n")
}

// main returns the lines about the game, always as many.
func (m screen) main(l layout, width int) []string {
	var lines []string
	gap := func() {
		if l.gaps {
			lines = append(lines, "")
		}
	}
	if l.head {
		lines = append(lines, bold.Render(cut(m.Title, width)), faint.Render(cut(m.players(), width)))
	}
	gap()
	lines = append(lines, m.board(l, len(lines))...)
	lines = append(lines, bold.Render(cut(plain.Line(m.status()), width)))
	told := m.latest(l.told)
	if l.answer == 0 && m.said != "" && l.told > 0 { // answers have no lines of their own
		told = m.answer(width, l.told)
	}
	lines = append(lines, fitted(told, width, l.told)...)
	gap()
	lines = append(lines, fitted(m.choices(l.moves, width, len(lines)), width, l.moves)...)
	gap()
	return lines
}

// players says who plays.
func (m screen) players() string {
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

// status says what goes on, in the line below the board.
func (m screen) status() string {
	switch s := m.motion; {
	case s != nil:
		text := "sowing"
		if name := m.Sys.Players[s.player]; name != "" {
			text = name + " sows"
		}
		if s.hand > 0 {
			text += fmt.Sprintf(", %d in hand", s.hand)
		}
		return text
	case m.cancel != nil:
		return fmt.Sprintf("%s … %.0f s", m.busy, time.Since(m.began).Seconds())
	}
	text := m.game.status()
	if n := m.game.repeated(); n >= 0 {
		text += fmt.Sprintf("   as after move %d", n)
	}
	return strings.TrimSpace(text)
}

// latest returns what is told of the last moves, or why the game has halted.
func (m screen) latest(room int) []string {
	lines := lists.Map(m.told, func(t turn) string { return t.text() })
	if m.halted != "" {
		lines = append(lines, warned.Render(plain.Line(m.halted)))
	}
	return lines[max(0, len(lines)-room):]
}

// board draws the board, in a frame or without, from this line of the screen on. It marks the pits
// that the move under the cursor is about.
func (m screen) board(l layout, top int) []string {
	d := m.game.drawn()
	at, chosen := rules.None, m.chosenPits()
	if s := m.motion; s != nil {
		d.seeds, d.before, d.marked, d.mover, at = s.seeds, s.before, rules.None, s.player, s.at
	}
	d.bare = !l.labels
	d.paint = func(pit int, text string, label bool) string {
		switch {
		case chosen[pit] || pit == at && !label:
			return selected.Render(text)
		case label:
			return faint.Render(text)
		case strings.Contains(text, "+"):
			return gained.Render(text)
		case strings.Contains(text, "-"):
			return lost.Render(text)
		}
		return text
	}
	lines, spots := m.game.grid.draw(d)
	x, y := 0, top
	if l.frame {
		for i, line := range lines { // names are narrower than the board may be
			lines[i] = cut(line, m.game.grid.width())
		}
		lines = strings.Split(frame.Width(m.game.grid.width()+frameColumns).Render(strings.Join(lines, "\n")), "\n")
		x, y = insideX, top+insideY
	}
	for _, s := range spots {
		m.zones = append(m.zones, zone{x + s.column, y + s.line, m.game.grid.cell(), true, func(m *model) tea.Cmd { return m.clicked(s.pit) }})
	}
	return lines
}

// chosenPits returns the pits that the move under the cursor is about.
func (m screen) chosenPits() map[int]bool {
	pits := map[int]bool{}
	if m.mine() {
		for _, p := range m.game.legal[m.cursor].pits {
			pits[p] = true
		}
	}
	return pits
}

// choices lists the legal moves with the cursor, as many lines as there is room for, with the line
// of the cursor among them. They are at a line of the screen.
func (m screen) choices(room, width, top int) []string {
	if room == 0 || !m.mine() {
		return nil
	}
	const lead = "moves: "
	lines, at := []string{lead}, 0
	x := len(lead)
	var zones []zone
	for i, o := range m.game.legal {
		text := cut(plain.Line(o.short), max(1, width-len(lead)-2))
		size := lipgloss.Width(text) + 2
		if x+size > width && x > len(lead) {
			lines = append(lines, strings.Repeat(" ", len(lead)))
			x = len(lead)
		}
		if i == m.cursor {
			at = len(lines) - 1
			text = selected.Render("›" + text + "‹")
		} else {
			text = " " + text + " "
		}
		zones = append(zones, zone{x, len(lines) - 1, size, false, func(m *model) tea.Cmd { return m.clickedMove(o) }})
		lines[len(lines)-1] += text
		x += size
	}
	first := max(0, min(at-room/2, len(lines)-room))
	last := min(len(lines), first+room)
	for _, z := range zones {
		if z.y >= first && z.y < last {
			z.y += top - first
			m.zones = append(m.zones, z)
		}
	}
	if first > 0 {
		lines[first] = strings.Repeat(" ", len(lead)-2) + "… " + strings.TrimPrefix(lines[first], strings.Repeat(" ", len(lead)))
	}
	if last < len(lines) {
		lines[last-1] += " …"
	}
	return lines[first:last]
}

// answer returns the part of the answer that there is room for. If some is left out, the last line
// says how to scroll.
func (m screen) answer(width, room int) []string {
	var lines []string
	if m.said != "" {
		for _, line := range strings.Split(m.said, "\n") {
			lines = append(lines, wrapped(plain.Line(line), width)...)
		}
	}
	switch {
	case len(lines) <= room:
		m.scroll = 0
		return lines
	case room < 1:
		return nil
	case room == 1:
		m.scroll = max(0, min(m.scroll, len(lines)-1))
		return lines[m.scroll:][:1]
	}
	room--
	m.scroll = max(0, min(m.scroll, len(lines)-room))
	part := lines[m.scroll : m.scroll+room]
	where := fmt.Sprintf("lines %d to %d of %d: PgUp, PgDn", m.scroll+1, m.scroll+room, len(lines))
	return append(slices.Clip(part), faint.Render(where))
}

// side lists the latest moves made, as many as there is room for.
func (m screen) side(room int) []string {
	lines := []string{bold.Render("moves made")}
	first := max(0, len(m.game.moves)-max(1, room-1))
	for i, mv := range m.game.moves[first:] {
		lines = append(lines, cut(fmt.Sprintf("%3d. %s", first+i+1, plain.Line(m.game.by(mv.player, mv.short))), sideWidth))
	}
	return lines
}

// foot returns the input line, the keys and, unless they are at the side, the moves made.
func (m screen) foot(l layout, width int) []string {
	var lines []string
	if l.history && m.mainWidth(width) == width {
		text := ""
		if n := len(m.game.moves); n > 0 {
			text = faint.Render(tail(numeral.Count(int64(n), "move")+": "+plain.Line(m.game.history(true)), width))
		}
		lines = append(lines, text)
	}
	lines = append(lines, m.input(width))
	if l.keys {
		keys := "arrows or click choose  Enter play  Tab hint  Backspace undo  F2 variables  ^S save  Esc leave  help"
		if width < wide {
			keys = "arrows Enter play  Tab hint  Backspace undo  ^S save  Esc leave  help"
		}
		lines = append(lines, faint.Render(cut(keys, width)))
	}
	return lines
}

// input returns the line to type in, or the question that is to be answered.
func (m screen) input(width int) string {
	if m.asked != nil {
		return warned.Render(tail(m.asked.text, width-2)) + " ▏"
	}
	return "> " + tail(m.typed, width-4) + "▏"
}

// wrapped breaks a text into lines.
func wrapped(text string, width int) []string {
	return strings.Split(lipgloss.Wrap(text, width, ""), "\n")
}
