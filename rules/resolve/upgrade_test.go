package resolve_test

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/dsltest/gen"
	"github.com/mancheck/mancheck/dsl/format"
	"github.com/mancheck/mancheck/rules/resolve"
)

// canonical returns the canonical texts of the variants of a file that can be resolved.
func canonical(file *ast.File) []byte {
	u, _ := resolve.Collect([]*ast.File{file})
	var out []byte
	for _, v := range u.Variants {
		if sys, diags := u.System(v, nil); !diags.HasErrors() {
			out = append(out, sys.Canonical()...)
		}
	}
	return out
}

// TestUpgradeOfShippedFiles: files as they were shipped once have the same rules after an upgrade.
// What they say is read from the older text, whose removed forms the parser understands.
func TestUpgradeOfShippedFiles(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("../../dsl/testdata/upgrade/shipped_*.in")
	if err != nil || len(paths) == 0 {
		t.Fatal(err, paths)
	}
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		file, diags := dsl.Parse(path, src)
		for _, d := range diags {
			if d.Code != diag.Removed {
				t.Error(d)
			}
		}
		upgraded, err := format.Upgrade(&ast.File{Path: path, Source: src})
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		newest, _ := dsl.Parse(path, upgraded)
		if before := canonical(file); len(diags) == 0 || len(before) == 0 || !bytes.Equal(before, canonical(newest)) {
			t.Errorf("%s has other rules after the upgrade", path)
		}
	}
}

// TestUpgradeOfRandomFiles writes random files with removed forms wherever these may stand. After
// an upgrade they have the same rules as before.
func TestUpgradeOfRandomFiles(t *testing.T) {
	t.Parallel()
	const files = 150
	changed := 0
	for seed := range uint64(files) {
		src := []byte(gen.New(seed).Text)
		file, diags := dsl.Parse("x.sow", src)
		if diags.HasErrors() {
			continue
		}
		want := canonical(file)
		if file.Language != nil {
			src[file.Language.Range.End.Offset-1] = '1'
		}
		aged := older(file, src, rand.New(rand.NewPCG(seed, 1)))
		upgraded, err := format.Upgrade(&ast.File{Path: "x.sow", Source: aged})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, aged)
		}
		if newest, _ := dsl.Parse("x.sow", upgraded); !bytes.Equal(want, canonical(newest)) {
			t.Fatalf("seed %d: other rules after the upgrade\n%s\n%s", seed, aged, upgraded)
		}
		if !bytes.Equal(aged, src) {
			changed++
		}
	}
	if changed < files/2 {
		t.Errorf("only %d of %d files have removed forms", changed, files)
	}
}

// older puts removed forms into the text of a file: `;` before statements and clauses, commas
// between pits of drawn boards, and captures without their word.
func older(file *ast.File, src []byte, random *rand.Rand) []byte {
	type change struct {
		at, length int
		text       string
	}
	var changes []change
	ast.Inspect(file, func(n ast.Node) bool {
		at := n.Span().Start.Offset
		_, stmt := n.(ast.Stmt)
		_, clause := n.(ast.Clause)
		if (stmt || clause) && random.IntN(2) == 0 {
			changes = append(changes, change{at, 0, ";"})
		}
		switch n := n.(type) {
		case *ast.Capture:
			changes = append(changes, change{at, 0, ";"}, change{at, len("capture"), ""})
		case *ast.Board:
			for i := 1; i < len(n.Picture); i++ {
				if a, b := &n.Picture[i-1], &n.Picture[i]; !a.Bar && !b.Bar && a.Range.Start.Line == b.Range.Start.Line && random.IntN(2) == 0 {
					changes = append(changes, change{a.Range.End.Offset, 0, ","})
				}
			}
		}
		return true
	})
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	var out []byte
	done := 0
	for _, c := range changes {
		out = append(append(out, src[done:c.at]...), c.text...)
		done = c.at + c.length
	}
	return append(out, src[done:]...)
}
