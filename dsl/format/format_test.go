package format_test

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/format"
	"github.com/mancheck/mancheck/internal/cost"
	"github.com/mancheck/mancheck/internal/tier"
)

var update = flag.Bool("update", false, "write the golden files anew")

// sameMeaning compares trees without places, source and comments' places.
var sameMeaning = cmp.Options{
	cmp.FilterPath(func(p cmp.Path) bool {
		return p.Last().Type() == reflect.TypeFor[ast.At]() || strings.HasSuffix(p.Last().String(), "PathAt") ||
			p.Last().String() == ".Source" || p.Last().String() == ".Path"
	}, cmp.Ignore()),
}

// check formats src twice and reports what is wrong with the result.
func check(t interface{ Fatalf(string, ...any) }, src []byte) []byte {
	before, diags := dsl.Parse("x.sow", src)
	if diags.HasErrors() {
		t.Fatalf("the source has mistakes: %v", diags)
	}
	once, err := format.Source(before)
	if err != nil {
		t.Fatalf("%v", err)
	}
	after, diags := dsl.Parse("x.sow", once)
	if diags.HasErrors() {
		t.Fatalf("the result has mistakes: %v\n%s", diags, once)
	}
	if d := cmp.Diff(before, after, sameMeaning); d != "" {
		t.Fatalf("formatting changes the meaning: %s\n%s", d, once)
	}
	twice, err := format.Source(after)
	if err != nil || string(once) != string(twice) {
		t.Fatalf("formatting twice differs: %s", cmp.Diff(string(once), string(twice)))
	}
	return once
}

func sources(t testing.TB) []string {
	var out []string
	for _, pattern := range []string{"../testdata/ok/*.sow", "../testdata/format/*.in"} {
		out = append(out, glob(t, pattern)...)
	}
	return out
}

func glob(t testing.TB, pattern string) []string {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no files match %s (%v)", pattern, err)
	}
	return files
}

func read(t testing.TB, path string) []byte {
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func TestGolden(t *testing.T) {
	for _, path := range sources(t) {
		got := check(t, read(t, path))
		golden := strings.TrimSuffix(strings.TrimSuffix(path, ".in"), ".sow") + ".golden"
		if *update {
			if err := os.WriteFile(golden, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if d := cmp.Diff(string(read(t, golden)), string(got)); d != "" {
			t.Errorf("%s: %s", path, d)
		}
	}
}

// TestShipped: the rules files of the repository are laid out.
func TestShipped(t *testing.T) {
	for _, pattern := range []string{"../../examples/*.sow", "../../examples/family/*.sow", "../../proofs/*.sow"} {
		for _, path := range glob(t, pattern) {
			f, _ := dsl.Parse(path, read(t, path))
			out, err := format.Source(f)
			if err != nil {
				t.Error(err)
			} else if d := cmp.Diff(string(read(t, path)), string(out)); d != "" {
				t.Errorf("%s: %s", path, d)
			}
		}
	}
}

// TestLongLines looks for lines that are too long, in what has places enough to break them.
func TestLongLines(t *testing.T) {
	src := read(t, "../testdata/format/long.in")
	for i, line := range strings.Split(string(check(t, src)), "\n") {
		text, _, _ := strings.Cut(line, "  //")
		if n := len([]rune(text)); n > 100 && !strings.Contains(line, `"`) && !strings.Contains(line, "+ total") {
			t.Errorf("line %d has %d columns: %s", i+1, n, line)
		}
	}
}

func TestRefusesMistakes(t *testing.T) {
	f, _ := dsl.Parse("x.sow", []byte("variant {"))
	if out, err := format.Source(f); err == nil {
		t.Errorf("a file with mistakes became %q", out)
	}
}

// TestAnyLayout breaks the lines of the examples at random, strews comments in, and expects the
// same meaning after formatting.
func TestAnyLayout(t *testing.T) {
	var texts []string
	for _, path := range sources(t) {
		texts = append(texts, string(read(t, path)))
	}
	rapid.Check(t, func(t *rapid.T) {
		src := []byte(rapid.SampledFrom(texts).Draw(t, "example"))
		for range rapid.IntRange(0, 20).Draw(t, "changes") {
			i := rapid.IntRange(0, len(src)-1).Draw(t, "place")
			with := rapid.SampledFrom([]string{"\n", "\n\n\n", " // c\n", "\n// own\n", "\n\n// own\n\n", " ", "\t", " ; "}).Draw(t, "what")
			changed := append(append(append([]byte{}, src[:i]...), with...), src[i:]...)
			if _, diags := dsl.Parse("x.sow", changed); len(diags) == 0 {
				src = changed
			}
		}
		check(t, src)
	})
}

// formatted formats a text if it has no mistakes.
func formatted(src []byte) diag.List {
	file, diags := dsl.Parse("x.sow", src)
	if !diags.HasErrors() {
		format.Source(file)
	}
	return diags
}

// TestBombs formats files that are made to take time or memory.
func TestBombs(t *testing.T) {
	for name, text := range cost.Bombs(1 << 14 / tier.Every(4)) {
		t.Run(name, func(t *testing.T) {
			cost.Within(t, len(text), func() { formatted([]byte(text)) })
		})
	}
}

// TestLineEnds: lines end as most of them did, and what is laid out stays as it is.
func TestLineEnds(t *testing.T) {
	t.Parallel()
	const laid = "variant V {\n  board {\n    a | b\n  }\n  // a\n  setup { a = 1 }\n  move { require a > 0 take 1 from a into b }\n}\n"
	for _, text := range []string{laid, strings.ReplaceAll(laid, "\n", "\r\n"), "\r\n" + laid} {
		got, err := format.Source(&ast.File{Path: "v.sow", Source: []byte(text)})
		if want := strings.TrimPrefix(text, "\r\n"); err != nil || string(got) != want {
			t.Errorf("%q: %v, %q", text, err, got)
		}
	}
}

func FuzzFormat(f *testing.F) {
	for _, path := range sources(f) {
		f.Add(read(f, path))
	}
	for _, text := range cost.Bombs(1 << 7) { // comparing trees takes long if they are deep
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		var diags diag.List
		cost.Within(t, len(src), func() { diags = formatted(src) })
		if !diags.HasErrors() {
			check(t, src)
		}
	})
}
