package play

import (
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"github.com/mancheck/mancheck/checker/choose"
	"github.com/mancheck/mancheck/internal/plain"
)

// Update changes the model after a key or a click, or when work is done.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tickMsg:
		if msg.job == m.job && m.cancel != nil {
			return m, tick(msg.job)
		}
	case motionMsg:
		switch {
		case msg.motion != m.motions || m.motion == nil:
		case m.motion.step():
			return m, m.frame()
		default: // that was the last step
			return m, m.rest()
		}
	case chosenMsg:
		if m.ended(msg.job) {
			return m, m.chosen(msg)
		}
	case answerMsg:
		if !m.ended(msg.job) {
			break
		}
		if msg.err != nil {
			m.say(msg.err.Error())
		} else {
			m.say(msg.text)
		}
	case tea.PasteMsg:
		m.typed += plain.Line(msg.Content)
		m.typing()
	case tea.MouseClickMsg:
		return m, m.click(msg)
	case tea.MouseWheelMsg:
		if msg.Button == tea.MouseWheelUp {
			m.scroll--
		} else {
			m.scroll++
		}
	case tea.KeyPressMsg:
		return m, m.key(msg)
	}
	return m, nil
}

// ended reports whether a job has ended that is still wanted. Work that was stopped or replaced is
// not.
func (m *model) ended(job int) bool {
	if job != m.job || m.cancel == nil {
		return false
	}
	m.stop()
	return true
}

// chosen makes the move that the computer has chosen.
func (m *model) chosen(msg chosenMsg) tea.Cmd {
	if msg.err != nil {
		m.fault = msg.err
		return tea.Quit
	}
	forced := msg.choice.How == choose.Only
	return m.makeMove(option{Step: msg.choice.Step}, forced, m.why(msg.choice))
}

// page is the number of lines that PgUp and PgDn scroll.
const page = 8

// key handles a key. While a move is shown, a key ends that; only characters mean something more.
func (m *model) key(msg tea.KeyPressMsg) tea.Cmd {
	key := msg.String()
	switch {
	case key == "ctrl+c":
		return tea.Quit
	case m.asked != nil:
		return m.answered(key)
	case m.motion != nil:
		m.budget = 0
		m.typed += plain.Line(msg.Text)
		return m.rest()
	}
	switch key {
	case "esc":
		return m.escape()
	case "left", "right", "up", "down", "shift+tab":
		m.arrow(key)
	case "pgup":
		m.scroll -= page
	case "pgdown":
		m.scroll += page
	case "tab":
		return m.enter("hint")
	case "f2":
		return m.enter("show")
	case "ctrl+s":
		m.typed = "save "
	case "backspace":
		if m.typed == "" {
			return m.enter("undo")
		}
		typed := []rune(m.typed)
		m.typed = string(typed[:len(typed)-1])
		m.typing()
	case "enter":
		return m.entered()
	default:
		m.typed += plain.Line(msg.Text)
		m.typing()
	}
	return nil
}

// arrow moves the cursor.
func (m *model) arrow(key string) {
	switch {
	case !m.mine():
	case key == "left":
		m.across(-1)
	case key == "right":
		m.across(1)
	case key == "down":
		m.along(1)
	default:
		m.along(-1)
	}
}

// typing moves the cursor to what is typed.
func (m *model) typing() {
	if m.mine() {
		m.follow(m.typed)
	}
}

// clicked chooses among the moves about a pit.
func (m *model) clicked(pit int) tea.Cmd {
	if !m.mine() {
		return nil
	}
	switch o, n := m.pick(pit); n {
	case 0:
		m.say("there is no legal move from there")
	case 1:
		return m.choose(o)
	}
	return nil
}

// clickedMove makes a move that was clicked, if it is still a legal one: the click may have come
// before the screen was drawn anew.
func (m *model) clickedMove(o option) tea.Cmd {
	legal := slices.ContainsFunc(m.game.legal, func(l option) bool { return l.Action == o.Action && l.To.Equal(o.To) })
	if !legal || !m.mine() {
		return nil
	}
	return m.choose(o)
}

// ask asks a question before anything else goes on.
func (m *model) ask(text string, yes func() tea.Cmd) { m.asked = &question{text, yes} }

