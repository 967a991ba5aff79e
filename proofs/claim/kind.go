// Package claim has the kinds of claims, one file each: which engines are asked, in which order,
// how their evidence is checked, and how a verdict is described. Code elsewhere does not depend on
// the kind of a claim.
//
// Package build reads the text of a claim, also in one file for each kind. The two are separate
// because the certificate checker reads claims but must not import the engines used here.
package claim

import (
	"fmt"

	"github.com/mancheck/mancheck/proofs/confirm"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// Kind is a kind of claim, with the property of one instance.
type Kind interface {
	confirm.Kind
	// Listed returns the states that the claim lists, if any.
	Listed() []build.Listed
	// Closes returns the goal of the closed set that a verdict of the backward search relies on,
	// and which of its states count if the claim is about their number. Both are nil if there is no
	// such set.
	Closes() (goal, where rules.Expr)

	// about describes the kind for verdicts.
	about() verdict.Claim
	// decide decides the claim for a System without open parameters. A question that is left open
	// is an error of type *engines.Open.
	decide(run *engines.Run) (*result.Result, error)
	// decideAll decides the claim for every value of the open parameters at once.
	decideAll(run *engines.Run) (*result.Result, error)
	// decideSome looks for the least value of the only open parameter for which the claim holds.
	decideSome(run *engines.Run) (*result.Result, error)
}

// About describes the claim of an instance, for its verdict. sys is the System that the property
// holds in or not: that of the instance, or that with values for the open parameters.
func About(inst *build.Instance, sys *rules.System) verdict.Claim {
	c := KindOf(sys, inst.Property).about()
	c.Some, c.Negated = inst.Some, inst.Negated
	return c
}

// KindOf returns the kind of a property of sys.
func KindOf(sys *rules.System, p build.Property) Kind {
	switch p := p.(type) {
	case *build.Reach:
		return reach{Reach: p}
	case *build.NeverStuck:
		return newNeverStuck(sys)
	case *build.Terminates:
		return terminates{Terminates: p}
	case *build.Neighbours:
		return neighbours{Neighbours: p}
	case *build.StepTo:
		return stepTo{StepTo: p}
	case *build.EveryStep:
		return everyStep{EveryStep: p}
	case *build.Count:
		return counted{Count: p}
	case *build.WinningStarts:
		return winningStarts{WinningStarts: p}
	case *build.StrategyWins:
		return strategyWins{StrategyWins: p}
	case *build.Relation:
		return relation{Relation: p}
	case *build.ValueOf:
		return valueOf(p)
	case *build.WinnerOf:
		return winnerOf(p)
	case *build.BestMoves:
		return bestMoves(p)
	case *build.Force:
		return forced{Force: p}
	}
	panic(fmt.Sprintf("internal error: no kind of claim is a %T", p))
}

// newNeverStuck returns the claim as one that no state is stuck, or one in which a turn goes on for
// ever.
func newNeverStuck(sys *rules.System) Kind {
	holes := rules.Binary{Op: rules.Or, L: rules.IsStuck, R: rules.HasOutcome(sys.Endless())}
	return neverStuck{reach{Reach: &build.Reach{Target: holes, Within: -1}}}
}
