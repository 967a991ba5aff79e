package bind

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
)

// withBoard finds the board that the variant draws. One that is shared lends it the parameters,
// players and setup that it has none of its own of. They stand before its own items.
func (v *Variant) withBoard(shared map[string]*scope) {
	for i, b := range ast.Items[*ast.Board](v.Source) {
		if i > 0 {
			v.Mistakes.Errorf(diag.Duplicate, b.Range, "a second board")
			continue
		}
		v.draws(b, shared)
	}
}

// draws takes the board that a line of the variant draws or names.
func (v *Variant) draws(use *ast.Board, shared map[string]*scope) {
	switch {
	case use.Name == nil && use.Drawn:
		v.Board = use
		onlyShared(use, &v.Mistakes)
		return
	case use.Name == nil:
		v.Mistakes.Errorf(diag.Missing, use.Range, "this board is not drawn").
			WithHelp("write `board { … }`, or `board NAME` for a board that is declared outside of variants")
		return
	case use.Drawn:
		v.Mistakes.Errorf(diag.Misplaced, use.Name.Range, "a board that is drawn in a variant has no name").
			WithHelp("draw it outside, and write `board %s` here", use.Name.Name)
		onlyShared(use, &v.Mistakes)
		return
	}
	var names []string
	for _, b := range v.program.Boards {
		if names = append(names, b.Name.Name); b.Name.Name == use.Name.Name {
			v.Board, v.own.board = b, shared[b.Name.Name]
			if items := v.lent(use); len(items) > 0 {
				whole := *v.Source
				whole.Items = slices.Concat(items, v.Source.Items)
				v.Variant = &whole
			}
			return
		}
	}
	Suggest(v.Mistakes.Errorf(diag.Unknown, use.Name.Range, "no board is called `%s`", use.Name.Name), use.Name.Name, names)
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

// lent lists the items that the variant has from the shared board that it names.
func (v *Variant) lent(use *ast.Board) []ast.Item {
	var items []ast.Item
	var names []string
	own := ast.Items[*ast.Param](v.Source)
	for _, p := range v.Board.Params {
		if slices.ContainsFunc(own, func(o *ast.Param) bool { return o.Name.Name == p.Name.Name }) {
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
			d := v.Mistakes.Errorf(diag.UnknownParam, s.Name.Range, "board `%s` has no parameter `%s` that is to be set here", use.Name.Name, s.Name.Name)
			Suggest(d, s.Name.Name, names)
		case slices.ContainsFunc(use.With[:i], func(o ast.Setting) bool { return o.Name.Name == s.Name.Name }):
			v.Mistakes.Errorf(diag.Duplicate, s.Name.Range, "`%s` is set twice", s.Name.Name)
		}
	}
	if b := v.Board; b.Players != nil && len(ast.Items[*ast.Players](v.Source)) == 0 {
		items = append(items, b.Players)
	}
	if b := v.Board; b.Setup != nil && len(ast.Items[*ast.Setup](v.Source)) == 0 {
		items = append(items, b.Setup)
	}
	return items
}

// CarriedOut lists the places in a part of a variant where a statement of type N is carried out:
// the statements, and calls of procedures that have some. A call is listed once for each, but no
// more than twice.
func CarriedOut[N ast.Stmt](v *Variant, root ast.Node) []ast.Node {
	procs, times := map[string]ast.Node{}, map[ast.Node]int{}
	for _, d := range v.Defines {
		if d.Kind == ProcedureName {
			procs[d.Name.Name] = d.Node // of two with one name, which is a mistake, the last
		}
	}
	var places func(ast.Node) []ast.Node
	places = func(root ast.Node) []ast.Node {
		var out []ast.Node
		ast.Inspect(root, func(n ast.Node) bool {
			if _, is := n.(N); is {
				out = append(out, n)
			}
			call, is := n.(*ast.CallStmt)
			if !is {
				return true
			}
			p := procs[call.Call.(*ast.Call).Func.Name]
			if p == nil {
				return true
			}
			if _, known := times[p]; !known {
				times[p] = 0 // in a circle, which is a mistake, it counts once
				times[p] = min(2, len(places(p)))
			}
			out = append(out, slices.Repeat([]ast.Node{n}, times[p])...)
			return true
		})
		return out
	}
	return places(root)
}
