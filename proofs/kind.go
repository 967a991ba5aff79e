package proofs

import (
	"context"
	"fmt"

	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

// Kind is a kind of claim. Each kind is one file, which says how such a claim is decided, how the
// evidence is checked, and how a verdict is described; nothing else depends on the kind of a claim.
//
// The meaning of a claim's text is resolved in package resolve, also one file for each kind: the
// certificate checker reads claims without the engines used here.
type Kind interface {
	// Listed returns the states that the claim lists, if any.
	Listed() []resolve.Listed
	// Strategy returns the strategy that the claim is about, and the claimed role.
	Strategy() (name, role string)

	// about says what kind it is.
	about() verdict.Claim
	// ofPlays reports whether the claim is about plays, and so starts, and not about all states of
	// the right shape.
	ofPlays() bool
	// decide decides it for a System without open parameters.
	decide(d *decision) (*Result, error)
	// decideAll decides it for every value of the open parameters.
	decideAll(d *decision) (*Result, error)
	// decideSome looks for the least value of the open parameter for which it holds.
	decideSome(d *decision) (*Result, error)
	// shows returns a check that the plays of a verdict show it; nil if it does not rely on plays.
	// It is called only with a trace.
	shows(r *Result) func(context.Context) error
	// closes returns the goal of the set that a verdict of the backward search relies on, and which
	// of its states count if that is the question; nil if there is no such set.
	closes() (goal, where rules.Expr)
	// again finds the verdict again, in a way that has nothing to do with the engines.
	again(q question) (*enumerate.Opinion, error)
	// certified checks what a verdict tells besides what its certificate shows.
	certified(q question, report *cert.Report) error
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
		return valueOf{ValueOf: p}
	case *resolve.WinnerOf:
		return winnerOf{WinnerOf: p}
	case *resolve.BestMoves:
		return bestMoves{BestMoves: p}
	case *resolve.Force:
		return forced{Force: p}
	}
	panic(fmt.Sprintf("internal error: no kind of claim is a %T", p))
}

// usual is what most kinds have in common.
type usual struct{}

// Listed returns no set.
func (usual) Listed() []resolve.Listed { return nil }

// Strategy returns no strategy.
func (usual) Strategy() (name, role string) { return "", "" }

func (usual) ofPlays() bool { return true }

// decideAll looks for a value that refutes the claim.
func (usual) decideAll(d *decision) (*Result, error) {
	if !d.wants(Forward) {
		return nil, d.refuses(verdict.AboutAllValues)
	}
	return d.counterexample(d.upTo(tryStates))
}

func (usual) decideSome(d *decision) (*Result, error) { return d.leastValue(nil) }

func (usual) closes() (goal, where rules.Expr) { return nil, nil }

func (usual) certified(question, *cert.Report) error { return nil }

func (usual) shows(*Result) func(context.Context) error { return nil }
