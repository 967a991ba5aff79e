package explain

import (
	"strings"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
)

// Board is a state to be drawn. Parts that Kept leaves out may have any value; a nil Kept keeps
// all. Before is the previous state, or nil.
type Board struct {
	System *rules.System
	State  rules.State
	Before *rules.State
	Kept   *rules.Kept
	Differ []bool // by pit: it differs on the board beside this one; nil if there is none
}

// Differs reports whether a pit is marked because it differs on the board beside this one.
func (b *Board) Differs(pit int) bool { return b.Differ != nil && b.Differ[pit] }

// Open reports whether the pit may hold any number of seeds.
func (b *Board) Open(pit int) bool { return b.Kept != nil && !b.Kept.HasPit(pit) }

// Change returns how many seeds the last move added to the pit, negative if it removed some.
func (b *Board) Change(pit int) int {
	if b.Before == nil || b.Open(pit) {
		return 0
	}
	return b.State.Seeds[pit] - b.Before.Seeds[pit]
}

// Marked returns the pit that the variant's pit variable stands on, or rules.None.
func (b *Board) Marked() int {
	v, ok := b.System.PitVar()
	if !ok || !b.says(v) {
		return rules.None
	}
	return b.State.Vars[v]
}

// says reports whether the value of variable v is kept.
func (b *Board) says(v int) bool { return b.Kept == nil || b.Kept.PartsOf(b.State).HasVar(v) }

// Status describes in a line what the pits do not show: variables, and the player to move or the
// outcome. It may be empty.
func (b *Board) Status() string {
	var items []string
	drawn, marks := b.System.PitVar()
	for i, v := range b.System.Vars {
		if b.says(i) && (!marks || i != drawn || b.State.Vars[i] == rules.None) {
			items = append(items, v.Name+" = "+board.VarValue(b.System, i, b.State.Vars[i]))
		}
	}
	switch s := b.State; {
	case !s.Live():
		items = append(items, Outcome(b.System, s.Outcome))
	case len(b.System.Players) > 1 && s.Mover != rules.None:
		items = append(items, b.System.Players[s.Mover]+" to move")
	}
	return strings.Join(items, ", ")
}

// Outcome names an outcome with its meaning, as in "SR005, lost". The meaning is left out where the
// name says it.
func Outcome(sys *rules.System, outcome int) string {
	o := sys.Outcomes[outcome]
	if o.Kind == rules.WinOutcome && len(sys.Players) > 1 {
		return sys.OutcomeName(outcome)
	}
	word := [...]string{"won", "lost", "drawn", "over", "without end"}[o.Kind]
	if plain := [...]string{"win", "lose", "draw", "end", "endless"}[o.Kind]; o.Label == plain {
		return word
	}
	return o.Label + ", " + word
}
