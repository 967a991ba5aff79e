package play

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"github.com/mancheck/mancheck/checker/choose"
)

// Screen plays a game on the whole screen of a terminal, and returns it. An error is a fault of the
// rules, or the context's.
func (t *Table) Screen(ctx context.Context, in io.Reader, out io.Writer) (*Played, error) {
	g, err := newGame(t.Sys, t.Start, t.Past)
	if err != nil {
		return nil, err
	}
	m := newModel(ctx, t, g)
	opts := []tea.ProgramOption{tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler()}
	if !t.Color.On {
		opts = append(opts, tea.WithColorProfile(colorprofile.ASCII))
	}
	_, err = tea.NewProgram(m, opts...).Run()
	m.stop()
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case errors.Is(err, tea.ErrInterrupted):
		err = nil
	case m.fault != nil:
		err = m.fault
	}
	return g.played(), err
}

// model is the state of the screen. It is used by one goroutine; work in the background sends it
// messages.
type model struct {
	*Table
	chooser
	ctx    context.Context
	typed  string    // what is typed and not entered yet
	asked  *question // to be answered before anything else; nil if there is none
	told   []turn    // since a person last chose a move
	said   string    // the answer to the last command; may have several lines
	scroll int       // number of lines of said that are above the visible part
	fault  error     // of the rules: ends the game
	halted string    // why the computer has stopped, or forced moves; empty if they have not

	motion  *motion // under way; nil if the board is at rest
	motions int     // number of the latest one
	budget  time.Duration

	job    int    // number of the latest work
	busy   string // what it is, for people
	began  time.Time
	cancel context.CancelFunc // nil if no work is under way

	width, height int
	zones         []zone // of the screen as it was drawn last
}

// question is to be answered by yes or no.
type question struct {
	text string
	yes  func() tea.Cmd
}

func newModel(ctx context.Context, t *Table, g *game) *model {
	return &model{Table: t, chooser: chooser{game: g}, ctx: ctx, width: 80, height: 24}
}

// Init lets the computer move if it moves first.
func (m *model) Init() tea.Cmd { return m.goOn() }

// Results of work in the background, with the number of the job.
type (
	chosenMsg struct {
		job    int
		choice *choose.Choice
		err    error
	}
	answerMsg struct {
		job  int
		text string
		err  error
	}
	tickMsg   struct{ job int }
	motionMsg struct{ motion int }
)

// start begins work in the background, after stopping any other. busy describes it for people.
func (m *model) start(busy string, work func(ctx context.Context, job int) tea.Msg) tea.Cmd {
	m.stop()
	m.job++
	m.busy, m.began = busy, time.Now()
	ctx, cancel := context.WithCancel(m.ctx)
	m.cancel = cancel
	job := m.job
	return tea.Batch(func() tea.Msg { return work(ctx, job) }, tick(job))
}

// tick makes the screen show how long the work has taken.
func tick(job int) tea.Cmd {
	return tea.Tick(time.Second/4, func(time.Time) tea.Msg { return tickMsg{job} })
}

// stop ends the work under way. Its result will be ignored.
func (m *model) stop() {
	if m.cancel != nil {
		m.cancel()
	}
	m.cancel, m.busy = nil, ""
}

// mine reports whether a person is to move, and the board is at rest.
func (m *model) mine() bool {
	return m.motion == nil && !m.game.over() && !m.computerMoves(m.game)
}

// onlyMove reports whether a person is to move who has no choice.
func (m *model) onlyMove() bool { return len(m.game.legal) == 1 && m.mine() }

// goOn makes the only move of a person who has no choice, or lets the computer choose its move.
func (m *model) goOn() tea.Cmd {
	m.halted = ""
	switch {
	case m.onlyMove():
		if why := m.roundOnly(); why != "" {
			m.halted = why
			return nil
		}
		return m.makeMove(m.game.legal[0], true, "")
	case m.computerMoves(m.game):
		return m.think()
	}
	return nil
}

// think lets the computer choose its move.
func (m *model) think() tea.Cmd {
	if m.halted = m.halt(m.game); m.halted != "" {
		return nil
	}
	st, opts := m.game.state(), m.seeded(m.game)
	who := m.game.name(st.Mover, "the computer")
	return m.start(who+" is thinking", func(ctx context.Context, job int) tea.Msg {
		c, err := choose.Choose(ctx, m.Sys, st, opts)
		return chosenMsg{job, c, err}
	})
}

// roundOnly says why only moves are not made by themselves any longer: the play goes round, or many
// have been made.
func (m *model) roundOnly() string {
	many := false
	if k := len(m.told) - 1; k >= 0 && m.told[k].forced {
		many = len(m.told[k].moves) >= m.MaxMoves
	}
	if many || m.game.repeated() >= 0 {
		return "Enter makes the only move"
	}
	return ""
}

// makeMove makes a move, and shows it seed by seed if there is time. A move that was chosen begins
// a new turn, with time of its own.
func (m *model) makeMove(o option, forced bool, why string) tea.Cmd {
	if !forced {
		m.budget = motionBudget
	}
	var shown *motion
	var err error
	if m.Motion {
		var took time.Duration
		shown, took, err = newMotion(m.game, o.Action, m.budget)
		m.budget -= took
	}
	if err == nil {
		err = m.game.step(o.Step)
	}
	if err != nil {
		m.fault = err
		return tea.Quit
	}
	m.reset()
	m.said = ""
	m.tell(forced, why)
	if shown == nil {
		return m.goOn()
	}
	m.motions++
	m.motion = shown
	return m.frame()
}

// frame waits for the next step of the motion.
func (m *model) frame() tea.Cmd {
	n := m.motions
	return tea.Tick(m.motion.frame, func(time.Time) tea.Msg { return motionMsg{n} })
}

// rest ends the motion.
func (m *model) rest() tea.Cmd {
	m.motion = nil
	return m.goOn()
}

// seek computes a hint.
func (m *model) seek() tea.Cmd {
	if m.game.over() {
		m.said = "there is no legal move"
		return nil
	}
	now, opts := *m.game, m.seeded(m.game)
	return m.start("looking for a hint", func(ctx context.Context, job int) tea.Msg {
		text, err := m.advice(ctx, &now, opts)
		return answerMsg{job, text, err}
	})
}

// decide decides a claim from the present state.
func (m *model) decide(name string) tea.Cmd {
	st := m.game.state()
	return m.start("deciding "+name, func(ctx context.Context, job int) tea.Msg {
		text, err := m.Ask(ctx, name, st)
		return answerMsg{job, text, err}
	})
}

// say shows text until there is another answer.
func (m *model) say(text string) { m.said, m.scroll = strings.TrimRight(text, "\n"), 0 }
