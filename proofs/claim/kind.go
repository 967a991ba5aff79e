// Package claim has the kinds of claims, one file each: which engines are asked what, how the
// evidence is checked, and how a verdict is described. Nothing else depends on the kind of a claim.
//
// The meaning of a claim's text is resolved in package resolve, also one file for each kind: the
// certificate checker reads claims without the engines used here.
package claim

import (
	"fmt"

	"github.com/mancheck/mancheck/proofs/confirm"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

// Kind is a kind of claim.
type Kind interface {
	confirm.Kind
	// Listed returns the states that the claim lists, if any.
	Listed() []resolve.Listed
	// Strategy returns the strategy that the claim is about, and the claimed role.
	Strategy() (name, role string)
	// Closes returns the goal of the set that a verdict of the backward search relies on, and which
	// of its states count if that is the question; nil if there is no such set.
	Closes() (goal, where rules.Expr)

	// about says what kind it is.
	about() verdict.Claim
	// decide decides it for a System without open parameters.
	decide(run *engines.Run) (*result.Result, error)
	// decideAll decides it for every value of the open parameters.
	decideAll(run *engines.Run) (*result.Result, error)
	// decideSome looks for the least value of the open parameter for which it holds.
	decideSome(run *engines.Run) (*result.Result, error)
}

// About is what a verdict on an instance is about, whose property holds or not in sys: its own
// System, or that with values of the open parameters.
func About(inst *resolve.Instance, sys *rules.System) verdict.Claim {
	c := KindOf(sys, inst.Property).about()
	c.Some, c.Negated = inst.Some, inst.Negated
	return c
}

// KindOf returns the kind of a property of sys.
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
	case *resolve.ValueOf:
		return valueOf(p)
	case *resolve.WinnerOf:
		return winnerOf(p)
	case *resolve.BestMoves:
		return bestMoves(p)
	case *resolve.Force:
		return forced{Force: p}
	}
	panic(fmt.Sprintf("internal error: no kind of claim is a %T", p))
}
