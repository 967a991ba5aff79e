package play

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
)

// TestSizes plays games of the examples with random keys and clicks, in windows of all sizes,
// which change while it is played: a screen has as many lines as the window, none is wider, and the
// board and all that is around it stay where they are. It is a sample of the widths;
// MANCHECK_SIZES=1 tries more. Only make full plays every game.
func TestSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 30))
	keys := []string{
		"left", "right", "up", "down", "enter", "enter", "enter", "backspace", "pgup", "pgdown", "1", "2", "help", "claim all", "moves", "tab", "esc", "n", "f2", "ctrl+s", "click",
		"click", "click", strings.Repeat("long ", 30),
	}
	small, whole, step := 0, 0, 60*tier.Every(2)
	if os.Getenv("MANCHECK_SIZES") != "" {
		step = 10
	}
	for n, sys := range buildtest.Systems(t, "../../../examples/*.sow", "../../../examples/family/*.sow") {
		if n%tier.Every(15, 5) > 0 {
			continue
		}
		start := buildtest.FirstStart(t, interp.New(sys))
		table := &Table{
			Sys: sys, Title: sys.Name, Start: start, Computer: make([]bool, len(sys.Players)), MaxMoves: 100, Claims: []string{"all"}, Motion: n%2 == 0,
			Ask: func(context.Context, string, rules.State) (string, error) {
				return strings.Repeat("all that there is to say of it ", 9) + "\nand more", nil
			},
			Way:  func(context.Context, rules.State) (*Way, error) { return &Way{Moves: []string{"one", "two"}}, nil },
			Save: func(string, *rules.Trace, bool) error { return &ExistsError{"file"} },
		}
		p := sitDown(t, table)
		for height := 1; height <= 30; height += tier.Every(4, 2) {
			for width := 20; width <= 200; width += step {
				p.m.Update(tea.WindowSizeMsg{Width: width + r.IntN(min(step, 201-width)), Height: height})
				before := skeleton(p.m)
				for range 2 {
					if key := keys[r.IntN(len(keys))]; key != "click" {
						p.press(key)
					} else if n := len(p.m.zones); n > 0 {
						z := p.m.zones[r.IntN(n)]
						p.click(z.x+r.IntN(z.width), z.y)
					}
				}
				text := p.m.content()
				lines := strings.Split(text, "\n")
				if len(lines) != height {
					t.Fatalf("%s: %d lines in a window of %d by %d:\n%s", sys.Name, len(lines), height, p.m.width, text)
				}
				for _, line := range lines {
					if w := lipgloss.Width(line); w > p.m.width {
						t.Fatalf("%s: %d columns in a window of %d by %d:\n%s", sys.Name, w, height, p.m.width, text)
					}
				}
				if after := skeleton(p.m); after != before {
					t.Fatalf("%s: the screen has changed from\n%s\nto\n%s", sys.Name, before, after)
				}
				if strings.HasPrefix(text, "make the window") {
					small++
				} else if whole++; !strings.Contains(text, "▏") {
					t.Fatalf("%s: there is no line to type in, in a window of %d by %d:\n%s", sys.Name, height, p.m.width, text)
				}
				if len(p.m.typed) > 300 {
					p.m.typed = ""
				}
			}
		}
	}
	t.Logf("%d screens had room for the board, %d had not", whole, small)
	if small == 0 || whole < small {
		t.Errorf("%d screens had room for the board, %d had not", whole, small)
	}
}

// bones are the characters of a screen that stay where they are.
var bones = regexp.MustCompile("[^│╭╮╰╯▏|]")

// skeleton returns what has to stay where it is: the frame, the bars of the board and its places to
// click. The end of the line that is typed in moves.
func skeleton(m *model) string {
	var text strings.Builder
	for y, line := range strings.Split(ansi.Strip(m.content()), "\n") {
		kept := strings.TrimRight(bones.ReplaceAllString(line, " "), " ")
		if strings.Contains(kept, "▏") {
			kept = "input"
		}
		fmt.Fprintln(&text, y, kept)
	}
	for _, z := range m.zones {
		if z.pit {
			fmt.Fprintln(&text, z.x, z.y, z.width)
		}
	}
	return text.String()
}
