// Package solver asks solvers for models of formulas: Z3 in process through go-z3, or any program
// that reads SMT-LIB 2.
//
// A Solver keeps its assertions and has a session do the work: a process (process.go) or a context
// of Z3 (inprocess_z3.go, built with the tag z3). A session can be thrown away at any time, and is
// when a context ends: a solver that is thinking does not always listen. The next check begins a
// new one with the same assertions. What a solver says is believed only if it is exactly what was
// asked for; anything else makes the answer Unknown, with the reason.
package solver

import (
	"context"

	"github.com/mancheck/mancheck/smt/term"
)

// Status is a solver's answer.
type Status int

const (
	Unknown Status = iota // the Answer says why
	Sat
	Unsat
)

// Answer is the outcome of a check. Reason explains Unknown: the solver's own words, a time-out, an
// interruption, a solver that died or printed rubbish.
type Answer struct {
	Status Status
	Reason string
}

// Solver holds a stack of assertions. A Solver that has failed answers Unknown from then on, with
// the reason; it never hangs past its context and never panics. To be stopped by a context is no
// failure: the next Check begins afresh with the same assertions.
type Solver interface {
	Name() string // for reports: "z3 4.8.12 (in process)", "cvc5 1.0.3"
	Assert(t *term.Term)
	Push()
	Pop()
	// Check asks whether the assertions have a model. The context's end is Unknown.
	Check(ctx context.Context) Answer
	// Values gives the values of variables in the model of the last Check, which was Sat (a Bool as
	// 0 or 1).
	Values(vars []*term.Term) ([]int, error)
	Close()
}
