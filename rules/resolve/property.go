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

// assertion reads what a claim asserts of a System.
type assertion struct {
	env
	of   *Instance
	game game
}

// property resolves what the claim asserts of the System in b. Some kinds take a second System.
func (i *Instance) property(b *resolved, g game) Property {
	e := &assertion{env: newEnv(b.scope, inClaim), of: i, game: g}
	if i.board != nil {
		e.columns(i.board, i.Claim.ast)
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
		return e.strategyWins(p)
	case *ast.Relation:
		return e.relation(p)
	case *ast.Value:
		return e.value(p)
	case *ast.Winner:
		return e.winner(p)
	case *ast.Best:
		return e.best(p)
	case *ast.Force:
		return e.force(p)
	}
	return nil
}
