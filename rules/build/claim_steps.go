package build

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
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
