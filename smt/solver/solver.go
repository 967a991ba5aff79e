// Package solver asks solvers for models of formulas: Z3 in process through go-z3, or any program
// that reads SMT-LIB 2.
//
// A Solver keeps its assertions and lets a session do the work: a process (process.go) or a context
// of Z3 (inprocess_z3.go, built with the tag z3). A session can be dropped at any time, and is
// dropped when a context ends, because a busy solver may not stop otherwise. The next check starts
// a new one with the same assertions. A solver's output is accepted only if it has exactly the
// expected form; anything else makes the answer Unknown, with the reason.
package solver

import (
	"context"

	"github.com/mancheck/mancheck/smt/term"
)

// Status is a solver's answer.
type Status int

const (
	Unknown Status = iota // Answer.Reason says why
	Sat
	Unsat
)

// Answer is the result of a check. Reason explains Unknown: the solver's own words, a time-out, an
// interruption, a solver that died or printed invalid output.
type Answer struct {
	Status Status
	Reason string
}

// Solver holds a stack of assertions. A Solver that has failed answers Unknown from then on, with
// the reason; it never hangs past its context and never panics. A Solver stopped by a context has
// not failed: the next Check starts again with the same assertions.
type Solver interface {
	Name() string // for reports: "z3 4.8.12 (in process)", "cvc5 1.0.3"
	Assert(t *term.Term)
	Push()
	Pop()
	// Check asks whether the assertions have a model. The answer is Unknown if the context ends.
	Check(ctx context.Context) Answer
	// Values returns the values of variables in the model of the last Check, which was Sat (a Bool
	// as 0 or 1).
	Values(vars []*term.Term) ([]int, error)
	Close()
}
