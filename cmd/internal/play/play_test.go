package play

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/mancheck/mancheck/checker/choose"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// kalah is a table for a small Kalah, with these players played by the computer.
func kalah(computer ...bool) *Table {
	sys := rulestest.Kalah(3, 2, false)
	sys.Picture = [][][]int{{{7}, {6, 5, 4}, {}}, {{}, {0, 1, 2}, {3}}}
	return &Table{
		Sys: sys, Title: "Kalah", Start: rulestest.KalahStart(sys, 2), Computer: computer, MaxMoves: 100,
		Choose: choose.Options{Payoff: value.Payoff{Kind: value.Margin}, Games: 20},
		Claims: []string{"conservation", "ends"},
		Ask: func(ctx context.Context, claim string, st rules.State) (string, error) {
			if claim == "ends" {
				<-ctx.Done()
				return "", ctx.Err()
			}
			return strings.Repeat("a line about "+claim+"\n", 50), nil
		},
	}
}

// player is a person at the keyboard.
type player struct {
	t *testing.T
	m *model
}

func sitDown(t *testing.T, table *Table) player {
	t.Helper()
	g, err := newGame(table.Sys, table.Start, table.Past)
	if err != nil {
		t.Fatal(err)
	}
	p := player{t, newModel(t.Context(), table, g)}
	p.run(p.m.Init())
	return p
}

// run carries out commands until nothing but ticks is left. It does not wait for the steps of
// motions.
func (p player) run(cmd tea.Cmd) {
	p.t.Helper()
	for p.m.motion != nil {
		_, cmd = p.m.Update(motionMsg{p.m.motions})
	}
	if cmd == nil {
		return
	}
	batch, several := cmd().(tea.BatchMsg)
	if !several {
		p.t.Fatalf("%s: a command is not that of a job: %v, fault %v", p.m.Sys.Name, cmd(), p.m.fault)
	}
	_, next := p.m.Update(batch[0]()) // the other one ticks
	p.run(next)
}

var keys = map[string]tea.Key{
	"left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight}, "enter": {Code: tea.KeyEnter}, "tab": {Code: tea.KeyTab},
	"esc": {Code: tea.KeyEscape}, "backspace": {Code: tea.KeyBackspace}, "pgdown": {Code: tea.KeyPgDown}, "up": {Code: tea.KeyUp}, "down": {Code: tea.KeyDown},
	"f2": {Code: tea.KeyF2}, "ctrl+s": {Code: 's', Mod: tea.ModCtrl},
}

// press presses keys: those with a name, and otherwise the characters of a word.
func (p player) press(words ...string) {
	p.t.Helper()
	for _, w := range words {
		if k, named := keys[w]; named {
			_, cmd := p.m.Update(tea.KeyPressMsg(k))
			p.run(cmd)
			continue
		}
		for _, r := range w {
			_, cmd := p.m.Update(tea.KeyPressMsg(tea.Key{Text: string(r), Code: r}))
			p.run(cmd)
		}
	}
}

