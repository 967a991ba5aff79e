package build

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/build/board"
	"github.com/mancheck/mancheck/rules/build/body"
)

// Following resolves a variant in which only the moves of a strategy are legal. Its states and
// actions are those of the variant. at is the place where an unknown strategy is reported.
func (u *Unit) Following(v *ast.Variant, given board.Settings, strategy string, at diag.Range) (*rules.System, diag.List) {
	var diags diag.List
	s := u.strategy(ast.Ident{At: ast.At{Range: at}, Name: strategy}, v, &diags)
	if diags.HasErrors() {
		return nil, diags
	}
	return u.system(v, game{settings: given, following: s})
}

// strategy finds the strategy called name for a claim about v, or reports that there is none.
func (u *Unit) strategy(name ast.Ident, v *ast.Variant, diags *diag.List) *ast.Strategy {
	var names []string
	for _, s := range u.Strategies {
		names = append(names, s.Name.Name)
		switch {
		case s.Name.Name != name.Name:
		case s.Of != nil && s.Of.Name != v.Name.Name:
			diags.Errorf(diag.WhichVariant, name.Range, "strategy `%s` is one of `%s`, this claim is about `%s`", name.Name, s.Of.Name, v.Name.Name)
			return nil
		case u.prefers(v):
			diags.Errorf(diag.BadClause, name.Range, "the rules of `%s` use `prefer`, and no strategy can be joined with that", v.Name.Name)
			return nil
		default:
			ranksSome(s, v, diags)
			return s
		}
	}
	bind.Suggest(diags.Errorf(diag.Unknown, name.Range, "unknown strategy `%s`", name.Name), name.Name, names)
	return nil
}

// ranksSome reports a strategy for moves with a label that v does not have.
func ranksSome(s *ast.Strategy, v *ast.Variant, diags *diag.List) {
	if s.By == nil {
		return
	}
	var labels []string
	for _, item := range v.Items {
		if m := body.AsMove(item); m != nil && m.Label != nil {
			labels = append(labels, m.Label.Text)
		}
	}
	if !slices.Contains(labels, s.By.Text) {
		bind.Suggest(diags.Errorf(diag.Unknown, s.By.Range, "`%s` has no move labelled `%s`", v.Name.Name, s.By.Text), s.By.Text, labels)
	}
}

// prefers reports whether the rules themselves rank moves.
func (u *Unit) prefers(v *ast.Variant) bool {
	return slices.ContainsFunc(v.Items, func(x ast.Item) bool {
		m, is := x.(*ast.Move)
		return is && len(bind.CarriedOut[*ast.Prefer](u.bound[v], m)) > 0
	})
}
