package build

import (
	"strconv"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/term"
)

// EveryStep asserts that every step from a state in From satisfies Gives, in which rules.Old stands
// for the state before the step. With All it is about all states of the right shape, otherwise
// about reachable ones. Actions marks the actions that count; nil means all.
type EveryStep struct {
	From    rules.Expr
	Gives   rules.Expr
	Actions []bool
	All     bool
	FromAt  diag.Range
	GivesAt diag.Range
}

// Kind implements Property.
func (p *EveryStep) Kind() string {
	if p.All {
		return "every step over all states"
	}
	return "every step"
}

// Asserts implements Property. It has the numbers of the actions that count, unless all do.
func (p *EveryStep) Asserts(sys *rules.System) string {
	text := "from " + rules.ExactString(sys, p.From)
	if p.Actions != nil {
		text += " by " + strings.Join(lists.Map(lists.Set(p.Actions), strconv.Itoa), ", ")
	}
	text += " every step gives " + rules.ExactString(sys, p.Gives)
	if p.All {
		text += " over all states"
	}
	return text
}

// Safety implements Safe: the claim itself is what a certificate shows.
func (p *EveryStep) Safety(*rules.System) Safety { return Safety{Step: p} }

// everyStep resolves the claim. Only the part after `gives` may ask about the step, so only that
// part gets ghosts.
func (e *assertion) everyStep(p *ast.EveryStep) Property {
	after := e.env
	after.Step = &term.Ghosts{Sys: e.env.Game.Sys}
	out := &EveryStep{From: e.env.Cond(p.From), Gives: after.Cond(p.Gives), Actions: e.labelled(p.By), All: p.All, FromAt: p.From.Span(), GivesAt: p.Gives.Span()}
	after.Step.Haunt()
	return out
}
