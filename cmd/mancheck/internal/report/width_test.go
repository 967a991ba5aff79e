package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules/resolve"
)

// TestWidth: no line about the examples and proof files is too long, whatever comes of their claims.
func TestWidth(t *testing.T) {
	examples, _ := filepath.Glob("../../../../examples/*.sow")
	own, _ := filepath.Glob("../../../../proofs/*.sow")
	if len(examples) == 0 || len(own) == 0 {
		t.Fatal("no files")
	}
	for _, path := range append(examples, own...) {
		program, diags := dsl.Load(path, os.ReadFile)
		unit, more := resolve.Collect(program.Files)
		f := suite.File{Path: filepath.Base(path), Program: program}
		for _, decl := range unit.Claims {
			c, _ := unit.Claim(decl)
			f.Instances = append(f.Instances, c.Instances(nil, &more)...)
		}
		if diags.HasErrors() || more.HasErrors() {
			t.Fatal(diags, more)
		}
		for _, width := range []int{60, 80, 140} {
			fits(t, f, width)
		}
	}
}

func fits(t *testing.T, f suite.File, width int) {
	var out strings.Builder
	table := &Table{Text: Text{W: &out}, Width: width, Times: width == 140}
	table.Begin([]suite.File{f})
	for _, inst := range f.Instances {
		r := &proofs.Result{
			Checked:  proofs.ByReplay,
			Instance: inst, System: inst.System, Engine: proofs.Induction, Scope: proofs.ScopeOf(inst.System), Status: proofs.Proved,
			Reason: strings.Repeat("what was found ", 20), Stats: proofs.Stats{States: 1_234_567_890, Closed: 1_234_567_890},
		}
		if inst.Claim.Refuted {
			r.Status = proofs.Refuted
		}
		table.Item(&suite.Item{File: f.Path, Program: f.Program, Instance: inst, Result: r})
	}
	for _, line := range strings.Split(out.String(), "\n") {
		if utf8.RuneCountInString(line) > width {
			t.Errorf("%d columns: %s", width, line)
		}
	}
	if n := strings.Count(out.String(), "✓"); n == 0 {
		t.Errorf("no line for a claim of %s", f.Path)
	}
}
