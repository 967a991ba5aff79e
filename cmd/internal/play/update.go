package play

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/mancheck/mancheck/internal/plain"
)

// Update changes the model after a key, or when work is done.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tickMsg:
		if msg.job == m.job && m.cancel != nil {
			return m, tick(msg.job)
		}
	case chosenMsg:
		if m.ended(msg.job) {
			return m, m.chosen(msg)
		}
	case hintMsg:
		if !m.ended(msg.job) {
			break
		}
		if msg.err != nil {
			m.say(msg.err.Error())
		} else {
			m.say(m.Table.hint(m.game, msg.choice))
		}
	case claimMsg:
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
	if cmd := m.step(option{Step: msg.choice.Step}); cmd != nil && m.fault != nil {
		return cmd
	}
	m.say(strings.TrimSpace(m.game.last()) + "  " + m.why(msg.choice))
	return m.think()
}

// step makes a move. It returns a command only if that fails.
func (m *model) step(o option) tea.Cmd {
	if err := m.game.step(o.Step); err != nil {
		m.fault = err
		return tea.Quit
	}
	m.cursor, m.typed, m.said = 0, "", ""
	return nil
}

// page is the number of lines that PgUp and PgDn scroll.
const page = 8

// key handles a key.
func (m *model) key(msg tea.KeyPressMsg) tea.Cmd {
	switch msg.String() {
	case "ctrl+c":
		return tea.Quit
	case "esc":
		return m.escape()
	case "left", "up", "shift+tab":
		m.moveCursor(-1)
	case "right", "down":
		m.moveCursor(1)
	case "pgup":
		m.scroll -= page
	case "pgdown":
		m.scroll += page
	case "tab":
		return m.enter("hint")
	case "backspace":
		if m.typed == "" {
			return m.enter("undo")
		}
		typed := []rune(m.typed)
		m.typed = string(typed[:len(typed)-1])
	case "enter":
		return m.entered()
	default:
		m.typed += plain.Line(msg.Text)
	}
	return nil
}

// escape stops the computer's work. If there is none it clears what is typed, and if nothing is
// typed it ends the game.
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
		return tea.Quit
	}
	return nil
}

// mine reports whether a person is to move.
func (m *model) mine() bool { return !m.game.over() && !m.computerMoves(m.game) }

// moveCursor moves the cursor among the legal moves, round the ends.
func (m *model) moveCursor(by int) {
	if n := len(m.game.legal); n > 0 && m.mine() {
		m.cursor = (m.cursor + by + n) % n
	}
}

// entered carries out what is typed. If nothing is, it makes the move under the cursor, or lets a
// halted computer go on.
func (m *model) entered() tea.Cmd {
	line := m.typed
	m.typed = ""
	switch {
	case line != "":
		return m.enter(line)
	case m.cancel != nil:
		return nil
	case m.mine():
		return m.makeMove(m.game.legal[m.cursor])
	}
	return m.think()
}

// makeMove makes a person's move and lets the computer answer.
func (m *model) makeMove(o option) tea.Cmd {
	if cmd := m.step(o); cmd != nil {
		return cmd
	}
	return m.think()
}

// enter carries out a line.
func (m *model) enter(line string) tea.Cmd {
	c, err := m.parse(m.game, line)
	switch {
	case err != nil:
		m.say(err.Error())
	case c.kind == quit:
		return tea.Quit
	case c.kind == undo:
		return m.undo()
	case m.cancel != nil:
		m.say("the computer is at work; Escape stops it")
	case c.kind == move && !m.mine():
		m.say("it is the computer's turn")
	case c.kind == move:
		return m.makeMove(option{Step: c.step})
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

// undo takes back moves and stops work on the present position.
func (m *model) undo() tea.Cmd {
	m.stop()
	done, err := m.game.undo(m.mayUndo)
	if err != nil {
		m.fault = err
		return tea.Quit
	}
	m.cursor, m.said = 0, ""
	if !done {
		m.say("there is no move to take back")
		return m.think()
	}
	if m.computerMoves(m.game) { // only the computer plays, and it waits for Enter
		m.halted = "Enter lets the computer go on"
	}
	return nil
}
