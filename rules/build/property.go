package build

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/term"
)

// Property is what a claim asserts of a System: *Reach, *NeverStuck, *Terminates, *Neighbours,
// *StepTo, *EveryStep, *Count, *WinningStarts, *StrategyWins, *Relation, *ValueOf, *WinnerOf,
// *BestMoves or *Force. The files claim_*.go have one kind each, or several that are alike.
//
//sumtype:decl
type Property interface {
	// Kind is the name of the kind in certificates. It is empty if there are none for this
	// property.
	Kind() string
	// Asserts says in the words of certificates what is asserted of sys. Its grammar is
	// docs/claim.ebnf. Checkers compare the text, so it must determine the meaning.
	Asserts(sys *rules.System) string

	// conditions lists the conditions of that text, in its order.
	conditions() []rules.Expr
}

// Safe is a Property about all reachable states, for which there are certificates. The others that
// have some are *ValueOf, *WinnerOf, *BestMoves, *Force, and those about counts, plays and pairs of
// Systems.
type Safe interface {
	Property
	// Safety returns what a certificate has to show.
	Safety(sys *rules.System) Safety
}

// Safety says that no reachable state satisfies Never or, if that is nil, that every step from a
// reachable state is as Step says. Showing this proves the claim, or refutes it if Refutes is set.
type Safety struct {
	Never   rules.Expr
	Step    *EveryStep
	Refutes bool
}

func (r *Reach) conditions() []rules.Expr     { return []rules.Expr{r.Target} }
func (*NeverStuck) conditions() []rules.Expr  { return nil }
func (*Terminates) conditions() []rules.Expr  { return nil }
func (*Neighbours) conditions() []rules.Expr  { return nil }
func (*StepTo) conditions() []rules.Expr      { return nil }
func (p *EveryStep) conditions() []rules.Expr { return []rules.Expr{p.From, p.Gives} }
func (c *Count) conditions() []rules.Expr     { return []rules.Expr{c.Where} }
func (w *WinningStarts) conditions() []rules.Expr {
	return lists.Map(w.List, func(l Listed) rules.Expr { return l.Cond })
}
func (*StrategyWins) conditions() []rules.Expr { return nil }
func (*Relation) conditions() []rules.Expr     { return nil }
func (*ValueOf) conditions() []rules.Expr      { return nil }
func (*WinnerOf) conditions() []rules.Expr     { return nil }
func (*BestMoves) conditions() []rules.Expr    { return nil }
func (f *Force) conditions() []rules.Expr      { return []rules.Expr{f.Goal} }

// assertion resolves what a claim asserts of a System.
type assertion struct {
	env  term.Env
	of   *Instance
	game game
}

// property resolves what the claim asserts of the System in b. Some kinds resolve a second System.
// Fitted gets the drawn positions that its conditions name.
func (i *Instance) property(b *term.Scope, g game) Property {
	b.Lend()
	e := &assertion{env: term.NewEnv(b, term.InClaim), of: i, game: g}
	e.env.Fitted = &i.Fitted
	if i.board != nil {
		e.columns(i.board, i.Claim.ast)
	}
	switch p := i.Claim.ast.Property.(type) {
	case *ast.Reach:
		return e.reachProperty(p)
	case *ast.NeverStuck:
		return &NeverStuck{}
	case *ast.Terminates:
		return &Terminates{Within: e.optional(p.Within)}
	case *ast.Neighbours:
		return &Neighbours{Pre: p.Pre, Of: e.env.Cond(p.Of), List: e.listed(p.List)}
	case *ast.StepTo:
		return &StepTo{Not: p.Not, From: e.env.Cond(p.From), To: e.env.Cond(p.To), Actions: e.labelled(p.By)}
	case *ast.EveryStep:
		return e.everyStep(p)
	case *ast.Count:
		return e.count(p)
	case *ast.UniqueWinnable:
		return &Count{Set: CountWinning, Where: rules.True, Op: rules.Eq, Value: 1}
	case *ast.WinningStarts:
		return &WinningStarts{List: e.listed(p.List)}
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
	case *ast.CanGoOn: // the parser makes a Terminates of it
	}
	return nil
}
