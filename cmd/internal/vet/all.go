package vet

import (
	"context"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/build"
)

// Look is how a file is looked at.
type Look struct {
	Thorough  bool // the codes of Thorough are looked for
	Instances func(*build.Claim, *diag.List) []*build.Instance
	// Variant is called with each variant, also with those of imported files, and says what else is
	// wrong with it. The System may be used only if nothing is wrong.
	Variant func(v *ast.Variant, sys *rules.System, wrong diag.List) (diag.List, error)
}

// First looks at the first instance of a claim.
func First(c *build.Claim, diags *diag.List) []*build.Instance { return c.First(nil, diags) }

// All finds what is wrong with a file, whose reading had some diagnostics, and with its variants
// and claims, and gives the claims to be decided. An error is a failure of the tool.
func All(ctx context.Context, f *input.File, diags diag.List, look Look) (diag.List, []*suite.Item, error) {
	symbols := bind.Bind(f.Program.Files).Symbols
	for _, v := range f.Unit.Variants {
		sys, wrong := System(f.Unit, v)
		diags = append(diags, wrong...)
		// Variants of imported files are left to the check of those files.
		if !wrong.HasErrors() && sys.File == f.Path {
			diags = append(diags, Variant(v, sys, f.Program, symbols, f.Unit.Defines)...)
		}
		found, err := look.Variant(v, sys, wrong)
		if err != nil {
			return nil, nil, err
		}
		diags = append(diags, found...)
	}
	items, more := f.ItemsOf(nil, look.Instances)
	diags = append(append(diags, more...), File(f.Program, symbols)...)
	diags = append(diags, Foreign(ctx, items)...)
	return Meant(diags, []*ast.File{f.Root}, look.Thorough), items, nil
}
