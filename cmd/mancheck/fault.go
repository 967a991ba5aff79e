package main

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

// explain turns an error in the rules that a search has met into a diagnostic in the words of the
// reference interpreter, with the play that leads to it. Other errors stay as they are.
func explain(sys *rules.System, err error) error {
	var met *forward.PlayError
	if !errors.As(err, &met) {
		return err
	}
	in := interp.New(sys)
	moves, fault := playInto(in, met.Trace)
	if fault == nil {
		fault = met.Fault
	}
	var d diag.Diagnostic
	if !errors.As(fault, &d) {
		return fault
	}
	d.Notes = append(d.Notes, metAfter(sys, moves, met.Trace.Start))
	return d
}

// metAfter says after which moves something was met.
func metAfter(sys *rules.System, moves []string, start rules.State) diag.Note {
	play := "at the start"
	if len(moves) > 0 {
		play = "after " + strings.Join(moves, ", ")
	}
	return diag.Note{Message: fmt.Sprintf("met %s, from the board %s", play, board.Flat(sys, start))}
}

// playInto plays up to the state in which the error arises, and one move further into it. That move
// is one of the play if the error arises after it.
func playInto(in *interp.Interp, t forward.Trace) (moves []string, fault error) {
	moves, at, fault := follow(in, t)
	if fault != nil {
		return moves, fault
	}
	if a := in.FaultAfter(at); a >= 0 {
		moves = append(moves, in.Notation(a, at))
	}
	_, fault = in.Steps(at)
	return moves, fault
}

// follow plays a play up to its end, or as far as it can be played.
func follow(in *interp.Interp, t forward.Trace) (moves []string, end rules.State, fault error) {
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
