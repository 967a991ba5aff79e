package build

import (
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// WinningStarts asserts that some play wins from the listed starts and from no others.
type WinningStarts struct{ List []Listed }

// Kind implements Property.
func (*WinningStarts) Kind() string { return "winning starts" }

// Asserts implements Property.
func (w *WinningStarts) Asserts(sys *rules.System) string {
	list := lists.Map(w.List, func(l Listed) string { return rules.ExactString(sys, l.Cond) })
	return "winning starts = { " + strings.Join(list, ", ") + " }"
}

// StrategyWins asserts that every play by a strategy wins, from each start from which some play
// wins.
type StrategyWins struct {
	Strategy string
	Followed *rules.System // the System in which only the strategy's moves are legal
}

// Kind implements Property.
func (*StrategyWins) Kind() string { return "strategy wins" }

// Asserts implements Property. The rules with the strategy are named by their hash.
func (p *StrategyWins) Asserts(*rules.System) string {
	return fmt.Sprintf("strategy %q wins by %q", p.Strategy, p.Followed.Hash())
}

// strategyWins resolves the System in which only the moves of the strategy are legal.
func (e *assertion) strategyWins(p *ast.StrategyWins) Property {
	g := e.game
	if g.following != nil {
		e.env.Game.Run.Diags.Errorf(diag.BadClause, p.Strategy.Range, "this claim follows a strategy already").WithHelp("leave out `following`: the starts are those of all play")
		return nil
	}
	if g.following = e.of.Claim.unit.strategy(p.Strategy, e.env.Game.Variant, e.env.Game.Run.Diags); g.following == nil {
		return nil
	}
	return &StrategyWins{Strategy: p.Strategy.Name, Followed: e.of.Claim.unit.common(e.env.Game.Variant, g, e.env.Game.Run.Diags).Sys}
}
