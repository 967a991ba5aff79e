package resolve

import (
	"github.com/mancheck/mancheck/dsl/ast"
)

// procedures lists those that statements of v may call, by name. Of two with one name, which is a
// mistake, it has the last.
func (u *Unit) procedures(v *ast.Variant) map[string]*ast.Procedure {
	out := map[string]*ast.Procedure{}
	for _, d := range u.Defines {
		if p, ok := d.(*ast.Procedure); ok {
			out[p.Name.Name] = p
		}
	}
	for _, p := range ast.Items[*ast.Procedure](v) {
		out[p.Name.Name] = p
	}
	return out
}

// carriedOut lists the places in a part of a variant where a statement of type N is carried out:
// the statements, and calls of procedures that have some. A call is listed once for each, but no
// more than twice.
func carriedOut[N ast.Stmt](u *Unit, v *ast.Variant, root ast.Node) []ast.Node {
	procs, times := u.procedures(v), map[*ast.Procedure]int{}
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
			for range times[p] {
				out = append(out, n)
			}
			return true
		})
		return out
	}
	return places(root)
}
