// Package fault puts faults of the rules that an engine ran into in the words of the interpreter.
package fault

import (
	"errors"
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/interp"
)

// Explain replaces a fault of the rules that a search ran into by the diagnostic of the reference
// interpreter, with the play that leads to it. The fault may be one of the conditions that the
// search evaluated. Other errors are returned as they are.
func Explain(sys *rules.System, err error, conditions ...rules.Expr) error {
	var play *forward.PlayError
	if !errors.As(err, &play) {
		return err
	}
	in := interp.New(sys)
	moves, end, fault := playInto(in, play.Trace)
	for _, x := range conditions {
		if fault == nil && x != nil {
			_, fault = in.Holds(x, end, nil)
		}
	}
	if fault == nil {
		fault = play.Fault
	}
	var d diag.Diagnostic
	if !errors.As(fault, &d) {
		return fault
	}
	d.Notes = append(d.Notes, OccursAfter(sys, moves, play.Trace.Start))
	return d
}

// OccursAfter returns a note that says after which moves something happened.
func OccursAfter(sys *rules.System, moves []string, start rules.State) diag.Note {
	play := "at the start"
	if len(moves) > 0 {
		play = "after " + strings.Join(moves, ", ")
	}
	return diag.Note{Message: fmt.Sprintf("it occurs %s, from the board %s", play, board.Flat(sys, start))}
}

// playInto plays a trace and then every move of its last state, to get the interpreter's own error.
// If a move of that state leads to a state with the fault, it becomes the last of the moves. end is
// where the trace ends.
func playInto(in *interp.Interp, t forward.Trace) (moves []string, end rules.State, fault error) {
	moves, at, fault := Follow(in, t)
	if fault != nil {
		return moves, at, fault
	}
	if a := in.FaultAfter(at); a >= 0 {
		moves = append(moves, in.Notation(a, at))
	}
	_, fault = in.Steps(at)
	return moves, at, fault
}

// Follow plays a trace to its end, or as far as it is legal.
func Follow(in *interp.Interp, t forward.Trace) (moves []string, end rules.State, fault error) {
	end = t.Start
	for _, a := range t.Actions {
		to, legal, err := in.Do(end, a)
		if err != nil || !legal {
			return moves, end, err
		}
		moves = append(moves, in.Notation(a, end))
		end = to
	}
	return moves, end, nil
}
