package resolve

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// CountSet says what Count counts.
type CountSet int

const (
	CountStarts CountSet = iota
	CountStates
	CountFinished
	CountWinning
	CountPlays     // of exactly Moves moves, from all starts
	CountAncestors // states of the right shape, outside Of, from which a play leads into Of
)

// Count asserts the size of a set: Op compares it with Value.
type Count struct {
	Set   CountSet
	Where rules.Expr
	Moves int        // of CountPlays
	Of    rules.Expr // of CountAncestors
	Op    rules.Op
	Value int
}

// Kind implements Certifiable: there are certificates for counts of starts that can be won.
func (c *Count) Kind() string {
	if c.Set == CountWinning {
		return "count of winning starts"
	}
	return ""
}

// Asserts implements Certifiable.
func (c *Count) Asserts(sys *rules.System) string {
	return fmt.Sprintf("count(winning starts where %s) %s %d", rules.ExactString(sys, c.Where), c.Op, c.Value)
}

func (*Count) others() []*rules.System { return nil }

func (e env) count(p *ast.Count) Property {
	c := &Count{Where: rules.True, Op: ops[p.Op], Value: e.constInt(p.Value)}
	if p.Where != nil {
		c.Where = e.cond(p.Where)
	}
	switch p.Set {
	case "states":
		c.Set = CountStates
	case "finished":
		c.Set = CountFinished
	case "winning":
		c.Set = CountWinning
	case "ancestors":
		c.Set, c.Of = CountAncestors, e.cond(p.Of)
	case "plays":
		c.Set, c.Moves = CountPlays, e.moves(p.Of)
		if p.Where != nil {
			e.diags.Errorf(diag.BadClause, p.Where.Span(), "plays are counted by their number of moves alone").
				WithHelp("to count states write `count(states where …)`")
		}
	}
	return c
}

// uniqueWinnable is a claim about a number, too.
func uniqueWinnable() Property {
	return &Count{Set: CountWinning, Where: rules.True, Op: rules.Eq, Value: 1}
}
