package watch

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
)

// Shown is what there is to see: a table, and a line at the foot.
type Shown struct {
	Text string
	Foot string
}

// Screen shows rounds of work on the whole screen of a terminal.
type Screen struct {
	Title   string
	Color   bool
	Changed <-chan struct{} // begins another round, and ends the one under way
	// Round does the work, shows how far it is as often as it likes, and returns what is to be seen
	// at its end. Its context ends when it is not wanted any longer; the next one begins after it.
	// width is that of the screen, and all asks for all evidence.
	Round func(ctx context.Context, width int, all bool, show func(Shown)) Shown
}

// Run shows rounds until the person leaves, or the context ends.
func (s *Screen) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	m := &model{Screen: s, ctx: ctx, width: 80, height: 24}
	opts := []tea.ProgramOption{tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out), tea.WithoutSignalHandler()}
	if !s.Color {
		opts = append(opts, tea.WithColorProfile(colorprofile.ASCII))
	}
	p := tea.NewProgram(m, opts...)
	m.send = p.Send
	_, err := p.Run()
	m.stop()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, tea.ErrInterrupted) {
		return nil
	}
	return err
}

// model is the state of the screen.
type model struct {
	*Screen
	ctx  context.Context
	send func(tea.Msg)

	shown  Shown
	round  int  // number of the latest round
	all    bool // all evidence is shown
	scroll int
	moved  bool // the person has scrolled: until then the end is seen, where the plays are
	cancel context.CancelFunc
	rounds sync.Mutex // held by the round under way

	width, height int
}

// shownMsg is what a round shows.
type shownMsg struct {
	round int
	shown Shown
}

// changedMsg is that files have changed.
type changedMsg struct{}

// Init begins the first round.
func (m *model) Init() tea.Cmd { return tea.Batch(m.begin(), m.wait()) }

// wait waits for a change of the files.
func (m *model) wait() tea.Cmd {
	return func() tea.Msg {
		select {
		case <-m.Changed:
			return changedMsg{}
		case <-m.ctx.Done():
			return nil
		}
	}
}

// begin begins a round, and ends the one under way.
func (m *model) begin() tea.Cmd {
	m.stop()
	m.round++
	ctx, cancel := context.WithCancel(m.ctx)
	m.cancel = cancel
	round, width, all := m.round, m.width, m.all
	return func() tea.Msg {
		m.rounds.Lock()
		defer m.rounds.Unlock()
		if ctx.Err() != nil {
			return nil
		}
		shown := m.Round(ctx, width, all, func(s Shown) { m.send(shownMsg{round, s}) })
		return shownMsg{round, shown}
	}
}

// stop ends the round under way.
func (m *model) stop() {
	if m.cancel != nil {
		m.cancel()
	}
}

// Update changes the model.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		narrower := msg.Width != m.width
		m.width, m.height = msg.Width, msg.Height
		if narrower && m.round > 0 {
			return m, m.begin()
		}
	case changedMsg:
		return m, tea.Batch(m.begin(), m.wait())
	case shownMsg:
		if msg.round == m.round {
			m.shown = msg.shown
		}
	case tea.MouseWheelMsg:
		m.moved = true
		if msg.Button == tea.MouseWheelUp {
			m.scroll -= 3
		} else {
			m.scroll += 3
		}
	case tea.KeyPressMsg:
		before := m.scroll
		cmd := m.key(msg.String())
		m.moved = m.moved || m.scroll != before
		return m, cmd
	}
	return m, nil
}

func (m *model) key(k string) tea.Cmd {
	switch k {
	case "q", "esc", "ctrl+c":
		m.stop()
		return tea.Quit
	case "v":
		m.all = !m.all
		return m.begin()
	case "r":
		return m.begin()
	case "up", "k":
		m.scroll--
	case "down", "j":
		m.scroll++
	case "pgup":
		m.scroll -= m.room()
	case "pgdown", "space":
		m.scroll += m.room()
	case "home", "g":
		m.scroll = 0
	case "end", "G":
		m.scroll = len(m.lines())
	}
	return nil
}

// room is how many lines of the table have room.
func (m *model) room() int { return max(1, m.height-2) }

func (m *model) lines() []string { return strings.Split(strings.TrimRight(m.shown.Text, "\n"), "\n") }

var faint = lipgloss.NewStyle().Faint(true)

// View draws the screen.
func (m *model) View() tea.View {
	lines := m.lines()
	if !m.moved {
		m.scroll = len(lines)
	}
	m.scroll = max(0, min(m.scroll, len(lines)-m.room()))
	part := lines[m.scroll:min(len(lines), m.scroll+m.room())]
	var b strings.Builder
	for i := range m.room() {
		if i < len(part) {
			b.WriteString(ansi.Truncate(part[i], m.width, "…"))
		}
		b.WriteString("\n")
	}
	b.WriteString(ansi.Truncate(m.shown.Foot, m.width, "…") + "\n")
	b.WriteString(faint.Render(ansi.Truncate(m.keys(len(lines)), m.width, "…")))
	v := tea.NewView(b.String())
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	v.WindowTitle = m.Title
	return v
}

// keys says what can be pressed.
func (m *model) keys(lines int) string {
	text := "q quit · v all evidence · r decide again"
	if m.all {
		text = "q quit · v less evidence · r decide again"
	}
	if lines > m.room() {
		text += " · ↑↓ scroll"
	}
	return text
}
