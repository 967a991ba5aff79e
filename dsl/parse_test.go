package dsl

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/internal/scan"
	"github.com/mancheck/mancheck/internal/cost"
	"github.com/mancheck/mancheck/internal/tier"
)

var update = flag.Bool("update", false, "write the golden files anew")

func read(t testing.TB, path string) []byte {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func glob(t testing.TB, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files match %s (%v)", pattern, err)
	}
	return files
}

func TestExamplesHaveNoMistakes(t *testing.T) {
	t.Parallel()
	for _, path := range glob(t, "testdata/ok/*.sow") {
		if _, diags := Parse(path, read(t, path)); len(diags) > 0 {
			t.Errorf("%v", diags)
		}
	}
}

// expected is a diagnostic that a comment `//! CODE "part of it"` announces for its line. The text
// is looked for in message and help.
type expected struct {
	line int
	code diag.Code
	text string
}

var announcement = regexp.MustCompile(`([A-Z]\d{3}) "([^"]*)"`)

func announced(src []byte) []expected {
	var out []expected
	for i, line := range strings.Split(string(src), "\n") {
		_, comment, _ := strings.Cut(line, "//!")
		for _, m := range announcement.FindAllStringSubmatch(comment, -1) {
			out = append(out, expected{i + 1, diag.Code(m[1]), m[2]})
		}
	}
	return out
}

func (e expected) fits(d diag.Diagnostic) bool {
	return e.line == d.Range.Start.Line && e.code == d.Code && strings.Contains(d.Message+"\n"+d.Help, e.text)
}

func TestAnnouncedDiagnostics(t *testing.T) {
	t.Parallel()
	for _, path := range glob(t, "testdata/errors/*.sow") {
		src := read(t, path)
		_, diags := Parse(path, src)
		for _, e := range announced(src) {
			i := 0
			for i < len(diags) && !e.fits(diags[i]) {
				i++
			}
			if i == len(diags) {
				t.Errorf("%s:%d: missing %s %q", path, e.line, e.code, e.text)
				continue
			}
			diags = append(diags[:i], diags[i+1:]...)
		}
		for _, d := range diags {
			t.Errorf("unexpected: %v (%s)", d, d.Help)
		}
	}
}

// TestOneMistakeOneDiagnostic removes each token of the examples in turn, and inserts some.
func TestOneMistakeOneDiagnostic(t *testing.T) {
	t.Parallel()
	for _, path := range glob(t, "testdata/ok/*.sow") {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			src := string(read(t, path))
			tokens := scan.File(path, []byte(src)).Tokens
			for i := 0; i < len(tokens)-1; i += tier.Every(21, 5) {
				token := tokens[i]
				start, end := token.Pos.Offset, ast.TokenRange(token).End.Offset
				atMost(t, 1, path, src[:start]+src[end:])
				if i%4 > 0 {
					continue
				}
				for _, more := range []string{" } ", " { ", " foo "} {
					atMost(t, 2, path, src[:start]+more+src[start:])
				}
			}
		})
	}
}

func atMost(t *testing.T, n int, path, src string) {
	t.Helper()
	if _, diags := Parse(path, []byte(src)); len(diags) > n {
		t.Errorf("%d diagnostics: %v %v", len(diags), diags[0], diags[1:])
	}
}

func TestDocs(t *testing.T) {
	t.Parallel()
	file, diags := Parse("t.sow", []byte("// no\n\n// one\n//  two\nvariant V {\n  // three\n  param n = 3\n  param m = 4 // no\n  param k = 5 }"))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	v := file.Decls[0].(*ast.Variant)
	var got []string
	for _, i := range v.Items {
		got = append(got, i.(*ast.Param).Doc)
	}
	if v.Doc != "one\n two" || !reflect.DeepEqual(got, []string{"three", "", ""}) {
		t.Errorf("docs are %q and %q", v.Doc, got)
	}
}

// TestStrength checks how operators bind by writing out all parentheses.
func TestStrength(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"a or b and not c = d":             "(a or (b and (not (c = d))))",
		"1 - 2 - 3 * -x mod y":             "((1 - 2) - ((3 * (- x)) mod y))",
		"last in 1 .. n + 1 and b":         "((last in (1 .. (n + 1))) and b)",
		"each hole >= 1 + 2 and b":         "((each hole >= (1 + 2)) and b)",
		"a and each x in s + t : b or c":   "(a and (each x in (s + t): (b or c)))",
		"x not in a without b + c":         "(x not in ((a without b) + c))",
		"not last was empty or old x = 1":  "((not (last was empty)) or ((old x) = 1))",
		"some my house > number x in s: y": "(some (my house) > (number x in s: y))",
	} {
		file, diags := Parse("t.sow", []byte("variant V { end when "+src+" }"))
		if len(diags) > 0 {
			t.Errorf("%s: %v", src, diags)
			continue
		}
		if got := spelled(file.Decls[0].(*ast.Variant).Items[0].(*ast.Ending).When); got != want {
			t.Errorf("%s is read as %s, want %s", src, got, want)
		}
	}
}

func spelled(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Binary:
		return fmt.Sprintf("(%s %s %s)", spelled(e.L), e.Op, spelled(e.R))
	case *ast.Unary:
		return fmt.Sprintf("(%s %s)", e.Op, spelled(e.X))
	case *ast.Was:
		return fmt.Sprintf("(last was %s)", spelled(e.Value))
	case *ast.EachCmp:
		return fmt.Sprintf("(%s %s %s %s)", e.Kind, spelled(e.Set), e.Op, spelled(e.R))
	case *ast.Quant:
		return fmt.Sprintf("(%s %s in %s: %s)", e.Kind, e.Var.Name, spelled(e.Set), spelled(e.Body))
	case *ast.Of:
		return "(my " + e.Group.Name + ")"
	case *ast.Int:
		return e.Text
	}
	return e.(*ast.Name).Name
}

