package resolve

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// EveryStep asserts that each step from From satisfies Gives, where Old is the state before; over
// reachable states, or over all.
type EveryStep struct {
	From    rules.Expr
	Gives   rules.Expr
	Actions []bool
	All     bool
	FromAt  diag.Range
}

func (*EveryStep) others() []*rules.System { return nil }

func (e env) everyStep(p *ast.EveryStep) Property {
	after := e
	after.inStep = true
	return &EveryStep{From: e.cond(p.From), Gives: after.cond(p.Gives), Actions: e.by(p.By), All: p.All, FromAt: p.From.Span()}
}
