package resolve

import (
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
)

// givenIn finds the places where declarations give a value to a name. A choice gives one to the
// variable of its name, and a condition of a setup may, as in `phase = opening`.
func givenIn(decls []ast.Decl) map[diag.Range]bool {
	given := map[diag.Range]bool{}
	for _, d := range decls {
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Assign:
				name, _ := n.Variable()
				given[name.Range] = true
			case *ast.Choice:
				given[n.Name.Range] = true
			case *ast.Setting:
				given[n.Name.Range] = true
			case *ast.ParamRange:
				given[n.Name.Range] = true
			case *ast.ForAll:
				given[n.Name.Range] = true
			case *ast.ForSome:
				given[n.Name.Range] = true
			case *ast.Setup:
				for _, c := range n.Conds {
					if b, is := c.(*ast.Binary); is && b.Op == "=" {
						name, _ := (&ast.Assign{Target: b.L}).Variable()
						given[name.Range] = true
					}
				}
			}
			return true
		})
	}
	return given
}