func TestPictures(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"{ 0 | 3 1 0 }":                 "0|310",
		"{ _ | 0 [2] | _\n | 1 [_] | }": "_|0[2]|_/|1[_]|",
		"{\n|\n}":                       "|",
	} {
		file, diags := Parse("t.sow", []byte("position p "+src))
		if len(diags) > 0 {
			t.Errorf("%s: %v", src, diags)
			continue
		}
		if got := drawn(file.Decls[0].(*ast.Position).Picture); got != want {
			t.Errorf("%s is read as %s, want %s", src, got, want)
		}
	}
}

func drawn(p *ast.Picture) string {
	var rows []string
	for _, row := range p.Rows() {
		var parts []string
		for _, part := range row {
			text := ""
			for _, c := range part {
				text += drawnCell(c)
			}
			parts = append(parts, text)
		}
		rows = append(rows, strings.Join(parts, "|"))
	}
	return strings.Join(rows, "/")
}

func drawnCell(c ast.Cell) string {
	text := fmt.Sprint(c.Count)
	if c.Any {
		text = "_"
	}
	if c.Marked {
		return "[" + text + "]"
	}
	return text
}

func TestGuards(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		src  string
		code diag.Code
	}{
		"large":     {strings.Repeat(" ", MaxSize+1), diag.TooLarge},
		"NUL":       {"variant V {\n \x00 }", diag.NotText},
		"UTF-8":     {"variant V {\n \xff }", diag.NotText},
		"deep":      {"variant V { end when " + strings.Repeat("(", 100000) + "1", diag.Syntax},
		"prefixes":  {"variant V { end when " + strings.Repeat("not ", 100000) + "a }", diag.Syntax},
		"sums":      {"variant V { end when a = 1" + strings.Repeat("+1", 100000) + " }", diag.Syntax},
		"else":      {"variant V { move { if a { }" + strings.Repeat("else if a { }", 10000) + " } }", diag.Syntax},
		"elses":     {"variant V { move { " + strings.Repeat("if {b} { } else if {b} { } ", 1000) + " } }", diag.Syntax},
		"open text": {"import \"a", diag.Unclosed},
		"end":       {"variant V { param n = ", diag.Syntax},
		"end brace": {"variant V { move A { if a { ", diag.Unclosed},
	} {
		_, diags := Parse("t.sow", []byte(c.src))
		if len(diags) != 1 || diags[0].Code != c.code {
			t.Errorf("%s: %v", name, diags)
		}
	}
}

// TestItemBehindRange: what begins with a name behind a range without an upper end is the next
// item.
func TestItemBehindRange(t *testing.T) {
	for _, next := range []string{"pass when no other move", "South wins when k = 1", "mover loses when no move", "opponent wins L when no move"} {
		file, diags := Parse("t.sow", []byte("variant V { param k = 1 in 0.. "+next+" }"))
		if len(diags) > 0 {
			t.Errorf("%s: %v", next, diags)
			continue
		}
		if v := file.Decls[0].(*ast.Variant); len(v.Items) != 2 || v.Items[0].(*ast.Param).Hi != nil {
			t.Errorf("%s belongs to the range", next)
		}
	}
}

func TestGrammarIsDocumented(t *testing.T) {
	t.Parallel()
	const path = "../docs/grammar.ebnf"
	if *update {
		if err := os.WriteFile(path, []byte(Grammar()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(string(read(t, path)), Grammar()); d != "" {
		t.Errorf("%s is out of date; run the test with -update: %s", path, d)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("position p of V where each x in a : total(a[1..index(x)-1]) = 0\nclaim c { following s starting at p reverses V(n = 2) for all k }"))
	for _, pattern := range []string{"testdata/ok/*.sow", "testdata/errors/*.sow"} {
		for _, path := range glob(f, pattern) {
			f.Add(read(f, path))
		}
	}
	for _, text := range cost.Bombs(1 << 12) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		var file *ast.File
		var diags diag.List
		cost.Within(t, len(src), func() { file, diags = Parse("t.sow", src) })
		for _, d := range diags {
			if d.Range.End.Offset > len(src) || d.Range.Start.Offset > d.Range.End.Offset {
				t.Fatalf("%v has the range %+v in a file of %d bytes", d, d.Range, len(src))
			}
		}
		if !diags.HasErrors() {
			checkRanges(t, file)
		}
	})
}

// TestWrittenEnds: the notation of a move ends where the first statement begins.
func TestWrittenEnds(t *testing.T) {
	t.Parallel()
	for _, stmt := range []string{
		"k = 2", "b2 = 3", "k(p) = 2", "step(p)", "South moves next", "South wins", "capture b[2..2] into a", "take 1 from a into b",
	} {
		file, diags := Parse("t.sow", []byte("variant V { move { choose p in a written p index(p) "+stmt+" } }"))
		if diags.HasErrors() {
			t.Errorf("%s: %v", stmt, diags)
			continue
		}
		if m := file.Decls[0].(*ast.Variant).Items[0].(*ast.Move); len(m.Written) != 2 || len(m.Body) != 1 {
			t.Errorf("%s: %d parts of the notation and %d statements", stmt, len(m.Written), len(m.Body))
		}
	}
}
