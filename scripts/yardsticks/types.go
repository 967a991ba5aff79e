package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
)

// manyMethods lists the types with more methods than most, those of embedded types among them.
func (p *folder) manyMethods(most int) []string {
	var list []string
	scope := p.pkg.Scope()
	for _, name := range scope.Names() {
		t, is := scope.Lookup(name).(*types.TypeName)
		if !is || t.IsAlias() {
			continue
		}
		of := t.Type()
		if !types.IsInterface(of) {
			of = types.NewPointer(of)
		}
		if n := types.NewMethodSet(of).Len(); n > most {
			list = append(list, fmt.Sprintf("%s.%s: %d", p.dir, name, n))
		}
	}
	return list
}

// reads reports whether a file tells apart the types that have a method that is only a mark: isStmt
// of statements, isExpr of expressions.
func (p *folder) reads(f *ast.File, mark string) (found bool) {
	is := func(x ast.Expr) bool {
		t := p.info.Types[x].Type
		if t == nil || types.IsInterface(t) {
			return false
		}
		named, ok := t.(*types.Named)
		if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != module+"/rules" {
			return false
		}
		m, _, _ := types.LookupFieldOrMethod(t, true, named.Obj().Pkg(), mark)
		return m != nil
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CaseClause:
			found = found || slices.ContainsFunc(n.List, func(x ast.Expr) bool { return p.info.Types[x].IsType() && is(x) })
		case *ast.TypeAssertExpr:
			found = found || n.Type != nil && is(n.Type)
		}
		return !found
	})
	return found
}

// overClaims reports whether a file has a switch over kinds of claims.
func overClaims(f *ast.File) bool {
	return switches(f, "Reach", "Terminates") || switches(f, "ValueOf", "WinnerOf") || switches(f, "Terminates", "NeverStuck")
}

// switches reports whether a file has a type switch with cases for all of these types.
func switches(f *ast.File, names ...string) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		s, is := n.(*ast.TypeSwitchStmt)
		if !is {
			return true
		}
		has := map[string]bool{}
		for _, c := range s.Body.List {
			for _, x := range c.(*ast.CaseClause).List {
				has[typeName(x)] = true
			}
		}
		found = found || !slices.ContainsFunc(names, func(name string) bool { return !has[name] })
		return true
	})
	return found
}

// typeName is the name of a type without its package.
func typeName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return x.Sel.Name
	case *ast.StarExpr:
		return typeName(x.X)
	case *ast.IndexExpr:
		return typeName(x.X)
	case *ast.IndexListExpr:
		return typeName(x.X)
	}
	return ""
}

// looksIntoTexts lists the places where the text of a verdict is searched, cut or compared: calls
// of package strings, and comparisons with a text, of a field that says something in English.
func looksIntoTexts(p *folder) []string {
	said := func(x ast.Expr) bool {
		s, is := x.(*ast.SelectorExpr)
		return is && slices.Contains([]string{"Reason", "Note", "Notes", "Detail"}, s.Sel.Name)
	}
	literal := func(x ast.Expr) bool {
		l, is := x.(*ast.BasicLit)
		return is && l.Kind == token.STRING && l.Value != `""`
	}
	var list []string
	for _, f := range p.files {
		ast.Inspect(f, func(n ast.Node) bool {
			hit := false
			switch n := n.(type) {
			case *ast.CallExpr:
				s, is := n.Fun.(*ast.SelectorExpr)
				if is {
					from, isPackage := s.X.(*ast.Ident)
					looks := isPackage && from.Name == "strings" && slices.Contains([]string{"HasPrefix", "HasSuffix", "Contains", "Cut", "CutPrefix", "CutSuffix", "TrimPrefix", "TrimSuffix", "Index"}, s.Sel.Name)
					hit = looks && len(n.Args) > 0 && said(n.Args[0])
				}
			case *ast.BinaryExpr:
				hit = (n.Op == token.EQL || n.Op == token.NEQ) && (said(n.X) && literal(n.Y) || said(n.Y) && literal(n.X))
			}
			if hit {
				at := p.fset.Position(n.Pos())
				list = append(list, fmt.Sprintf("%s:%d", filepath.ToSlash(at.Filename), at.Line))
			}
			return true
		})
	}
	return list
}
