package input

import (
	"context"
	"maps"
	"slices"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// File is a .sow file with all that it imports.
type File struct {
	Path    string
	Program *dsl.Program
	Root    *ast.File
	Unit    *build.Unit
}

// File reads and parses a file. It is nil if there are mistakes of syntax outside of claims. With
// errors in the diagnostics it may be used only claim by claim, since those with mistakes say so.
func (r *Reader) File(path string) (*File, diag.List) {
	program, diags := dsl.Load(path, r.Imports(path))
	maps.Copy(r.Sources, program.Sources)
	if diags.Outside().HasErrors() {
		return nil, diags
	}
	f, more := Parsed(r.Context, path, program)
	return f, append(diags, more...)
}

// Sketch is what can be read of a file, whatever its mistakes; nil if that is nothing.
func (r *Reader) Sketch(path string) *File {
	program, _ := dsl.Load(path, r.Imports(path))
	if program == nil || len(program.Files) == 0 {
		return nil
	}
	f, _ := Parsed(r.Context, path, program)
	return f
}

// Parsed is the file at path, which has been parsed without errors. The context ends its
// resolution; it may be nil.
func Parsed(ctx context.Context, path string, program *dsl.Program) (*File, diag.List) {
	unit, diags := build.Collect(program.Files)
	unit.Context = ctx
	return &File{Path: path, Program: program, Root: program.Files[len(program.Files)-1], Unit: unit}, diags
}

// System resolves the variant with this name, or the only one, with the given parameters.
func (f *File) System(variant string, given build.Settings) (*rules.System, diag.List) {
	return resolve(f, variant, func(v *ast.Variant) (*rules.System, diag.List) { return f.Unit.System(v, given) })
}

// Marked is System with marks of what is carried out.
func (f *File) Marked(variant string, given build.Settings) (*rules.Marked, diag.List) {
	return resolve(f, variant, func(v *ast.Variant) (*rules.Marked, diag.List) { return f.Unit.Marked(v, given) })
}

// Whole is System with all that follows from the picture of the board.
func (f *File) Whole(variant string, given build.Settings) (*rules.System, diag.List) {
	return resolve(f, variant, func(v *ast.Variant) (*rules.System, diag.List) { return f.Unit.Whole(v, given) })
}

// Followed resolves the same variant as one in which only the moves of a strategy are legal. option
// is where the strategy was named.
func (f *File) Followed(variant string, given build.Settings, strategy, option string) (*rules.System, diag.List) {
	return resolve(f, variant, func(v *ast.Variant) (*rules.System, diag.List) {
		return f.Unit.Following(v, given, strategy, diag.Range{File: option})
	})
}

// SetupOnly reports whether only the setup of the variant depends on a parameter, which is so if
// the rest can be resolved without its value.
func (f *File) SetupOnly(variant string, given build.Settings, param string) bool {
	others := maps.Clone(given)
	delete(others, param)
	_, diags := resolve(f, variant, func(v *ast.Variant) (*rules.System, diag.List) { return f.Unit.System(v, others, param) })
	return !diags.HasErrors()
}

func resolve[S any](f *File, variant string, system func(*ast.Variant) (*S, diag.List)) (*S, diag.List) {
	at := diag.Range{File: f.Path}
	if variant != "" {
		at.File = "--variant"
	}
	var diags diag.List
	v := f.Unit.Variant(variant, at, &diags)
	if v == nil {
		return nil, diags
	}
	return system(v)
}

// Items returns the items for the claims of the file: all claims, or those with one of the
// names. A claim with mistakes has one item without an instance.
func (f *File) Items(names []string, given build.Settings) (items []*suite.Item, diags diag.List) {
	return f.ItemsOf(names, func(c *build.Claim, diags *diag.List) []*build.Instance { return c.Instances(given, diags) })
}

// ItemsOf is Items for some of the instances of each claim.
func (f *File) ItemsOf(names []string, instances func(*build.Claim, *diag.List) []*build.Instance) (items []*suite.Item, diags diag.List) {
	for _, decl := range f.Unit.Claims {
		if len(names) > 0 && !slices.Contains(names, decl.Name.Name) {
			continue
		}
		var list []*build.Instance
		c, wrong := f.Unit.Claim(decl)
		if !wrong.HasErrors() {
			list = instances(c, &wrong)
		}
		item := suite.Item{File: f.Path, Program: f.Program, Claim: decl.Name.Name}
		if item.Err = wrong.Err(); item.Err != nil {
			list = []*build.Instance{nil}
		}
		for _, inst := range list {
			one := item
			one.Instance = inst
			items = append(items, &one)
		}
		diags = append(diags, wrong...)
	}
	return items, diags
}
