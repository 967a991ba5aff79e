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

// Screen plays a game on the whole screen of a terminal, and returns the moves that were made. An
// error is a fault of the rules, or the context's.
func (t *Table) Screen(ctx context.Context, in io.Reader, out io.Writer) (moves string, err error) {
	g, err := newGame(t.Sys, t.Start)
	if err != nil {
		return "", err
	}
	m := &model{Table: t, ctx: ctx, game: g, width: 80, height: 24}
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
	return g.history(), err
}

// model is the state of the screen. It is used by one goroutine; work in the background sends it
// messages.
type model struct {
	*Table
	ctx    context.Context
	game   *game
	cursor int    // index in the legal moves
	typed  string // what is typed and not entered yet
	said   string // the answer to the last command, or what the computer said; may have several lines
	scroll int    // number of lines of said that are above the visible part
	fault  error  // of the rules: ends the game
	halted string // why the computer has stopped; empty if it has not

	job    int    // number of the latest work
	busy   string // what it is, for people
	began  time.Time
	cancel context.CancelFunc // nil if no work is under way

	width, height int
}

// Init lets the computer move if it moves first.
func (m *model) Init() tea.Cmd { return m.think() }

// Results of work in the background, with the number of the job.
type (
	chosenMsg struct {
		job    int
		choice *choose.Choice
		err    error
	}
	hintMsg  chosenMsg
	claimMsg struct {
		job  int
		text string
		err  error
	}
	tickMsg struct{ job int }
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

// think lets the computer choose its move, if it is to move.
func (m *model) think() tea.Cmd {
	m.halted = ""
	if !m.computerMoves(m.game) {
		return nil
	}
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

// seek computes values for a hint.
func (m *model) seek() tea.Cmd {
	if m.game.over() {
		m.said = "there is no legal move"
		return nil
	}
	st, opts := m.game.state(), m.seeded(m.game)
	return m.start("looking for a hint", func(ctx context.Context, job int) tea.Msg {
		c, err := choose.Choose(ctx, m.Sys, st, opts)
		return hintMsg{job, c, err}
	})
}

// decide decides a claim from the present state.
func (m *model) decide(name string) tea.Cmd {
	st := m.game.state()
	return m.start("deciding "+name, func(ctx context.Context, job int) tea.Msg {
		text, err := m.Ask(ctx, name, st)
		return claimMsg{job, text, err}
	})
}

// say shows text until there is another answer.
func (m *model) say(text string) { m.said, m.scroll = strings.TrimRight(text, "\n"), 0 }
