package vet

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules/bind"
	"github.com/mancheck/mancheck/rules/build"
)

// instant is what is found in a file without playing. Claims are not resolved.
func instant(t testing.TB, path string) (diag.List, *dsl.Program) {
	t.Helper()
	program, diags := dsl.Load(path, os.ReadFile)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	unit, more := build.Collect(program.Files)
	symbols := bind.Bind(program.Files).Symbols
	diags = append(append(diags, more...), File(program, symbols)...)
	for _, v := range unit.Variants {
		sys, more := System(unit, v)
		diags = append(diags, more...)
		if !more.HasErrors() && sys.File == path {
			diags = append(diags, Variant(v, sys, program, symbols, unit.Defines)...)
		}
	}
	diags = Meant(diags, program.Files, false)
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
		diags, program := instant(t, path)
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
			diags, _ := instant(t, path)
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
		instant(b, path)
	}
}
