package build

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/build/term"
)

// StepTo asserts that some step leads from a state in From to a state in To, or, with Not, that
// none does. Actions marks the actions that count; nil means all.
type StepTo struct {
	Not      bool
	From, To rules.Expr
	Actions  []bool
}

// Kind implements Property: there are no certificates for such claims.
func (*StepTo) Kind() string { return "" }

// Asserts implements Property.
func (*StepTo) Asserts(*rules.System) string { return "" }

// labelled marks the actions with a label: that of the option chosen last, or that of the move. It
// returns nil if l is nil.
func (e *assertion) labelled(l *ast.Label) []bool {
	if l == nil {
		return nil
	}
	in := make([]bool, len(e.env.Game.Sys.Actions))
	var names []string
	for i, a := range e.env.Game.Sys.Actions {
		move := e.env.Game.Sys.Moves[a.Move].Label
		names = append(names, a.Label, move)
		in[i] = a.Label == l.Text || move == l.Text
	}
	if !slices.Contains(in, true) {
		bind.Suggest(e.env.Game.Run.Diags.Errorf(diag.Unknown, l.Range, "no move is labelled `%s`", l.Text), l.Text, names)
	}
	return in
}

// Listed is one element of a set in a claim: a condition with its place in the text.
type Listed struct {
	Cond rules.Expr
	At   diag.Range
}

// EachListed reports whether each of n states satisfies a condition of a list, and each condition
// is satisfied.
func EachListed(list []Listed, n int, holds func(x rules.Expr, state int) (bool, error)) (bool, error) {
	all, matched := true, make([]bool, len(list))
	for i := range n {
		some := false
		for k, l := range list {
			is, err := holds(l.Cond, i)
			if err != nil {
				return false, err
			}
			some, matched[k] = some || is, matched[k] || is
		}
		all = all && some
	}
	return all && !slices.Contains(matched, false), nil
}

// Neighbours asserts which states are one step before (Pre) or after the states that satisfy Of.
type Neighbours struct {
	Pre  bool
	Of   rules.Expr
	List []Listed
}

// Kind implements Property: there are no certificates for such claims.
func (*Neighbours) Kind() string { return "" }

// Asserts implements Property.
func (*Neighbours) Asserts(*rules.System) string { return "" }

// listed resolves the elements of a set in a claim.
func (e *assertion) listed(xs []ast.Expr) []Listed {
	return lists.Map(xs, func(x ast.Expr) Listed { return Listed{Cond: e.env.Cond(x), At: x.Span()} })
}

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
