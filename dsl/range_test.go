package dsl

import (
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
)

// nodes calls f for all nodes below n with the nearest node around each.
func nodes(n ast.Node, f func(n, around ast.Node)) {
	ast.Inspect(n, func(m ast.Node) bool {
		if m != n {
			f(m, n)
			nodes(m, f)
		}
		return m == n
	})
}

func textAt(src []byte, r diag.Range) string { return string(src[r.Start.Offset:r.End.Offset]) }

// checkRanges tests what holds for each node of each file.
func checkRanges(t *testing.T, file *ast.File) {
	for _, d := range file.Decls {
		nodes(d, func(n, around ast.Node) {
			r := n.Span()
			if r.IsZero() || r.Start.Offset < 0 || r.End.Offset > len(file.Source) || r.Start.Offset > r.End.Offset {
				t.Fatalf("%T has the range %v", n, r)
			}
			if r.Start.Offset < around.Span().Start.Offset || r.End.Offset > around.Span().End.Offset {
				t.Fatalf("%T %v reaches out of %T %v", n, r, around, around.Span())
			}
			checkText(t, n, textAt(file.Source, r))
		})
	}
}

func checkText(t *testing.T, n ast.Node, text string) {
	want := text
	switch n := n.(type) {
	case *ast.Ident:
		want = n.Name
	case *ast.Name:
		want = n.Name
	case *ast.Int:
		want = n.Text
	case *ast.Label:
		if !n.Quoted {
			want = n.Text
		}
	}
	if text != want || strings.TrimSpace(text) != text || text == "" {
		t.Fatalf("%T has the text %q, want %q", n, text, want)
	}
}

func TestRangesOfExamples(t *testing.T) {
	t.Parallel()
	for _, path := range glob(t, "testdata/ok/*.sow") {
		file, _ := Parse(path, read(t, path))
		checkRanges(t, file)
	}
}

func TestRanges(t *testing.T) {
	t.Parallel()
	src := []byte("// Größe\nvariant V { board { | a[1..n] |\n  b } setup { a < 1 + 2 * 3 -x in {y} or each s > 1 } \n" +
		"state ä : 0..n-1 move { if x { again } else if y { lose \"ö\" } else { } \n capture k into z sow 1 from p along q, skip r } }")
	file, diags := Parse("t.sow", src)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	var got []string
	nodes(file.Decls[0], func(n, _ ast.Node) {
		switch n.(type) {
		case *ast.Ident, *ast.Name, *ast.Int, *ast.Variant, *ast.Move:
		default:
			got = append(got, textAt(src, n.Span()))
		}
	})
	for _, r := range file.Decls[0].(*ast.Variant).Items[0].(*ast.Board).Rows() {
		got = append(got, textAt(src, r.Range))
	}
	for _, want := range []string{
		"| a[1..n] |", "b", "a[1..n]", "a < 1 + 2 * 3 -x in {y} or each s > 1", "1 + 2 * 3 -x", "2 * 3",
		"{y}", "each s > 1", "0..n-1", "n-1", "if x { again } else if y { lose \"ö\" } else { }", "if y { lose \"ö\" } else { }",
		"again", "lose \"ö\"", "\"ö\"", "sow 1 from p along q, skip r",
	} {
		if !contains(got, want) {
			t.Errorf("no node has the text %q; there are\n%s", want, strings.Join(got, "\n"))
		}
	}
}

func contains(list []string, s string) bool {
	return slices.Contains(list, s)
}

func TestColumnsCountCharacters(t *testing.T) {
	t.Parallel()
	file, _ := Parse("t.sow", []byte("variant V \"äöü\" { param n = 3 }"))
	r := file.Decls[0].(*ast.Variant).Items[0].Span()
	if r.Start != (diag.Pos{Offset: 21, Line: 1, Column: 19}) || r.End != (diag.Pos{Offset: 32, Line: 1, Column: 30}) {
		t.Errorf("the range is %+v", r)
	}
}
