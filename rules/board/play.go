package board

import (
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/rules"
)

// TraceText writes a play for people: the start, and then each move with its number, the player,
// its notation and its label, above the board that it leads to. On that board, pits that gained or
// lost seeds are marked. If the last board has occurred before, its first occurrence is marked. Of
// the options only Indent is used.
func TraceText(sys *rules.System, t *rules.Trace, opts Options) string {
	var text strings.Builder
	loop := t.Loop()
	back := func(moves int) string {
		if moves == loop {
			return "  (the play comes back to here)"
		}
		return ""
	}
	fmt.Fprintf(&text, "%sstart%s\n", opts.Indent, back(0))
	inner := Options{Indent: opts.Indent + "     "}
	text.WriteString(Draw(sys, t.Start, inner))
	before := t.Start
	width := moveWidth(t)
	for i, st := range t.Steps {
		line := fmt.Sprintf("%s%3d. %s%-*s  %s", opts.Indent, i+1, Player(sys, before), width, st.Move, st.Label)
		text.WriteString(strings.TrimRight(line, " ") + back(i+1) + "\n")
		inner.Before = &before
		text.WriteString(Draw(sys, st.State, inner))
		before = st.State
	}
	return text.String()
}

// Player returns the player to move as the beginning of a line, empty in a solitaire.
func Player(sys *rules.System, s rules.State) string {
	if len(sys.Players) < 2 || s.Mover == rules.None {
		return ""
	}
	return sys.Players[s.Mover] + ": "
}

func moveWidth(t *rules.Trace) int {
	w := 0
	for _, st := range t.Steps {
		w = max(w, len(st.Move))
	}
	return w
}
