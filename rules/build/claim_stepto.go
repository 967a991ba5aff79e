package build

import (
	"sort"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
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

func (*StepTo) others() []*rules.System { return nil }

func (e *assertion) stepTo(p *ast.StepTo) Property {
	return &StepTo{Not: p.Not, From: e.env.Cond(p.From), To: e.env.Cond(p.To), Actions: e.labelled(p.By)}
}

// labelled marks the actions with a label: that of the option chosen last, or that of the move. It
// returns nil if l is nil.
func (e *assertion) labelled(l *ast.Label) []bool {
	if l == nil {
		return nil
	}
	in := make([]bool, len(e.env.Game.Sys.Actions))
	found := false
	names := map[string]bool{}
	for i, a := range e.env.Game.Sys.Actions {
		move := e.env.Game.Sys.Moves[a.Move].Label
		names[a.Label], names[move] = true, true
		in[i] = a.Label == l.Text || move == l.Text
		found = found || in[i]
	}
	if !found {
		var list []string
		for n := range names {
			list = append(list, n)
		}
		sort.Strings(list)
		bind.Suggest(e.env.Game.Run.Diags.Errorf(diag.Unknown, l.Range, "no move is labelled `%s`", l.Text), l.Text, list)
	}
	return in
}
