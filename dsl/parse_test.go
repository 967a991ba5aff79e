package dsl

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl/diag"
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
	for _, path := range glob(t, "testdata/ok/*.sow") {
		if _, diags := Parse(path, read(t, path)); len(diags) > 0 {
			t.Errorf("%v", diags)
		}
	}
}

// expected is a diagnostic that a comment `//! CODE "part of it"` announces for its line. The text is
// looked for in message and help.
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
