package vet

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
)

// instant is what is found in a file without playing. Claims are not resolved.
func instant(t testing.TB, path string, open func(string) ([]byte, error)) (diag.List, *dsl.Program) {
	t.Helper()
	program, diags := dsl.Load(path, open)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	f, more := input.Parsed(t.Context(), path, program)
	l := &look{File: f, ctx: t.Context(), checks: checks, found: Found{Diags: append(diags, more...)}}
	l.variants(aVariant)
	l.run(aFile)
	diags = meant(l.found.Diags, program.Files, path, aVariant)
	diags.Sort()
	return diags, program
}

var (
	announced = regexp.MustCompile(`//! ([A-Z]\d{3})((?: "[^"]*")+)`)
	text      = regexp.MustCompile(`"([^"]*)"`)
)

// TestAnnounced compares what is found in the files of testdata with the comments there: `//! CODE
// "part" "part"` stands on the line of each warning, with parts of its message and help.
func TestAnnounced(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/*.sow")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		diags, program := instant(t, path, os.ReadFile)
		for i, line := range strings.Split(string(program.Sources[path]), "\n") {
			for _, m := range announced.FindAllStringSubmatch(line, -1) {
				if !found(&diags, i+1, diag.Code(m[1]), text.FindAllStringSubmatch(m[2], -1)) {
					t.Errorf("%s:%d: missing %s%s", path, i+1, m[1], m[2])
				}
			}
		}
		for _, d := range diags {
			t.Errorf("unexpected: %v (%s)", d, d.Help)
		}
	}
}

// TestChecks compares the codes of the table with those that are explained, and with those that
// each check reports of testdata.
func TestChecks(t *testing.T) {
	t.Parallel()
	elsewhere := map[diag.Code]bool{diag.PlaceAsNumber: true, diag.Unmeant: true} // of the resolver, of comments
	inTable := map[diag.Code]bool{}
	for _, c := range checks {
		inTable[c.code] = true
	}
	for i := 1; i < 100; i++ {
		code := diag.Code(fmt.Sprintf("V%03d", i))
		if _, known := diag.Explain(code); known && inTable[code] == elsewhere[code] {
			t.Errorf("%s: in the table: %t", code, inTable[code])
		}
	}
	paths, _ := filepath.Glob("testdata/*.sow")
	for _, path := range paths {
		program, _ := dsl.Load(path, os.ReadFile)
		f, _ := input.Parsed(t.Context(), path, program)
		for _, c := range checks {
			l := &look{File: f, ctx: t.Context(), checks: []check{c}}
			l.variants(aVariant)
			l.run(aFile)
			for _, d := range l.found.Diags {
				if d.Code != c.code && d.Code != diag.PlaceAsNumber {
					t.Errorf("%s: a check for %s reports %s", path, c.code, d.Code)
				}
			}
		}
	}
}

// TestSharedBoards draws the boards of the files of testdata outside of their variants, each with
// the parameters, players and setup of its variant. That must not change what is found.
func TestSharedBoards(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("testdata/*.sow")
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		own, program := instant(t, path, os.ReadFile)
		text := sharing(program.Files[len(program.Files)-1])
		shared, _ := instant(t, path, func(string) ([]byte, error) { return []byte(text), nil })
		if a, b := told(own), told(shared); !slices.Equal(a, b) {
			t.Errorf("%s: on own boards\n%s\non shared boards\n%s\nof\n%s", path, strings.Join(a, "\n"), strings.Join(b, "\n"), text)
		}
	}
}

// sharing returns the text of a file with the boards of its variants behind them.
func sharing(f *ast.File) string {
	text := slices.Clone(f.Source)
	var boards strings.Builder
	// take blanks a part of the text, but for the ends of lines, and returns it.
	take := func(n ast.Node) string {
		r := n.Span()
		part := text[r.Start.Offset:r.End.Offset]
		was := string(part)
		for i, c := range part {
			if c != '\n' {
				part[i] = ' '
			}
		}
		return was
	}
	for _, decl := range f.Decls {
		v, is := decl.(*ast.Variant)
		if !is {
			continue
		}
		for _, b := range ast.Items[*ast.Board](v) {
			if b.Name != nil {
				continue
			}
			drawn := strings.TrimSuffix(strings.TrimPrefix(take(b), "board {"), "}")
			fmt.Fprintf(&boards, "board on_%s {\n%s\n", v.Name.Name, drawn)
			copy(text[b.Range.Start.Offset:], "board on_"+v.Name.Name)
			for _, p := range ast.Items[*ast.Param](v) {
				fmt.Fprintln(&boards, take(p))
			}
			for _, p := range ast.Items[*ast.Players](v) {
				fmt.Fprintln(&boards, take(p))
			}
			for _, s := range ast.Items[*ast.Setup](v) {
				fmt.Fprintln(&boards, take(s))
			}
			fmt.Fprintln(&boards, "}")
		}
	}
	return string(text) + "\n" + boards.String()
}

// told lists codes and messages in order.
func told(diags diag.List) (list []string) {
	for _, d := range diags {
		list = append(list, fmt.Sprintf("%s %s", d.Code, d.Message))
	}
	slices.Sort(list)
	return list
}

// found takes a diagnostic that has these parts out of the list.
func found(list *diag.List, line int, code diag.Code, parts [][]string) bool {
next:
	for i, d := range *list {
		if d.Range.Start.Line != line || d.Code != code || d.Help == "" {
			continue
		}
		for _, p := range parts {
			if !strings.Contains(d.Message+"\n"+d.Help, p[1]) {
				continue next
			}
		}
		*list = append((*list)[:i:i], (*list)[i+1:]...)
		return true
	}
	return false
}

// TestShippedFilesAreQuiet looks at all rules files of the repository that are no test data.
func TestShippedFilesAreQuiet(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"examples/*.sow", "examples/family/*.sow", "proofs/*.sow", "proofs/values/*.sow"} {
		paths, err := filepath.Glob("../../../" + pattern)
		if err != nil || len(paths) == 0 {
			t.Fatal(paths, err)
		}
		for _, path := range paths {
			diags, _ := instant(t, path, os.ReadFile)
			for _, d := range diags {
				t.Errorf("%v", d)
			}
		}
	}
}

// BenchmarkInstant is what an editor waits for, but for claims: a file of some five hundred lines.
func BenchmarkInstant(b *testing.B) {
	one, err := os.ReadFile("../../../examples/kalah.sow")
	if err != nil {
		b.Fatal(err)
	}
	variant, _, _ := strings.Cut(string(one), "\nclaim")
	var src strings.Builder
	for n := 0; strings.Count(src.String(), "\n") < 500; n++ {
		src.WriteString(regexp.MustCompile(`variant Kalah`).ReplaceAllString(strings.ReplaceAll(variant, "position ", "position n"+string(rune('a'+n))), "variant Kalah"+string(rune('A'+n))))
	}
	path := filepath.Join(b.TempDir(), "long.sow")
	if err := os.WriteFile(path, []byte(src.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		instant(b, path, os.ReadFile)
	}
}
