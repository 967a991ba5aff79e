package judge

import "github.com/mancheck/mancheck/dsl/ast"

// whole writes into a variant what the shared board that it names has beside the picture, as if it
// had been written at its beginning. Of what the variant has itself it gets no second one.
func (f *file) whole(v *ast.Variant) *ast.Variant {
	out := *v
	var lent []ast.Item
	for _, b := range ast.Items[*ast.Board](v) {
		if b.Drawn && (len(b.Params)+len(b.With) > 0 || b.Players != nil || b.Setup != nil) {
			wrongf("a board that is drawn in a variant has more than its lines")
		}
		if !b.Drawn && b.Name != nil && f.boards[b.Name.Name] != nil {
			lent = append(lent, f.lent(v, b)...)
		}
	}
	out.Items = append(lent, v.Items...)
	return &out
}

// lent lists what a board lends to a variant that names it.
func (f *file) lent(v *ast.Variant, named *ast.Board) []ast.Item {
	set := map[string]ast.Expr{}
	for _, s := range named.With {
		if set[s.Name.Name] != nil || s.Index != nil {
			wrongf("a parameter of a board is set in no way that there is")
		}
		set[s.Name.Name] = s.Value
	}
	taken := map[string]bool{}
	for _, p := range ast.Items[*ast.Param](v) {
		taken[p.Name.Name] = true
	}
	var list []ast.Item
	for _, p := range f.boards[named.Name.Name].Params {
		if taken[p.Name.Name] {
			continue
		}
		lent := *p
		if value := set[p.Name.Name]; value != nil {
			lent.Default = value
			delete(set, p.Name.Name)
		}
		list = append(list, &lent)
	}
	if len(set) > 0 {
		wrongf("a board has no such parameter to be set")
	}
	if p := f.boards[named.Name.Name].Players; p != nil && len(ast.Items[*ast.Players](v)) == 0 {
		list = append(list, p)
	}
	if s := f.boards[named.Name.Name].Setup; s != nil && len(ast.Items[*ast.Setup](v)) == 0 {
		list = append(list, s)
	}
	return list
}
