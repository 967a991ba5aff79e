package resolve

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// Following resolves a variant as one in which only the moves of a strategy are legal. Its states
// and actions are those of the variant. A name that is no strategy is reported at the place.
func (u *Unit) Following(v *ast.Variant, given Settings, strategy string, at diag.Range) (*rules.System, diag.List) {
	var diags diag.List
	s := u.strategy(ast.Ident{At: ast.At{Range: at}, Name: strategy}, v, &diags)
	if diags.HasErrors() {
		return nil, diags
	}
	b := u.build(v, game{settings: given, following: s}, &diags)
	diags.Sort()
	return b.sys, diags
}

// strategy finds the strategy called name, for a claim about v. The fault is reported at its place.
func (u *Unit) strategy(name ast.Ident, v *ast.Variant, diags *diag.List) *ast.Strategy {
	var names []string
	for _, s := range u.Strategies {
		names = append(names, s.Name.Name)
		switch {
		case s.Name.Name != name.Name:
		case s.Of != nil && s.Of.Name != v.Name.Name:
			diags.Errorf(diag.WhichVariant, name.Range, "strategy `%s` is one of `%s`, this claim is about `%s`", name.Name, s.Of.Name, v.Name.Name)
			return nil
		case prefers(v):
			diags.Errorf(diag.BadClause, name.Range, "the rules of `%s` use `prefer`, and no strategy can be joined with that", v.Name.Name)
			return nil
		default:
			ranksSome(s, v, diags)
			return s
		}
	}
	suggest(diags.Errorf(diag.Unknown, name.Range, "unknown strategy `%s`", name.Name), name.Name, names)
	return nil
}

// ranksSome complains of a strategy for moves that v does not have.
func ranksSome(s *ast.Strategy, v *ast.Variant, diags *diag.List) {
	if s.By == nil {
		return
	}
	var labels []string
	for _, item := range v.Items {
		if m := asMove(item); m != nil && m.Label != nil {
			labels = append(labels, m.Label.Text)
		}
	}
	if !slices.Contains(labels, s.By.Text) {
		suggest(diags.Errorf(diag.Unknown, s.By.Range, "`%s` has no move labelled `%s`", v.Name.Name, s.By.Text), s.By.Text, labels)
	}
}

// prefers tells whether the rules rank moves themselves.
func prefers(v *ast.Variant) bool { return len(ast.All[*ast.Prefer](v)) > 0 }

// asksForChoice tells whether a strategy has no meaning for a move without choices.
func (b *builder) asksForChoice(s *ast.Strategy) bool {
	own := map[string]bool{}
	for _, x := range ast.All[*ast.Quant](s.Rank) {
		own[x.Var.Name] = true
	}
	for _, x := range ast.All[*ast.Filter](s.Rank) {
		own[x.Var.Name] = true
	}
	return slices.ContainsFunc(ast.All[*ast.Name](s.Rank), func(n *ast.Name) bool {
		_, declared := b.names[n.Name]
		chosen := func(c *ast.Choice) bool { return c.Name.Name == n.Name }
		return !own[n.Name] && !declared && slices.ContainsFunc(ast.All[*ast.Choice](b.variant), chosen)
	})
}

// rank makes an action legal only where no other one is better: the best is what the strategy names
// the least or the greatest.
func (c choosing) rank(s *ast.Strategy, m *ast.Move) []rules.Stmt {
	if s == nil || c.action.Fallback && len(m.Choices) == 0 && c.env.asksForChoice(s) || s.By != nil && s.By.Text != c.env.sys.Moves[c.action.Move].Label {
		return nil
	}
	var own diag.List
	b := *c.env.builder
	b.diags = &own
	e := c.env
	e.builder = &b
	rank := e.rank(s.Rank)
	for i := range own {
		own[i].Notes = append(own[i].Notes, diag.Note{Range: m.Range, Message: "as the strategy reads for this move"})
	}
	*c.env.diags = append(*c.env.diags, own...)
	if s.Least {
		rank = simple(rules.Binary{Op: rules.Sub, L: rules.Number(0), R: rank, At: s.Range})
	}
	return one(rules.Prefer(rank))
}
