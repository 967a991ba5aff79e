package build

import (
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/term"
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

// Force asserts that a player can bring play to a state that satisfies Goal, whatever the others
// do. If Within is not negative, it must take no more than that many moves, counting those of all
// players.
type Force struct {
	Player int
	Goal   rules.Expr
	Within int
	From   Place
}

// Kind implements Property.
func (*Force) Kind() string { return "can force" }

// Asserts implements Property. It spells out the position, whose name may mean other states in
// other rules.
func (f *Force) Asserts(sys *rules.System) string {
	text := playerName(sys, f.Player) + " can force " + rules.ExactString(sys, f.Goal)
	if f.Within >= 0 {
		text += fmt.Sprintf(" within %d", f.Within)
	}
	return text + " from " + f.From.text(sys)
}

// force resolves `P can force E`.
func (e *assertion) force(p *ast.Force) Property {
	out := &Force{Goal: e.env.Cond(p.Goal), Within: e.optional(p.Within)}
	if !e.env.Game.TwoPlayers() {
		e.env.Game.Run.Diags.Errorf(diag.BadClause, p.Player.Range, "in a solitaire there is nobody to force anything on").WithHelp("write `reachable …`")
		return out
	}
	out.Player = e.env.Game.PlayerNamed(p.Player)
	if p.From != nil {
		out.From = e.place(p.From)
	}
	// A state is a start or not only in games that begin at the setup.
	if !out.From.Starts() && rules.AsksFor(out.Goal, rules.IsStart) {
		e.env.Game.Run.Diags.Errorf(diag.BadClause, p.Goal.Span(), "`start` has no meaning in what is forced from another position")
	}
	return out
}

// CountSet is the kind of set that a Count is about.
type CountSet int

const (
	CountStarts CountSet = iota
	CountStates
	CountFinished
	CountWinning
	CountPlays     // of exactly Moves moves, from all starts
	CountAncestors // states of the right shape, outside Of, from which a play leads into Of
)

// Count asserts the size of a set: the comparison of that size with Value by Op.
type Count struct {
	Set   CountSet
	Where rules.Expr
	Moves int        // of CountPlays
	Of    rules.Expr // of CountAncestors
	Op    rules.Op
	Value int
}

// counted has the names of the sets whose sizes certificates can show. Plays, starts and ancestors
// are not among them.
var counted = map[CountSet]string{CountStates: "states", CountFinished: "finished", CountWinning: "winning starts"}

// Kind implements Property.
func (c *Count) Kind() string {
	if set, is := counted[c.Set]; is {
		return "count of " + set
	}
	return ""
}

// Asserts implements Property.
func (c *Count) Asserts(sys *rules.System) string {
	return fmt.Sprintf("count(%s where %s) %s %d", counted[c.Set], rules.ExactString(sys, c.Where), c.Op, c.Value)
}

var countSets = map[string]CountSet{
	"states": CountStates, "finished": CountFinished, "winning": CountWinning, "plays": CountPlays, "ancestors": CountAncestors,
}

// count resolves a claim `count(…)`.
func (e *assertion) count(p *ast.Count) Property {
	c := &Count{Set: countSets[p.Set], Where: rules.True, Op: term.Ops[p.Op], Value: e.env.ConstInt(p.Value)}
	if p.Where != nil {
		c.Where = e.env.Cond(p.Where)
	}
	switch c.Set {
	case CountAncestors:
		c.Of = e.env.Cond(p.Of)
	case CountPlays:
		c.Moves = e.moves(p.Of)
		if p.Where != nil {
			e.env.Game.Run.Diags.Errorf(diag.BadClause, p.Where.Span(), "plays are counted by their number of moves alone").
				WithHelp("to count states write `count(states where …)`")
		}
	}
	return c
}
