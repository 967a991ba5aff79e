package build_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/cost"
	"github.com/mancheck/mancheck/rules/build"
)

// FuzzResolve resolves all that a text declares: the variants with the defaults of their
// parameters, and the claims. What this takes is bounded by how often the context is looked at, and
// not by the length of the text, which may stand for very much.
func FuzzResolve(f *testing.F) {
	for _, pattern := range []string{"testdata/*.sow", "../../dsl/testdata/ok/*.sow", "../../examples/*.sow", "../../proofs/*.sow"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			f.Fatal(pattern, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(text)
		}
	}
	for _, text := range cost.Bombs(1 << 9) {
		f.Add([]byte(text))
	}
	// The fuzzer takes ten seconds for a hang, on a busy machine and in code that counts what it
	// covers: these are small bombs.
	f.Add([]byte(bomb(nested(4, "for xN in hole { ", "capture x1 into x2", "} "), "invariant a > 0 for a in 1..100 for b in 1..100")))
	f.Add([]byte(bomb("require "+nested(4, "each xN in hole : ", "seeds(x1) > 0", ""), "never stuck")))
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<14 {
			return
		}
		cost.Limited(t, 1<<30, func() {
			file, diags := dsl.Parse("t.sow", text)
			if diags.HasErrors() {
				return
			}
			unit, diags := build.Collect([]*ast.File{file})
			unit.Context = cost.Looks(t.Context(), 50)
			diags = append(diags, declared(t, unit)...)
			for _, d := range diags {
				if d.Range.End.Offset > len(text) || d.Range.Start.Offset > d.Range.End.Offset {
					t.Fatalf("%v has the range %+v in a file of %d bytes", d, d.Range, len(text))
				}
			}
		})
	})
}

// declared makes the Systems of all variants, and the instances of all claims.
func declared(t *testing.T, unit *build.Unit) diag.List {
	var all diag.List
	for _, v := range unit.Variants {
		sys, diags := unit.System(v, nil)
		if !diags.HasErrors() && sys.Hash() == "" {
			t.Errorf("%s has no System", v.Name.Name)
		}
		all = append(all, diags...)
	}
	for _, decl := range unit.Claims {
		c, diags := unit.Claim(decl)
		if !diags.HasErrors() {
			for _, inst := range c.Instances(nil, &diags) {
				if !diags.HasErrors() && (inst.System == nil || inst.Property == nil) {
					t.Errorf("an instance of %s lacks something, and nothing says why", decl.Name.Name)
				}
			}
		}
		all = append(all, diags...)
	}
	return all
}
