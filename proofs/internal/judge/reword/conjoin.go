package reword

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/ast"
)

// Conjoined writes a file in which each condition of its claims has another one beside it: `E` is
// `(E) and (T)`, where beside returns T. Given says that the condition is what steps give. A set
// that is counted gets T as its condition if it has none. Where T is true in every state, no result
// may change. An empty T leaves a condition as it is. It returns false if there is no condition.
func Conjoined(text string, beside func(c *ast.Claim, given bool) string) (*Reworded, bool) {
	return Way{apply: func(e *edit) { e.conjoin(beside) }}.Apply(text, nil)
}

func (e *edit) conjoin(beside func(c *ast.Claim, given bool) string) {
	each(e, func(c *ast.Claim) {
		put := func(x ast.Expr, format string, given bool) {
			if t := beside(c, given); t != "" {
				e.replace(x, fmt.Sprintf(format, e.of(x), t))
			}
		}
		all := func(list ...ast.Expr) {
			for _, x := range list {
				put(x, "(%s) and (%s)", false)
			}
		}
		switch p := c.Property.(type) {
		case *ast.Reach:
			all(p.Target)
		case *ast.Neighbours:
			all(p.Of)
			all(p.List...)
		case *ast.StepTo:
			put(p.From, "true and (%s) and (%s)", false) // a bracket behind a clause would be a call's
			all(p.To)
		case *ast.EveryStep:
			all(p.From)
			put(p.Gives, "(%s) and (%s)", true)
		case *ast.WinningStarts:
			all(p.List...)
		case *ast.Force:
			all(p.Goal)
		case *ast.Count:
			if p.Set == "ancestors" {
				all(p.Of)
			}
			if p.Where != nil {
				all(p.Where)
			} else if p.Set != "plays" {
				if t := beside(c, false); t != "" {
					e.insert(e.closing(p), " where "+t)
				}
			}
		case *ast.NeverStuck, *ast.Terminates, *ast.CanGoOn, *ast.UniqueWinnable, *ast.StrategyWins, *ast.Relation,
			*ast.Value, *ast.Winner, *ast.Best: // they have no conditions
		}
	})
}

// closing is the offset of the bracket that closes what is counted.
func (e *edit) closing(p *ast.Count) int {
	depth := 0
	for i, r := p.Range.Start.Offset, p.Range.End.Offset; i < r; i++ {
		switch e.text[i] {
		case '"':
			for i++; e.text[i] != '"'; i++ {
			}
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	panic("a set without a closing bracket")
}
