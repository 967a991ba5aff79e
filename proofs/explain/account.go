package explain

import (
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// Told is what a move does.
type Told struct {
	Rule  diag.Range     // the declaration of the move
	Moved []interp.Moved // the seeds, in the order in which they move
}

// maxTold is how many times seeds move in the part of a play that is told.
const maxTold = 3000

// account tells what the moves of a play do. Of a long play it tells the first ones.
func account(in *interp.Interp, t *rules.Trace) []Told {
	var list []Told
	s, seeds := t.Start, 0
	for _, st := range t.Steps {
		action, ok := actionOf(in, s, st)
		if !ok {
			break
		}
		told := Told{Rule: t.System.Moves[t.System.Actions[action].Move].At}
		var err error
		if told.Moved, err = in.Account(s, action); err != nil {
			break // an interrupt: the states alone have to do
		}
		if seeds += len(told.Moved); seeds > maxTold {
			break
		}
		list = append(list, told)
		s = st.State
	}
	return list
}

// actionOf finds the action of a step. Of several with one notation and one result, any will do.
func actionOf(in *interp.Interp, s rules.State, st rules.TraceStep) (action int, ok bool) {
	steps, _, err := in.Legal(s)
	if err != nil {
		return 0, false
	}
	for _, step := range steps {
		to := step.To
		to.Mover, to.Outcome = st.State.Mover, st.State.Outcome // a rule of repetition may have changed them
		if in.Notation(step.Action, s) == st.Move && to.Equal(st.State) {
			return step.Action, true
		}
	}
	return 0, false
}
