package play

import (
	"context"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/resolve/resolvetest"
)

// TestSizes plays every game of the examples with random keys, in windows of all sizes, which
// change while it is played: a screen has as many lines as the window, and none is wider. It is a
// sample of the widths; MANCHECK_SIZES=1 tries more.
func TestSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 30))
	keys := []string{"left", "right", "up", "down", "enter", "enter", "enter", "backspace", "pgup", "pgdown", "1", "help", "claim all", "moves", strings.Repeat("long ", 30)}
	small, whole, step := 0, 0, 60*tier.Every(2)
	if os.Getenv("MANCHECK_SIZES") != "" {
		step = 10
	}
	for _, sys := range resolvetest.Systems(t, "../../../examples/*.sow", "../../../examples/family/*.sow") {
		start := resolvetest.FirstStart(t, interp.New(sys))
		table := &Table{
			Sys: sys, Title: sys.Name, Start: start, Computer: make([]bool, len(sys.Players)), MaxMoves: 100, Claims: []string{"all"},
			Ask: func(context.Context, string, rules.State) (string, error) {
				return strings.Repeat("all that there is to say of it ", 9) + "\nand more", nil
			},
		}
		p := sitDown(t, table)
		for height := 1; height <= 30; height += tier.Every(4) {
			for width := 20; width <= 200; width += step {
				p.m.Update(tea.WindowSizeMsg{Width: width + r.IntN(min(step, 201-width)), Height: height})
				p.press(keys[r.IntN(len(keys))])
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
