package export

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
)

// Positions returns the states of a play as `position` declarations, for a file of rules: the first
// is NAME_0, and NAME_N the one after N moves. A claim may ask what is true from there on.
func Positions(t *rules.Trace) string {
	sys := t.System
	name := cmp.Or(t.Claim, "play")
	var text strings.Builder
	fmt.Fprintf(&text, "// A play of %s", sys.Name)
	if params := report.Params(sys); params != "" {
		text.WriteString(" with " + params)
	}
	text.WriteString(".\n")
	for i, s := range t.States() {
		text.WriteByte('\n')
		if i > 0 {
			fmt.Fprintf(&text, "// after %s\n", t.Steps[i-1].Move)
		}
		fmt.Fprintf(&text, "position %s_%d of %s {\n", name, i, sys.Name)
		text.WriteString(board.Rows(sys, unmarked(sys, s), board.Options{Indent: "  "}))
		text.WriteByte('}')
		if with := settings(sys, s); with != "" {
			text.WriteString(" with " + with)
		}
		text.WriteByte('\n')
	}
	return text.String()
}

// unmarked is a state in which no variable for a pit marks one in the picture: all are named beside
// it.
func unmarked(sys *rules.System, s rules.State) rules.State {
	s = s.Clone()
	for i := range sys.Vars {
		if sys.Vars[i].Type == rules.PitType {
			s.Vars[i] = rules.None
		}
	}
	return s
}

// settings names the variables and the player to move. In a finished state nobody is.
func settings(sys *rules.System, s rules.State) string {
	list := lists.Map(lists.Where(sys.Vars, func(v rules.Var) bool { return !v.Ghost }), func(i int) string {
		return fmt.Sprintf("%s = %s", sys.Vars[i].Name, board.VarValue(sys, i, s.Vars[i]))
	})
	if len(sys.Players) > 1 && s.Live() {
		list = append(list, "mover = "+sys.ValueName(rules.PlayerType, s.Mover))
	}
	return strings.Join(list, ", ")
}
