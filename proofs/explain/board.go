package explain

import (
	"strings"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/space"
)

// Board is a state to be drawn. What Kept leaves out may hold anything; nil keeps all. Before, if
// not nil, is the state before.
type Board struct {
	System *rules.System
	State  rules.State
	Before *rules.State
	Kept   *space.Kept
	Differ []bool // by pit: it holds something else on the board beside; nil: none
}

// Differs reports whether a pit is to be marked because it holds something else on the board
// beside.
func (b *Board) Differs(pit int) bool { return b.Differ != nil && b.Differ[pit] }

// Open reports whether any number of seeds may lie in the pit.
func (b *Board) Open(pit int) bool { return b.Kept != nil && b.Kept.Pits != nil && !b.Kept.Pits[pit] }

// Change is what the last move put into the pit, or took out of it.
func (b *Board) Change(pit int) int {
	if b.Before == nil || b.Open(pit) {
		return 0
	}
	return b.State.Seeds[pit] - b.Before.Seeds[pit]
}

// Marked is the pit that the variant's pit variable stands on, or None.
func (b *Board) Marked() int {
	v := PitVar(b.System)
	if v < 0 || !b.says(v) {
		return rules.None
	}
	return b.State.Vars[v]
}

// PitVar is the variant's variable for a pit, if there is just one, else -1. What a claim remembers
// of a step is none of them.
func PitVar(sys *rules.System) int {
	found := -1
	for i, v := range sys.Vars {
		if v.Type == rules.PitType && !v.Ghost {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

func (b *Board) says(v int) bool {
	if b.Kept == nil {
		return true
	}
	vars := b.Kept.VarsOf(b.State)
	return vars == nil || vars[v]
}

// Status says in a line what the pits do not show. It is empty if there is nothing to say.
func (b *Board) Status() string {
	var items []string
	drawn := PitVar(b.System)
	for i, v := range b.System.Vars {
		if b.says(i) && (i != drawn || b.State.Vars[i] == rules.None) {
			items = append(items, v.Name+" = "+board.VarValue(b.System, i, b.State.Vars[i]))
		}
	}
	switch s := b.State; {
	case !s.Live():
		items = append(items, Outcome(b.System, s.Outcome))
	case len(b.System.Players) > 1:
		items = append(items, b.System.Players[s.Mover]+" to move")
	}
	return strings.Join(items, ", ")
}

// Outcome names an outcome with what it means: "SR005, lost".
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
