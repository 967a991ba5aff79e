package report

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules/build"
)

// TestWidth: no line about the examples and proof files is too long, whatever comes of their
// claims.
func TestWidth(t *testing.T) {
	examples, _ := filepath.Glob("../../../examples/*.sow")
	own, _ := filepath.Glob("../../../proofs/*.sow")
	if len(examples) == 0 || len(own) == 0 {
		t.Fatal("no files")
	}
	for _, path := range append(examples, own...) {
		program, diags := dsl.Load(path, os.ReadFile)
		unit, more := build.Collect(program.Files)
		var items []*suite.Item
		for _, decl := range unit.Claims {
			c, _ := unit.Claim(decl)
			for _, inst := range c.Instances(nil, &more) {
				items = append(items, &suite.Item{File: filepath.Base(path), Program: program, Instance: inst})
			}
		}
		if diags.HasErrors() || more.HasErrors() {
			t.Fatal(diags, more)
		}
		decide(items)
		for _, width := range []int{60, 80, 140} {
			fits(t, items, width)
		}
		whole(t, items)
	}
}

// decide gives each item the verdict that is expected, with a long reason.
func decide(items []*suite.Item) {
	for _, i := range items {
		inst := i.Instance
		r := proofs.Undecided(inst, proofs.Induction, nil)
		r.Status, r.Checked, r.Scope = proofs.Proved, proofs.ByReplay, verdict.ScopeOf(inst.System)
		r.Found = verdict.Best{Positions: 1, Moves: slices.Repeat([]string{"what was found"}, 20)}
		r.Stats.States, r.Stats.Closed = 1_234_567_890, 1_234_567_890
		i.Result = r
		if inst.Claim.Refuted {
			i.Result.Status = proofs.Refuted
		}
	}
}

// lines are those of a table.
func lines(items []*suite.Item, table Table) []string {
	var out strings.Builder
	table.W = &out
	table.Begin(items)
	for _, i := range items {
		table.Item(i)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

func fits(t *testing.T, items []*suite.Item, width int) {
	t.Helper()
	list := lines(items, Table{Width: width, Times: width == 140, Brief: true, Merge: true})
	for _, line := range list {
		if utf8.RuneCountInString(line) > width {
			t.Errorf("%d columns: %s", width, line)
		}
	}
	if n := strings.Count(strings.Join(list, "\n"), "✓"); n == 0 {
		t.Errorf("no line for a claim of %s", items[0].File)
	}
}

// whole checks that nothing is cut where there is no terminal.
func whole(t *testing.T, items []*suite.Item) {
	t.Helper()
	list := lines(items, Table{Brief: true})[1:]
	for n, i := range items {
		v := entryOf(i)
		for _, cell := range []string{v.title(), v.Scope, v.Found} {
			if !strings.Contains(list[n], strings.TrimSpace(cell)) {
				t.Errorf("%q is not in %q", cell, list[n])
			}
		}
	}
}

func TestGrouped(t *testing.T) {
	for text, want := range map[string]string{
		"all 11951 reachable states from 1 start": "all 11,951 reachable states from 1 start",
		"there are 27090":                         "there are 27,090",
		"after 12345, 123 and `1234`":             "after 12,345, 123 and `1234`",
		"with n = 4096: 1000000 states.":          "with n = 4,096: 1,000,000 states.",
		"no pit2024 and no 2024a, x=5000":         "no pit2024 and no 2024a, x=5000",
		"99999999999999999999":                    "99999999999999999999",
	} {
		if got := Grouped(text); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
