package build_test

import (
	"bytes"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/rules/build"
)

// TestLent: a variant has from a shared board what it does not say itself, as if that were written
// in the variant.
func TestLent(t *testing.T) {
	t.Parallel()
	const (
		picture = "north_store | north[m..1] |\n | south[1..m] | south_store\n"
		params  = "param m = 2 in 1..\nparam n = 3\n"
		players = "player South, North\n"
		setup   = "setup { each house = n }\n"
		rules   = "move { choose p in my house  sow p along ccw }\nend when no move\n}\n"
	)
	for _, c := range []struct{ name, board, lent, written string }{
		{"all", params + players + setup, "board b\n", params + players + "board {\n" + picture + "}\n" + setup},
		{"another value", params + players + setup, "board b with n = 1+1\n", "param m = 2 in 1..\nparam n = 1+1\n" + players + "board {\n" + picture + "}\n" + setup},
		{"two values", params + players + setup, "board b with n = 2, m = 4\n", "param m = 4 in 1..\nparam n = 2\n" + players + "board {\n" + picture + "}\n" + setup},
		{
			"its own parameter", params + players + setup, "param n = 1 in 1..2\nboard b\n",
			"param m = 2 in 1..\nparam n = 1 in 1..2\n" + players + "board {\n" + picture + "}\n" + setup,
		},
		{"its own players", params + players + setup, "player North, South\nboard b\n", params + "player North, South\nboard {\n" + picture + "}\n" + setup},
		{"its own setup", params + players + setup, "board b\nsetup { each south = n }\n", params + players + "board {\n" + picture + "}\nsetup { each south = n }\n"},
		{"no setup", params + players, "board b\n" + setup, params + players + "board {\n" + picture + "}\n" + setup},
		{"parameters alone", params, players + "board b\n" + setup, params + players + "board {\n" + picture + "}\n" + setup},
	} {
		lent, diags := dsl.Parse("t.sow", []byte("board b {\n"+picture+c.board+"}\nvariant V {\n"+c.lent+rules))
		written, more := dsl.Parse("t.sow", []byte("variant V {\n"+c.written+rules))
		if diags = append(diags, more...); diags.HasErrors() {
			t.Errorf("%s: %v", c.name, diags)
			continue
		}
		if got, want := canonical(lent), canonical(written); len(want) == 0 || !bytes.Equal(got, want) {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, want)
		}
	}
}

// canonical returns the canonical texts of the variants of a file that can be resolved.
func canonical(file *ast.File) []byte {
	u, _ := build.Collect([]*ast.File{file})
	var out []byte
	for _, v := range u.Variants {
		if sys, diags := u.System(v, nil); !diags.HasErrors() {
			out = append(out, sys.Canonical()...)
		}
	}
	return out
}
