// Package enumerate is a second opinion on claims: it plays all plays with the reference
// interpreter, state by state, and keeps the states in a map. There is nothing in it to be clever
// about: no packed states, nothing left out of them, no compiled rules, no search backward.
//
// What it shares with the engines is the resolver, and the interpreter, which is what rules mean.
// The boards of the setup are listed by the certificate checker (cert.Layouts), not by rules/space.
//
//	enumerate.go  questions, answers and the budget
//	graph.go      the states that plays come to
//	reach.go      what is reachable, and claims about steps
//	count.go      counts, and starts that can be won
//	ends.go       termination, and strategies
//	value.go      what positions are worth; force.go what a player can force
package enumerate

import (
	"context"
	"fmt"
	"math/big"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// Opinion is what the enumeration says of a property.
type Opinion struct {
	Holds  bool
	Number *big.Int      // of a claim that counts: how many there are
	Found  []rules.State // the starts that can be won, of a claim about these
	Starts int           // without any the property holds, or fails, for want of a subject
	States int           // looked at
}

// BudgetError says that a question takes more states, or more steps, than the budget has.
type BudgetError struct{ Budget int }

func (e *BudgetError) Error() string {
	return fmt.Sprintf("it would take more than the budget of %d states", e.Budget)
}

// UnfitError says that there is no way to answer a question by playing.
type UnfitError struct{ Reason string }

func (e *UnfitError) Error() string { return e.Reason }

// FaultError says that the rules have a fault in a state that a play comes to.
type FaultError struct{ Err error }

func (e *FaultError) Error() string { return "the rules have a fault in play: " + e.Err.Error() }

// Unwrap is the fault.
func (e *FaultError) Unwrap() error { return e.Err }

// New asks about a System without open parameters. The budget is a number of states that may be
// looked at; there may be stepsPerState times as many steps, and as many possibilities tried for
// the starts. A Graph answers one question. The error of that is a *BudgetError, an *UnfitError, a
// *FaultError, or the context's.
func New(ctx context.Context, sys *rules.System, n int) *Graph {
	return graphOf(ctx, sys, &budget{n, n, n * stepsPerState})
}

// stepsPerState is how many steps the budget allows for each of its states.
const stepsPerState = 20

// Graph holds the states met so far, by number, and the steps between them.
type Graph struct {
	ctx    context.Context
	in     *interp.Interp
	budget *budget
	number map[string]int
	states []rules.State
	depth  []int    // moves from the starts
	steps  [][]edge // of states that were looked at
	starts []int    // distinct
}

// edge is a step: its action and the number of the state that it leads to.
type edge struct{ action, to int }

// budget counts down over all graphs of one question.
type budget struct{ all, states, steps int }

func graphOf(ctx context.Context, sys *rules.System, b *budget) *Graph {
	return &Graph{ctx: ctx, in: interp.New(sys).Within(ctx), budget: b, number: map[string]int{}}
}

func (b *budget) state() error {
	if b.states--; b.states < 0 {
		return &BudgetError{b.all}
	}
	return nil
}

func (b *budget) step(n int) error {
	if b.steps -= n; b.steps < 0 {
		return &BudgetError{b.all}
	}
	return nil
}

// opinion is the answer as far as it rests on this graph.
func (g *Graph) opinion(holds bool) *Opinion {
	return &Opinion{Holds: holds, Starts: len(g.starts), States: len(g.states)}
}