// click clicks at a place of the screen as it was drawn last.
func (p player) click(x, y int) {
	p.t.Helper()
	_, cmd := p.m.Update(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
	p.run(cmd)
}

func (p player) moves(want string) {
	p.t.Helper()
	if got := p.m.game.history(false); got != want {
		p.t.Errorf("moves %q, want %q", got, want)
	}
}

// TestKeys: moves are chosen by arrow keys or typed, and taken back.
func TestKeys(t *testing.T) {
	p := sitDown(t, kalah(false, false))
	p.press("right", "enter")
	p.moves("south2") // which ends in the store
	p.press("south1", "enter")
	p.moves("south2, south1")
	p.press("left", "left", "left", "enter") // all the way round
	p.moves("south2, south1, north1")
	p.press("backspace", "undo", "enter")
	p.moves("south2")
	p.press("7", "x", "backspace", "enter")
	if p.moves("south2"); !strings.Contains(p.m.said, "`7` is not legal") {
		t.Errorf("said %q", p.m.said)
	}
	p.press("backspace", "backspace")
	if p.moves(""); !strings.Contains(p.m.said, "no move to take back") {
		t.Errorf("said %q", p.m.said)
	}
}

// TestLeave: Escape asks whether to leave, and only a yes leaves.
func TestLeave(t *testing.T) {
	p := sitDown(t, kalah(false, false))
	for _, no := range []string{"n", "esc", "enter"} {
		p.press("esc")
		if !strings.Contains(p.m.content(), "leave the game? y/n") {
			t.Fatalf("Escape does not ask:\n%s", p.m.content())
		}
		p.press("1", no)
		if p.m.asked != nil || p.m.typed != "" {
			t.Errorf("after %s: %v, typed %q", no, p.m.asked, p.m.typed)
		}
		p.moves("")
	}
	p.press("esc")
	if _, cmd := p.m.Update(tea.KeyPressMsg(tea.Key{Text: "y", Code: 'y'})); cmd == nil || cmd() != tea.Quit() {
		t.Error("yes does not leave")
	}
}

// TestAgainstComputer: the computer answers until the person is to move again, and to take back a
// move takes back its answer, too.
func TestAgainstComputer(t *testing.T) {
	p := sitDown(t, kalah(false, true))
	for !p.m.game.over() {
		if !p.m.mine() {
			t.Fatalf("after %s the computer does not move", p.m.game.history(false))
		}
		p.press("enter")
	}
	if !strings.Contains(p.m.content(), "over: ") || !strings.Contains(p.m.content(), "(end)") {
		t.Errorf("the end is not shown:\n%s", p.m.content())
	}
	for len(p.m.game.moves) > 0 {
		n := len(p.m.game.moves)
		p.press("backspace")
		if len(p.m.game.moves) >= n || !p.m.mine() {
			t.Fatalf("%d moves of %d are left", len(p.m.game.moves), n)
		}
	}
}

// TestComputerAlone: two computers play to the value of the game, which other programs have found.
func TestComputerAlone(t *testing.T) {
	p := sitDown(t, kalah(true, true))
	if got := p.m.game.status(); got != "over: South wins by 4, 8 to 4 (end)" {
		t.Errorf("%s", got)
	}
}

// TestHint: a hint knows the values, and does not call a move best of which nothing is known.
func TestHint(t *testing.T) {
	p := sitDown(t, kalah(false, true))
	p.press("tab")
	if !strings.Contains(p.m.said, "south2  +4 (South by 4)  best") {
		t.Errorf("%s", p.m.said)
	}
	hurried := kalah(false, true)
	hurried.Sys = rulestest.Kalah(6, 4, false)
	hurried.Start = rulestest.KalahStart(hurried.Sys, 4)
	hurried.Choose.Time = time.Nanosecond
	p = sitDown(t, hurried)
	p.press("tab")
	if strings.Contains(p.m.said, "best") || !strings.Contains(p.m.said, "first by the estimate") || !strings.Contains(p.m.said, "not known: not found within 1ns") {
		t.Errorf("%s", p.m.said)
	}
}

// TestStop: what is stopped is not looked at when it comes.
func TestStop(t *testing.T) {
	p := sitDown(t, kalah(false, false))
	work := p.m.decide("ends")
	late := make(chan tea.Msg)
	go func() { late <- work().(tea.BatchMsg)[0]() }()
	p.press("esc")
	msg := <-late
	if c, is := msg.(answerMsg); !is || !errors.Is(c.err, context.Canceled) {
		t.Fatalf("%v", msg)
	}
	p.m.Update(msg)
	if p.m.said != "" || p.m.cancel != nil {
		t.Errorf("said %q", p.m.said)
	}
	p.press("claim conservation", "enter")
	if !strings.HasPrefix(p.m.said, "a line about conservation") {
		t.Errorf("said %q", p.m.said)
	}
	p.press("claim conservaton", "enter")
	if !strings.Contains(p.m.said, "did you mean `conservation`?") {
		t.Errorf("said %q", p.m.said)
	}
}

// TestFits: the screen is never larger than the terminal, and one can scroll to what does not
// fit.
func TestFits(t *testing.T) {
	for _, size := range [][2]int{{40, 18}, {80, 24}, {100, 24}, {140, 40}} {
		p := sitDown(t, kalah(false, false))
		p.m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		for _, word := range []string{"", "south2", "south1", "help", "claim conservation", strings.Repeat("long ", 60)} {
			p.press(word, "enter")
			p.press(strings.Repeat("y", 200))
			lines := strings.Split(p.m.content(), "\n")
			if len(lines) > size[1] {
				t.Errorf("%v: %d lines after %q", size, len(lines), word)
			}
			for _, line := range lines {
				if w := lipgloss.Width(line); w > size[0] {
					t.Errorf("%v: %d columns after %q: %s", size, w, word, line)
				}
			}
			p.m.typed = ""
		}
	}
	p := sitDown(t, kalah(false, false))
	p.press("claim conservation", "enter")
	before := p.m.content()
	p.press("pgdown")
	if after := p.m.content(); after == before || !strings.Contains(after, "lines 9 to") {
		t.Errorf("not scrolled:\n%s", after)
	}
}

// TestRound: where play comes back to a position the computer stops.
func TestRound(t *testing.T) {
	table := kalah(true, true)
	g, err := newGame(table.Sys, table.Start, nil)
	if err != nil {
		t.Fatal(err)
	}
	if why := table.halt(g); why != "" {
		t.Errorf("at the start: %s", why)
	}
	g.states = append(g.states, g.states[0])
	g.moves = append(g.moves, made{notation: "round"})
	if why := table.halt(g); !strings.Contains(why, "after move 0") {
		t.Errorf("after a round: %q", why)
	}
	table.Computer[0] = false
	if why := table.halt(g); why != "" {
		t.Errorf("a person made the round: %s", why)
	}
}
