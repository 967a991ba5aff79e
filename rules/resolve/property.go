package resolve

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/rules"
)

// Property is what a claim asserts of a System: *Reach, *NeverStuck, *Terminates, *Neighbours,
// *StepTo, *EveryStep, *Count, *WinningStarts, *StrategyWins, *Relation, *ValueOf, *WinnerOf,
// *BestMoves or *Force. Each kind is one file, or with others of its sort.
type Property interface {
	// others lists the Systems whose plays it speaks of besides that of the claim.
	others() []*rules.System
}

// Certifiable is a Property that certificates can be about. Kind is empty where they cannot.
type Certifiable interface {
	Property
	// Kind is the name of the kind in certificates.
	Kind() string
	// Asserts says what is asserted of sys.
	Asserts(sys *rules.System) string
}

// Safe is a Certifiable that says something of all reachable states. The others are *ValueOf,
// *WinnerOf, *BestMoves and *Force.
type Safe interface {
	Certifiable
	// Safety is what a certificate shows.
	Safety(sys *rules.System) Safety
}

// Safety says that no reachable state satisfies Never or, where that is nil, that every step from a
// reachable state is as Step says. That proves the claim, or Refutes it.
type Safety struct {
	Never   rules.Expr
	Step    *EveryStep
	Refutes bool
}

// property resolves what the claim asserts of the System in b.
func (i *Instance) property(b *builder, g game) Property {
	p := i.asserts(b, g)
	b.haunt()
	return p
}

// asserts is property before the moves remember what the claim asks of them. Some kinds take a
// second System.
func (i *Instance) asserts(b *builder, g game) Property {
	e := b.env(inClaim)
	if b.twoPlayers() {
		e.mover = anyMover
	}
	if i.board != nil {
		e = e.columns(i.board, i.Claim.ast)
	}
	switch p := i.Claim.ast.Property.(type) {
	case *ast.Reach:
		return e.reachProperty(p)
	case *ast.NeverStuck:
		return &NeverStuck{}
	case *ast.Terminates:
		return e.terminates(p)
	case *ast.Neighbours:
		return e.neighbours(p)
	case *ast.StepTo:
		return e.stepTo(p)
	case *ast.EveryStep:
		return e.everyStep(p)
	case *ast.Count:
		return e.count(p)
	case *ast.UniqueWinnable:
		return uniqueWinnable()
	case *ast.WinningStarts:
		return e.winningStarts(p)
	case *ast.StrategyWins:
		return i.Claim.strategyWins(p, g, b.diags)
	case *ast.Relation:
		return i.relation(p, g, b.sys, b.diags)
	case *ast.Value:
		return i.value(p, e, g)
	case *ast.Winner:
		return i.winner(p, e, g)
	case *ast.Best:
		return i.best(p, e, g)
	case *ast.Force:
		return i.force(p, e, g)
	}
	return nil
}
