package resolve

import (
	"strings"

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

// Kind is empty for a claim over all states: certificates are about reachable ones.
func (p *EveryStep) Kind() string {
	if p.All {
		return ""
	}
	return "every step"
}

// Asserts names the actions that count, unless all do.
func (p *EveryStep) Asserts(sys *rules.System) string {
	text := "from " + rules.ExactString(sys, p.From)
	var by []string
	for a, counts := range p.Actions {
		if counts {
			by = append(by, sys.ActionName(a))
		}
	}
	if p.Actions != nil {
		text += " by " + strings.Join(by, ", ")
	}
	return text + " every step gives " + rules.ExactString(sys, p.Gives)
}

// Safety is the claim itself.
func (p *EveryStep) Safety(*rules.System) Safety { return Safety{Step: p} }

func (e *assertion) everyStep(p *ast.EveryStep) Property {
	after := e.env
	after.step = &ghosts{sys: e.sys}
	out := &EveryStep{From: e.cond(p.From), Gives: after.cond(p.Gives), Actions: e.labelled(p.By), All: p.All, FromAt: p.From.Span()}
	after.step.haunt()
	return out
}
