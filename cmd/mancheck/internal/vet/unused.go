// Package vet looks for what is allowed but probably not meant: declarations that nothing uses
// (unused.go), moves and outcomes that no play meets (idle.go), and labels that say something else
// than the rules (labels.go).
package vet

import (
	"maps"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
)

// Unused reports parameters, groups, definitions, positions and strategies that nothing in the file
// uses. Setting a parameter is not using it. A file without claims may declare definitions,
// positions and strategies for others. The boards and definitions of the files that it imports use
// names, too: their names have the meaning that they have in its variants.
func Unused(f *ast.File, imports []*ast.File) diag.List {
	names := usedNames(f)
	for _, other := range imports {
		for _, decl := range other.Decls {
			switch decl.(type) {
			case *ast.Board, *ast.Define:
				maps.Copy(names, usedNames(decl))
			}
		}
	}
	var diags diag.List
	report := func(kind string, name ast.Ident) {
		if !names[name.Name] {
			diags.Warnf(diag.Unused, name.Range, "nothing uses the %s `%s`", kind, name.Name)
		}
	}
	claims := false
	for _, decl := range f.Decls {
		_, is := decl.(*ast.Claim)
		claims = claims || is
	}
	for _, decl := range f.Decls {
		switch d := decl.(type) {
		case *ast.Variant:
			declared(d, report)
		case *ast.Define:
			if claims {
				report("definition", d.Name)
			}
		case *ast.Position:
			if claims {
				report("position", d.Name)
			}
		case *ast.Strategy:
			if claims {
				report("strategy", d.Name)
			}
		}
	}
	return diags
}

// declared reports the parameters and groups of a variant.
func declared(v *ast.Variant, report func(kind string, name ast.Ident)) {
	for _, item := range v.Items {
		switch item := item.(type) {
		case *ast.Param:
			report("parameter", item.Name)
		case *ast.Define:
			report("definition", item.Name)
		case *ast.Board:
			for _, line := range item.Lines {
				if g, ok := line.(*ast.Group); ok {
					report("group", g.Name)
				}
			}
		}
	}
}

// names is every name that is used anywhere. A name that hides another counts as a use of both.
type names map[string]bool

// usedNames collects the names in a file or declaration, except those that a node declares or sets.
func usedNames(root ast.Node) names {
	used, declared := names{}, map[*ast.Ident]bool{}
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Param:
			declared[&n.Name] = true
		case *ast.Group:
			declared[&n.Name] = true
		case *ast.Define:
			declared[&n.Name] = true
		case *ast.Formal:
			declared[&n.Name] = true
		case *ast.Position:
			declared[&n.Name] = true
		case *ast.Strategy:
			declared[&n.Name] = true
		case *ast.ParamRange:
			declared[&n.Name] = true
		case *ast.ForAll:
			declared[&n.Name] = true
		case *ast.ForSome:
			declared[&n.Name] = true
		case *ast.Ident:
			if !declared[n] {
				used[n.Name] = true
			}
		case *ast.Name:
			used[n.Name] = true
		case *ast.Each:
			used[n.Name] = true
		case *ast.Sort:
			used[n.Name] = true
		}
		return true
	})
	return used
}
