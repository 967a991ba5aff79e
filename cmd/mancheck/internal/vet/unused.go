// Package vet looks for what is allowed but probably not meant: declarations that nothing uses (unused.go), moves and outcomes
// that no play meets (idle.go).
package vet

import (
	"reflect"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
)

// Unused reports parameters, groups, positions and strategies that nothing in the file speaks of. Setting a parameter is not using
// it. A file without claims may declare positions and strategies for others.
func Unused(f *ast.File) diag.List {
	names := names{}
	names.visit(reflect.ValueOf(f.Decls))
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

// declares lists the nodes whose field Name declares or sets what it names.
var declares = map[reflect.Type]bool{
	reflect.TypeFor[ast.Param](): true, reflect.TypeFor[ast.Group](): true, reflect.TypeFor[ast.Position](): true,
	reflect.TypeFor[ast.Setting](): true, reflect.TypeFor[ast.ForIn](): true, reflect.TypeFor[ast.ForAll](): true,
	reflect.TypeFor[ast.ForSome](): true, reflect.TypeFor[ast.Strategy](): true,
}

// visit collects the names in a piece of syntax tree.
func (n names) visit(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			n.visit(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			n.visit(v.Index(i))
		}
	case reflect.Struct:
		n.node(v)
	}
}

func (n names) node(v reflect.Value) {
	switch x := v.Interface().(type) {
	case ast.Ident:
		n[x.Name] = true
	case ast.Name:
		n[x.Name] = true
	default:
		for i := range v.NumField() {
			if !declares[v.Type()] || v.Type().Field(i).Name != "Name" {
				n.visit(v.Field(i))
			}
		}
	}
}
