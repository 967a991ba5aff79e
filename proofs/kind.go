package proofs

import (
	"fmt"

	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

// Kind is a claim as its kind sees it. Each kind is one file, which says how such a claim is
// decided, how the evidence is checked, and how a verdict is told; nothing else depends on the kind
// of a claim.
//
// What a claim's text means is resolved in package resolve, also one file for each kind: the
// checker of certificates has to read claims without the engines that are used here.
type Kind interface {
	// Words tells a verdict.
	Words(r *Result) Words
	// Listed is the set of states that the claim lists, if it lists one.
	Listed() []resolve.Listed
	// Strategy names the strategy that the claim is about, and says what is claimed of it.
	Strategy() (name, role string)

	// ofPlays reports whether the claim is one of plays, and so of starts, and not of all states of
	// the right shape.
	ofPlays() bool
	// decide decides it for a System without open parameters.
	decide(d *decision) (*Result, error)
	// decideAll decides it for every value of the open parameters.
	decideAll(d *decision) (*Result, error)
	// decideSome looks for the least value of the open parameter for which it holds.
	decideSome(d *decision) (*Result, error)
	// shows is how the plays of a verdict show it; nil if it does not rest on plays. There is a
	// trace when it is called.
	shows(r *Result) func() error
	// closes is the goal of the set that a verdict of the backward search rests on, and which of
	// its states count if that is the question; nil if there is no such set.
	closes() (goal, where rules.Expr)
	// again finds the verdict again, in a way that has nothing to do with the engines.
	again(q question) (*enumerate.Opinion, error)
}

// KindOf sees a property of sys as its kind does.
func KindOf(sys *rules.System, p resolve.Property) Kind {
	switch p := p.(type) {
	case *resolve.Reach:
		return reach{Reach: p}
	case *resolve.NeverStuck:
		return newNeverStuck(sys)
	case *resolve.Terminates:
		return terminates{Terminates: p}
	case *resolve.Neighbours:
		return neighbours{Neighbours: p}
	case *resolve.StepTo:
		return stepTo{StepTo: p}
	case *resolve.EveryStep:
		return everyStep{EveryStep: p}
	case *resolve.Count:
		return counted{Count: p}
	case *resolve.WinningStarts:
		return winningStarts{WinningStarts: p}
	case *resolve.StrategyWins:
		return strategyWins{StrategyWins: p}
	case *resolve.Relation:
		return relation{Relation: p}
	}
	panic(fmt.Sprintf("internal error: no kind of claim is a %T", p))
}

// usual is what most kinds have in common.
type usual struct{}

// Listed is no set.
func (usual) Listed() []resolve.Listed { return nil }

// Strategy is none.
func (usual) Strategy() (name, role string) { return "", "" }

func (usual) ofPlays() bool { return true }

// decideAll looks for a value that refutes the claim.
func (usual) decideAll(d *decision) (*Result, error) {
	if !d.wants(Forward) {
		return nil, d.refuses("this kind of claim for all values of a parameter")
	}
	return d.counterexample()
}

func (usual) decideSome(d *decision) (*Result, error) { return d.leastValue(nil) }

func (usual) closes() (goal, where rules.Expr) { return nil, nil }

func (usual) shows(*Result) func() error { return nil }
