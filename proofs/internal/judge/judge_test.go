package judge

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/internal/tier"
)

// load parses a text, which has no mistakes of syntax.
func load(t *testing.T, src string) *ast.File {
	t.Helper()
	f, diags := dsl.Parse("test.sow", []byte(src))
	if diags.HasErrors() {
		t.Fatalf("%v\n%s", diags, src)
	}
	return f
}

func loadFile(t *testing.T, path string) string {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

func claims(f *ast.File) []*ast.Claim {
	var out []*ast.Claim
	for _, d := range f.Decls {
		if c, ok := d.(*ast.Claim); ok {
			out = append(out, c)
		}
	}
	return out
}

// decideAll gives the truths of all instances by name, with a ! behind those that are vacuous.
func decideAll(t *testing.T, src string, lim Limits) map[string]Instance {
	t.Helper()
	f := load(t, src)
	out := map[string]Instance{}
	for _, c := range claims(f) {
		for _, i := range Decide(f, c, lim) {
			out[i.Name] = i
		}
	}
	return out
}

// claimText is a file of one claim more.
func claimText(src, name, body string) string {
	return fmt.Sprintf("%s\nclaim %s { %s }\n", src, name, body)
}

// TestDose: figures of programs in other languages about the rows of two holes. Their states have a
// hole selected and a next round, and leave the stores out; transitions are counted between such
// states.
func TestDose(t *testing.T) {
	src := loadFile(t, "../../../examples/dose2015.sow")
	for _, row := range []struct{ stones, starts, states, lose, win, rounds int }{
		{4, 1, 32, 20, 4, 7}, {5, 4, 152, 80, 4, 6}, {8, 35, 1152, 424, 4, 9},
	} {
		with := fmt.Sprintf("with n = 2, stones = %d ", row.stones)
		for body, want := range map[string]Truth{
			fmt.Sprintf("count(starts) = %d", row.starts):          True,
			fmt.Sprintf("reachable SR006 within %d", row.rounds+1): True,
			fmt.Sprintf("reachable SR006 within %d", row.rounds):   False,
		} {
			f := load(t, claimText(src, "c", with+body))
			list := claims(f)
			if got := Decide(f, list[len(list)-1], Limits{})[0]; got.Truth != want {
				t.Errorf("%s%s: %v (%s), want %v", with, body, got.Truth, got.Why, want)
			}
		}
		states, ends := doseStates(t, src, row.stones)
		if states != row.states || ends["SR005"] != row.lose || ends["SR006"] != row.win {
			t.Errorf("%d stones: %d states, %v, want %+v", row.stones, states, ends, row)
		}
	}
}

// doseStates counts the boards without their stores, and the steps from them that end the game.
func doseStates(t *testing.T, src string, stones int) (int, map[string]int) {
	t.Helper()
	d := &decision{lim: Limits{}.orDefault(), budget: &budget{1 << 40}}
	d.file = collect([]*ast.File{load(t, src)})
	v := d.file.variants["SolitaireMancala"]
	values := map[string]value{"n": number(whole(2)), "stones": number(whole(stones))}
	c := d.play(v, settings{values: values})
	c.explore()
	boards, ends := map[string]bool{}, map[string]int{}
	for _, n := range c.nodes {
		key := fmt.Sprint(n.s.seeds[1:3], n.s.seeds[4:], n.s.vars)
		if n.s.vars[0].sign() < 0 || len(n.out) == 0 || boards[key] {
			continue
		}
		boards[key] = true
		for _, e := range n.out {
			if !e.step.to.live() {
				ends[c.outcomes[e.step.to.outcome-1].label]++
			}
		}
	}
	return len(boards), ends
}

// TestKalah: the numbers of plays and of states that other programs have counted.
func TestKalah(t *testing.T) {
	src := loadFile(t, "../../../examples/kalah.sow")
	perft := map[bool][]int{
		true:  {3, 8, 19, 40, 81, 148, 257, 404},
		false: {3, 8, 19, 40, 81, 150, 265, 431},
	}
	for empty, counts := range perft {
		for i, n := range counts {
			body := fmt.Sprintf("with m = 3, n = 2, empty_capture = %v count(plays of %d moves) = %d", empty, i+1, n)
			f := load(t, claimText(src, "perft", body))
			list := claims(f)
			if got := Decide(f, list[len(list)-1], Limits{}); got[0].Truth != True {
				t.Errorf("%s: %v, %s", body, got[0].Truth, got[0].Why)
			}
		}
	}
	if tier.Short() {
		return
	}
	f := load(t, src)
	for _, c := range claims(f) {
		switch c.Name.Name {
		case "positions_a", "positions_b", "final_positions":
			if got := Decide(f, c, Limits{States: 30_000, Steps: 1 << 40}); got[0].Truth != True {
				t.Errorf("%s: %v, %s", c.Name.Name, got[0].Truth, got[0].Why)
			}
		}
	}
}

// TestApart: the judge rests on the parser alone, the generator on nothing, and nothing of the
// product rests on either: only packages for tests do.
func TestApart(t *testing.T) {
	const module = "github.com/mancheck/mancheck/"
	const own, written = module + "proofs/internal/judge", module + "dsl/dsltest/"
	deps := depsOf(t, module+"dsl", own, own+"/reword", written+"gen", written+"gen/cover", module+"cmd/mancheck")
	parser := append(deps[module+"dsl"], module+"dsl", own, written+"gen", written+"gen/cover", own+"/reword")
	for _, pkg := range []string{own, own + "/reword", written + "gen", written + "gen/cover"} {
		for _, dep := range deps[pkg] {
			if strings.HasPrefix(dep, module) && !slices.Contains(parser, dep) {
				t.Errorf("%s imports %s", pkg, dep)
			}
		}
	}
	for _, dep := range deps[written+"gen"] {
		if strings.HasPrefix(dep, module) {
			t.Errorf("the generator imports %s", dep)
		}
	}
	for _, dep := range deps[module+"cmd/mancheck"] {
		if strings.HasPrefix(dep, own) || strings.HasPrefix(dep, written) {
			t.Errorf("cmd/mancheck imports %s, which is for tests only", dep)
		}
	}
}

// depsOf lists the packages that others depend on, directly or not.
func depsOf(t *testing.T, pkgs ...string) map[string][]string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list", "-f", `{{.ImportPath}} {{join .Deps " "}}`}, pkgs...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		deps[words[0]] = words[1:]
	}
	for _, pkg := range pkgs {
		if len(deps[pkg]) == 0 {
			t.Fatalf("%s depends on nothing", pkg)
		}
	}
	return deps
}