// answered takes a key as the answer to the question.
func (m *model) answered(key string) tea.Cmd {
	q := m.asked
	switch key {
	case "y", "Y":
		m.asked = nil
		return q.yes()
	case "n", "N", "esc", "enter":
		m.asked = nil
	}
	return nil
}

// escape stops the computer's work. If there is none it clears what is typed, and if nothing is
// typed it asks whether to leave the game.
func (m *model) escape() tea.Cmd {
	switch {
	case m.cancel != nil:
		m.halted = "stopped: Enter lets the computer go on"
		if !m.computerMoves(m.game) {
			m.halted = ""
		}
		m.stop()
	case m.typed != "":
		m.typed = ""
	default:
		m.ask("leave the game? y/n", func() tea.Cmd { return tea.Quit })
	}
	return nil
}

// click does what is drawn where the mouse was clicked.
func (m *model) click(msg tea.MouseClickMsg) tea.Cmd {
	switch {
	case msg.Button != tea.MouseLeft || m.asked != nil:
		return nil
	case m.motion != nil:
		m.budget = 0
		return m.rest()
	}
	for _, z := range m.zones {
		if msg.Y == z.y && msg.X >= z.x && msg.X < z.x+z.width {
			return z.click(m)
		}
	}
	return nil
}

// entered carries out what is typed. If nothing is, it makes the move under the cursor, or lets the
// game go on that has halted.
func (m *model) entered() tea.Cmd {
	line := m.typed
	m.typed = ""
	switch {
	case line != "":
		return m.enter(line)
	case m.mine():
		return m.choose(m.game.legal[m.cursor])
	case m.cancel == nil && m.computerMoves(m.game):
		return m.think()
	}
	return nil
}

// choose makes the move that a person has chosen, who does not wait for a hint any longer.
func (m *model) choose(o option) tea.Cmd {
	m.stop()
	m.told, m.typed = nil, ""
	return m.makeMove(o, false, "")
}

// enter carries out a line.
func (m *model) enter(line string) tea.Cmd {
	c, err := m.parse(m.game, line)
	switch {
	case err != nil:
		return m.unclear(line, err)
	case c.kind == quit:
		return tea.Quit
	case c.kind == undo:
		return m.undo()
	case c.kind == save, c.kind == saveOver:
		m.save(c.arg, c.kind == saveOver)
	case c.kind == move && m.mine():
		return m.choose(option{Step: c.step})
	case c.kind == move:
		m.say("it is the computer's turn")
	case m.cancel != nil:
		m.say("the computer is at work; Escape stops it")
	case c.kind == hint:
		return m.seek()
	case c.kind == claim && c.arg != "":
		return m.decide(c.arg)
	case c.kind == showBoard:
		m.said = ""
	default:
		m.say(m.reply(m.game, c.kind))
	}
	return nil
}

// unclear makes the move that a line is the beginning of, if there is only one, and says how to go
// on if there are several.
func (m *model) unclear(line string, err error) tea.Cmd {
	o, several, ok := m.meant(line)
	switch {
	case ok && m.mine():
		return m.choose(o)
	case len(several) > 1 && m.mine():
		m.typed = line + " "
		m.typing()
		m.say("which one: " + joined(several))
	default:
		m.say(err.Error())
	}
	return nil
}

// save saves the game, and asks before it replaces a file.
func (m *model) save(path string, replace bool) {
	err := m.Save(path, m.game.trace(), replace)
	switch {
	case errors.As(err, new(*ExistsError)):
		m.ask(plain.Line(path)+" exists: replace it? y/n", func() tea.Cmd {
			m.save(path, true)
			return nil
		})
	case err != nil:
		m.say(err.Error())
	default:
		m.say("saved to " + path)
	}
}

// undo takes back moves and stops work on the present position. It goes back to where a person has
// a choice, since only moves are made by themselves.
func (m *model) undo() tea.Cmd {
	m.stop()
	m.motion = nil
	done, err := m.game.undo(m.mayUndo, m.people())
	if err != nil {
		m.fault = err
		return tea.Quit
	}
	m.reset()
	m.said, m.told = "", nil
	if !done {
		m.say("there is no move to take back")
		return m.goOn()
	}
	switch {
	case m.computerMoves(m.game): // only the computer plays, and it waits for Enter
		m.halted = "Enter lets the computer go on"
	case m.onlyMove():
		m.halted = "this is the start: Enter makes the only move"
	default:
		m.halted = ""
	}
	return nil
}
