package build

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/term"
)

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