// lists is a game in which who takes the last seed wins, and Q begins.
const lists = `variant G {
  player P, Q
  board { a[1..2] | z }
  setup { a1 = 2, mover = Q }
  move { choose x in a where x > 0  take 1 from x into z }
  mover loses when total(a) = 0
}
claim p { for board in file "l.csv": value(start) for P = expected }
claim m { for board in file "l.csv": value(start) = expected }
claim w { for board in file "l.csv": winner(start) = Q }
`

// TestLists: boards of a list begin as the setup says. Q wins where an odd number of seeds is left.
// What is over is worth to P, who is declared first.
func TestLists(t *testing.T) {
	f := load(t, lists)
	got := map[string]string{}
	for _, c := range claims(f) {
		for _, b := range ast.All[*ast.ForBoards](c) {
			b.Text = []byte("a1,a2, z,expected\n1,0,1,-1\n1,1,0,1\n0,2,0,1\n0,0,2,1\n")
		}
		for _, i := range Decide(f, c, Limits{}) {
			got[c.Name.Name] += " " + i.Truth.String()
		}
	}
	want := map[string]string{
		"p": " true true true true",
		"m": " false false false true",          // to Q: 1, -1 and -1
		"w": " invalid invalid invalid invalid", // it does not use the last column
	}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestMatchless: a claim is vacuous if its condition alone shows that no state satisfies it. That
// no play comes to one is another thing.
func TestMatchless(t *testing.T) {
	rules := `variant A {
  board { a[1..2] | z
    ring lap = a, z }
  state k : 0..2 = 0
  setup { a2 = 1 }
  move M { sow a2 along lap }
  win W when z = 1
}
claim c { %s }`
	for property, want := range map[string]bool{
		"unreachable a2 = 0 and a2 = 1":                true,
		"unreachable a2 > 1 and a2 < 4 and a2 = 5":     true,
		"invariant seeds(a2) >= 0":                     true,
		"not reachable W and a1 < 0":                   true,
		"unreachable a1 = 3 and total(a) = 2 within 1": true,
		"unreachable a2 > 1 and a2 < 4":                false,
		"unreachable k = 1":                            false,
		"invariant a2 < 7":                             false,
		"unreachable W within 0":                       false,
	} {
		got := decideAll(t, fmt.Sprintf(rules, property), Limits{})["c"]
		if got.Truth != True || got.Vacuous != want {
			t.Errorf("%s: %v (%s), vacuous %v", property, got.Truth, got.Why, got.Vacuous)
		}
	}
}
