package build_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// resolveAll resolves every variant with its defaults and every instance of every claim.
func resolveAll(path string) diag.List {
	prog, diags := dsl.Load(path, os.ReadFile)
	if diags.HasErrors() {
		return diags
	}
	u, more := build.Collect(prog.Files)
	diags = append(diags, more...)
	for _, v := range u.Variants {
		_, more := u.System(v, build.Settings{})
		diags = append(diags, more...)
	}
	for _, c := range u.Claims {
		claim, more := u.Claim(c)
		diags = append(diags, more...)
		claim.Instances(build.Settings{}, &diags)
	}
	diags.Sort()
	return diags
}

var expectation = regexp.MustCompile(`//! ([A-Z][0-9]{3}) "([^"]*)"`)

// TestDiagnostics reads files whose comments say what is wrong with their line: `//! R001 "part of
// the message"`. A fault that is not announced fails as much as an announced one that is not found.
func TestDiagnostics(t *testing.T) {
	files, err := filepath.Glob("testdata/*.sow")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test files: %v", err)
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) { checkDiagnostics(t, f) })
	}
}

func checkDiagnostics(t *testing.T, file string) {
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := resolveAll(file)
	used := make([]bool, len(got))
	for n, line := range strings.Split(string(src), "\n") {
		for _, m := range expectation.FindAllStringSubmatch(line, -1) {
			if !claimOne(got, used, n+1, m[1], m[2]) {
				t.Errorf("%s:%d: missing %s %q", file, n+1, m[1], m[2])
			}
		}
	}
	for i, d := range got {
		if !used[i] {
			t.Errorf("unexpected: %v", d)
		}
	}
}

func claimOne(got diag.List, used []bool, line int, code, text string) bool {
	for i, d := range got {
		if !used[i] && d.Range.Start.Line == line && string(d.Code) == code && strings.Contains(d.Message+" | "+d.Help, text) {
			used[i] = true
			return true
		}
	}
	return false
}

func TestExamplesResolve(t *testing.T) {
	files, _ := filepath.Glob("../../examples/*.sow")
	if len(files) < 5 {
		t.Fatalf("only %d examples", len(files))
	}
	for _, f := range files {
		if d := resolveAll(f); len(d) > 0 {
			t.Errorf("%s: %v", f, d)
		}
	}
}

// system resolves the only variant of a source text.
func system(t *testing.T, src string, given build.Settings, open ...string) *rules.System {
	t.Helper()
	f, diags := dsl.Parse("test.sow", []byte(src))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	u, _ := build.Collect([]*ast.File{f})
	sys, diags := u.System(u.Variants[0], given, open...)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return sys
}

const tiny = `
variant Tiny {
  param n = 2 in 1..4
  param seeds = 3 in 1..
  param wide = false
  player A, B
  board {
    b[n..1] | bs |
    a[1..n] | as |
    ring lap = a[1..n], as, b[1..n], bs
    ring back = reverse lap
    facing opposite a[i] = b[n+1-i]
    group house = a, b
    group store = as, bs
    owner A = a, as
    owner B = b, bs
  }
  state phase : {first, later} = first
  state mark each player : house = none
  setup { each house = seeds }
  move SOW when phase = first or wide {
    choose p in my house where p > 0
    choose d in { lap as f "FWD", back as b }
    sow p along d, skip their store + {h in my house where mark(mover) = h}
    mark(mover) = last
    phase = later
  }
  end when total(my house) = 0
  score A = as, B = bs
}
`

func TestBoard(t *testing.T) {
	sys := system(t, tiny, build.Settings{"n": {N: 3}})
	var names []string
	for _, p := range sys.Pits {
		names = append(names, p.Name)
	}
	if got, want := strings.Join(names, " "), "b3 b2 b1 bs a1 a2 a3 as"; got != want {
		t.Errorf("pits %s, want %s", got, want)
	}
	for a, b := range map[string]string{"a1": "b3", "a2": "b2", "b1": "a3"} {
		if got := sys.Pits[sys.Relations[0].To[sys.PitNamed(a)]].Name; got != b {
			t.Errorf("opposite %s is %s, want %s", a, got, b)
		}
	}
	lap, back := sys.Laps[0], sys.Laps[1]
	for i, p := range lap.Pits {
		q := lap.Next[p]
		if q != lap.Pits[(i+1)%len(lap.Pits)] || lap.Prev[q] != p || back.Next[q] != p || back.Prev[p] != q {
			t.Errorf("neighbours of %s are wrong", sys.Pits[p].Name)
		}
	}
}

// TestActions counts the ways to choose: players, houses, directions.
func TestActions(t *testing.T) {
	sys := system(t, tiny, build.Settings{"n": {N: 3}})
	if len(sys.Actions) != 2*3*2 {
		t.Errorf("%d actions, want 12", len(sys.Actions))
	}
	labels := map[string]int{}
	for _, a := range sys.Actions {
		labels[a.Label]++
	}
	if labels["FWD"] != 6 || labels["SOW"] != 6 {
		t.Errorf("labels %v", labels)
	}
}

func TestVariables(t *testing.T) {
	sys := system(t, tiny, nil)
	var got []string
	for _, v := range sys.Vars {
		got = append(got, v.Name)
	}
	if s := strings.Join(got, " "); s != "phase mark(A) mark(B)" {
		t.Errorf("variables %s", s)
	}
	if d := sys.Vars[1].Domain; len(d) != 5 || d[0] != rules.None {
		t.Errorf("domain of mark %v, want none and four houses", d)
	}
}

// TestHash changes with the meaning and not with the text.
func TestHash(t *testing.T) {
	base := system(t, tiny, nil).Hash()
	same := system(t, strings.ReplaceAll(tiny, "\n  ", "\n      // a comment\n "), nil).Hash()
	if base != same {
		t.Error("layout and comments change the hash")
	}
	for _, edit := range [][2]string{
		{"wide = false", "wide = true"},
		{"as, b[1..n], bs\n    ring back", "as, bs, b[1..n]\n    ring back"},
		{"p > 0", "p > 1"},
		{"as f", "as g"},
		{"phase = later\n", "phase = first\n"},
		{"seeds = 3 in", "seeds = 4 in"},
	} {
		if system(t, strings.Replace(tiny, edit[0], edit[1], 1), nil).Hash() == base {
			t.Errorf("the hash does not change with %q", edit[1])
		}
	}
}

func TestOpenParam(t *testing.T) {
	sys := system(t, tiny, nil, "seeds")
	if open := sys.OpenParams(); len(open) != 1 || sys.Params[open[0]].Name != "seeds" {
		t.Errorf("open parameters %v", open)
	}
	found := false
	rules.Walk(sys.Start.Cond, func(x rules.Expr) bool {
		_, ok := x.(rules.OpenParam)
		found = found || ok
		return true
	})
	if !found {
		t.Error("the setup does not mention the open parameter")
	}
}
