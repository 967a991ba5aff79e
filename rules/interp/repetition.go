package interp

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
)

// Offer is the Action of a Step by which the player to move ends the game, because the position has
// come back and the rules offer that.
const Offer = -1

// InPlay returns the steps of a play that has come to its last state through the others. Steps are
// those that this state has by itself. Where the System has a rule of repetition, a step to a state
// that the play was in before ends the game or, if that is offered, there is a step more from such
// a state.
func (in *Interp) InPlay(play []rules.State, steps []Step) []Step {
	rule, last := in.sys.Repetition, len(play)-1
	switch {
	case rule == nil:
		return steps
	case rule.Offered:
		if s := play[last]; s.Live() && Repeats(play[:last], s) {
			return append(slices.Clone(steps), Step{Action: Offer, To: rule.Ends(s)})
		}
		return steps
	}
	steps = slices.Clone(steps)
	for i, st := range steps {
		if st.To.Live() && Repeats(play, st.To) {
			steps[i].To = rule.Ends(st.To)
		}
	}
	return steps
}

// Repeats reports whether a state is one of those before.
func Repeats(before []rules.State, s rules.State) bool {
	return slices.ContainsFunc(before, s.Equal)
}

// Label returns the label of an action that is played in s.
func (in *Interp) Label(action int, s rules.State) string {
	if action == Offer {
		return in.sys.Outcomes[in.sys.Repetition.Outcome[s.Mover]].Label
	}
	return in.sys.Actions[action].Label
}
