package vet

import (
	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/build"
)

// File reports what the text of a file shows, besides what its variants do.
func File(p *dsl.Program, symbols *bind.Symbols) diag.List {
	file := root(p)
	return append(append(Unused(file, symbols), AndOr(file)...), Alike(p)...)
}

// Variant reports what a variant of the file shows at once: its text, and its System with the
// default parameters, of which nothing is played.
func Variant(v *ast.Variant, sys *rules.System, p *dsl.Program, symbols *bind.Symbols, defines []ast.Decl) diag.List {
	diags := Flow(v, symbols, defines)
	diags = append(diags, Meaning(v, root(p), defines)...)
	diags = append(diags, Players(v, sys, defines)...)
	return append(diags, Loops(v, sys)...)
}

// System resolves a variant with its default parameters. The diagnostics have the remarks of the
// resolver, too.
func System(u *build.Unit, v *ast.Variant) (*rules.System, diag.List) {
	u.Remarks = &diag.List{}
	sys, diags := u.System(v, nil)
	diags = append(diags, *u.Remarks...)
	u.Remarks = nil
	return sys, diags
}

// root is the file itself, after those that it imports.
func root(p *dsl.Program) *ast.File { return p.Files[len(p.Files)-1] }
