// Package enumerate is a second opinion on claims: it plays all plays with the reference
// interpreter, state by state, and keeps the states in a table. It is deliberately simple: states
// are neither packed nor sliced, rules are not compiled, and nothing is searched backward.
//
// It shares with the engines only the resolver and the interpreter, which defines what rules mean.
// The boards of the setup are listed by the certificate checker (cert.Layouts), not by rules/space.
//
//	enumerate.go  questions, answers and the budget
//	graph.go      the states that plays come to, what is reachable, and claims about steps
//	count.go      counts, and starts that can be won
//	ends.go       termination, and strategies
package enumerate

import (
	"context"
	"fmt"
	"math/big"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// Opinion is what the enumeration says of a property.
type Opinion struct {
	Holds  bool
	Number *big.Int      // of a claim that counts: how many there are
	Found  []rules.State // the starts that can be won, of a claim about these
	Starts int           // distinct starts; if there are none, Holds says nothing about play
	States int           // states that were looked at
}

// BudgetError says that a question takes more states, or more steps, than the budget allows.
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

// New returns a Graph that answers one question about a System without open parameters. The budget
// n is a number of states that may be looked at. It allows stepsPerState times as many steps, and
// as many tries for the starts. The error of an answer is a *BudgetError, an *UnfitError, a
// *FaultError, or the context's.
func New(ctx context.Context, sys *rules.System, n int) *Graph {
	return graphOf(ctx, sys, &budget{n, n, n * stepsPerState})
}

// stepsPerState is how many steps the budget allows for each of its states.
const stepsPerState = 20

// Graph holds the states found so far, by number, and the steps between them. States are numbered
// in the order in which a breadth-first search finds them, so depth never decreases.
type Graph struct {
	ctx     context.Context
	in      *interp.Interp
	player  *interp.Player
	budget  *budget
	states  []rules.State
	numbers map[string]int // of states, by their keys
	key     []byte         // room for one
	depth   []int          // moves from the starts
	steps   [][]edge       // of states that were looked at
	starts  []int          // distinct
	scores  []*interp.Reader
}

// edge is a step: its action and the number of the state that it leads to.
type edge struct{ action, to int }

// budget counts down over all graphs of one question. all is what states began with.
type budget struct{ all, states, steps int }

// graphOf makes another graph that spends the same budget.
func graphOf(ctx context.Context, sys *rules.System, b *budget) *Graph {
	in := interp.New(sys).Within(ctx)
	return &Graph{ctx: ctx, in: in, player: in.Player(), budget: b, numbers: map[string]int{}, scores: lists.Map(sys.Scores, in.Reader)}
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

// opinion returns an answer with the figures of this graph.
func (g *Graph) opinion(holds bool) *Opinion {
	return &Opinion{Holds: holds, Starts: len(g.starts), States: len(g.states)}
}
