// Package solver asks solvers for models of formulas: Z3 in process through go-z3, or any program that reads SMT-LIB 2.
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

// Solver holds a stack of assertions. A Solver that has failed answers Unknown from then on, with the reason; it never hangs past its
// context and never panics.
type Solver interface {
	Name() string // for reports: "z3 4.8.12 (in process)", "cvc5 1.0.3"
	Assert(t *term.Term)
	Push()
	Pop()
	// Check asks whether the assertions have a model. The context's end is Unknown.
	Check(ctx context.Context) Answer
	// Values gives the values of variables in the model of the last Check, which was Sat (a Bool as 0 or 1).
	Values(vars []*term.Term) ([]int, error)
	Close()
}
