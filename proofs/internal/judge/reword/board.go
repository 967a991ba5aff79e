package reword

import (
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
)

// named returns the item of a variant that names a shared board, or nil.
func named(v *ast.Variant) *ast.Board {
	if list := ast.Items[*ast.Board](v); len(list) == 1 && !list[0].Drawn && list[0].Name != nil {
		return list[0]
	}
	return nil
}

// lender returns the shared board of a variant, or nil.
func (e *edit) lender(v *ast.Variant) *ast.Board {
	use := named(v)
	for _, d := range e.file.Decls {
		if b, is := d.(*ast.Board); is && use != nil && b.Name != nil && b.Name.Name == use.Name.Name {
			return b
		}
	}
	return nil
}

// loans writes into variants what they have from their shared boards beside what is drawn.
func (e *edit) loans() {
	for _, v := range e.variants() {
		b := e.lender(v)
		if b == nil || len(b.Params) == 0 && b.Players == nil && b.Setup == nil {
			continue
		}
		use := named(v)
		own, with := map[string]bool{}, map[string]string{}
		for _, p := range ast.Items[*ast.Param](v) {
			own[p.Name.Name] = true
		}
		for _, s := range use.With {
			with[s.Name.Name] = e.of(s.Value)
		}
		var out []string
		for _, p := range b.Params {
			text := e.of(p)
			if value := with[p.Name.Name]; value != "" {
				text = "param " + p.Name.Name + " = " + value
				if p.Lo != nil {
					text += " in " + e.of(p.Lo) + ".."
				}
				if p.Hi != nil {
					text += e.of(p.Hi)
				}
			}
			if !own[p.Name.Name] {
				out = append(out, text)
			}
		}
		if b.Players != nil && len(ast.Items[*ast.Players](v)) == 0 {
			out = append(out, e.of(b.Players))
		}
		if b.Setup != nil && len(ast.Items[*ast.Setup](v)) == 0 {
			out = append(out, e.of(b.Setup))
		}
		e.replace(use, strings.Join(append(out, "board "+use.Name.Name), "\n"))
	}
}

// share writes boards that are drawn in variants outside of them, with the parameters, players and
// setup of the variant.
func (e *edit) share() {
	names := e.declared()
	for _, v := range e.variants() {
		boards, setups, sides := ast.Items[*ast.Board](v), ast.Items[*ast.Setup](v), ast.Items[*ast.Players](v)
		name := "shared_" + v.Name.Name
		if len(boards) != 1 || !boards[0].Drawn || boards[0].Name != nil || len(setups) > 1 || len(sides) > 1 || names[name] {
			continue
		}
		drawn := e.of(boards[0])
		text := "board " + name + " {" + strings.TrimSuffix(drawn[strings.Index(drawn, "{")+1:], "}") + "\n"
		lend := func(n ast.Node) {
			text += e.of(n) + "\n"
			e.replace(n, "")
		}
		for _, p := range ast.Items[*ast.Param](v) {
			lend(p)
		}
		for _, p := range sides {
			lend(p)
		}
		for _, s := range setups {
			lend(s)
		}
		e.replace(boards[0], "board "+name)
		e.insert(len(e.text), "\n"+text+"}\n")
	}
}
