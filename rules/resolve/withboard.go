package resolve

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
)

// withBoard returns a variant with the parameters, players and setup of the shared board that it
// names, where it has none of its own. They stand before its own items.
func (u *Unit) withBoard(v *ast.Variant, diags *diag.List) *ast.Variant {
	i := slices.IndexFunc(v.Items, func(item ast.Item) bool { _, is := item.(*ast.Board); return is })
	if i < 0 {
		return v
	}
	use := v.Items[i].(*ast.Board)
	if use.Drawn {
		onlyShared(use, diags)
		return v
	}
	j := slices.IndexFunc(u.Boards, func(b *ast.Board) bool { return use.Name != nil && b.Name.Name == use.Name.Name })
	if j < 0 {
		return v // reported when the board is drawn
	}
	if items := itemsOf(v, use, u.Boards[j], diags); len(items) > 0 {
		whole := *v
		whole.Items = slices.Concat(items, v.Items)
		return &whole
	}
	return v
}

// onlyShared reports in a board that is drawn in a variant what only a shared board has.
func onlyShared(b *ast.Board, diags *diag.List) {
	report := func(n ast.Node, what string) {
		diags.Errorf(diag.Misplaced, n.Span(), "only a board that is declared outside of variants has %s", what).
			WithHelp("write it before or behind the board")
	}
	for _, p := range b.Params {
		report(p, "parameters")
	}
	if b.Players != nil {
		report(b.Players, "players")
	}
	for i := range b.With {
		diags.Errorf(diag.Misplaced, b.With[i].Range, "only a variant that names a board sets its parameters")
	}
	if b.Setup != nil {
		report(b.Setup, "a setup")
	}
}

// itemsOf lists the items that a variant has from a shared board.
func itemsOf(v *ast.Variant, use, board *ast.Board, diags *diag.List) []ast.Item {
	var own []string
	players, setup := false, false
	for _, item := range v.Items {
		switch item := item.(type) {
		case *ast.Param:
			own = append(own, item.Name.Name)
		case *ast.Players:
			players = true
		case *ast.Setup:
			setup = true
		}
	}
	var items []ast.Item
	var names []string
	for _, p := range board.Params {
		if slices.Contains(own, p.Name.Name) {
			continue
		}
		names = append(names, p.Name.Name)
		for i := range use.With {
			if s := &use.With[i]; s.Name.Name == p.Name.Name && s.Index == nil {
				other := *p
				other.Default = s.Value
				p = &other
			}
		}
		items = append(items, p)
	}
	for i, s := range use.With {
		switch {
		case s.Index != nil || !slices.Contains(names, s.Name.Name):
			suggest(diags.Errorf(diag.UnknownParam, s.Name.Range, "board `%s` has no parameter `%s` that is to be set here", use.Name.Name, s.Name.Name), s.Name.Name, names)
		case slices.ContainsFunc(use.With[:i], func(o ast.Setting) bool { return o.Name.Name == s.Name.Name }):
			diags.Errorf(diag.Duplicate, s.Name.Range, "`%s` is set twice", s.Name.Name)
		}
	}
	if board.Players != nil && !players {
		items = append(items, board.Players)
	}
	if board.Setup != nil && !setup {
		items = append(items, board.Setup)
	}
	return items
}
