package build_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
)

// unusedNames are declarations that no variant uses, with the names of all that follows from
// pictures.
const unusedNames = `
position unused_position where opposite(unused_a) = behind(next(unused_a along ccw)) and unused_b = before(unused_b along cw)
position unused_stores where next(unused_a along ccw_with_stores) = before(unused_a along cw_with_stores)
strategy unused_strategy = greatest seeds(opposite(behind(next(next(unused_a along ccw) along cw)))) + seeds(next(unused_a along ccw_with_stores)) + seeds(next(unused_a along cw_with_stores))
define unused_definition(p : pit) = opposite(behind(next(next(p along ccw) along cw)))
define unused_other(p : pit) = seeds(unused_definition(p)) + seeds(next(next(p along ccw_with_stores) along cw_with_stores))
procedure unused_procedure(p : pit) { sow p along ccw  sow p along cw  sow p along ccw_with_stores  sow p along cw_with_stores  capture opposite(p), behind(p) into p }
`

// gamesOf describes the games of a file: their Systems and the order of flat boards.
func gamesOf(t *testing.T, path string, read func(string) ([]byte, error)) map[string]string {
	t.Helper()
	program, diags := dsl.Load(path, read)
	u, more := build.Collect(program.Files)
	if diags = append(diags, more...); diags.HasErrors() {
		t.Fatal(diags)
	}
	games := map[string]string{}
	for _, v := range u.Variants {
		sys, diags := u.System(v, nil)
		if diags.HasErrors() {
			t.Fatalf("%s: %v", path, diags)
		}
		var order []string
		for _, p := range board.Order(sys) {
			order = append(order, sys.Pits[p].Name)
		}
		games[v.Name.Name] = strings.Join(order, " ") + "\n" + string(sys.Canonical())
	}
	return games
}

// TestUnusedChangesNothing: declarations that a variant does not use, in its file or in one that is
// imported, change nothing of its game.
func TestUnusedChangesNothing(t *testing.T) {
	var paths []string
	for _, pattern := range []string{"examples/*.sow", "examples/family/*.sow", "proofs/*.sow"} {
		found, err := filepath.Glob(filepath.Join("../..", pattern))
		if err != nil || len(found) == 0 {
			t.Fatal(pattern, err)
		}
		paths = append(paths, found...)
	}
	games := 0
	for i := 0; i < len(paths); i += tier.Every(9, 3) {
		path := paths[i]
		with := gamesOf(t, path, func(name string) ([]byte, error) {
			text, err := os.ReadFile(name)
			if name == path {
				text = append(text, unusedNames...)
			}
			return text, err
		})
		imported := gamesOf(t, path, func(name string) ([]byte, error) {
			if filepath.Base(name) == "unused.sow" {
				return []byte(unusedNames), nil
			}
			text, err := os.ReadFile(name)
			if name == path && !strings.HasPrefix(string(text), "language") {
				text = append([]byte("import \"unused.sow\"\n"), text...)
			}
			return text, err
		})
		for name, want := range gamesOf(t, path, os.ReadFile) {
			if games++; with[name] != want || imported[name] != want {
				t.Errorf("%s: %s is another game", path, name)
			}
		}
	}
	if games == 0 {
		t.Error("no games")
	}
}

// oneWay uses cw of what follows from its picture.
const oneWay = `
variant OneWay {
  board {
    u[n..1]
    a[1..n]
  }
  param n = 3 in 2..
  state way : lap = cw
  state mark : house = a1
  setup { a1 = 2 }
  move { choose p in house where p > 0  sow p along way  mark = last }
  win W when total(u) = 2 and some q in house : q > 0
}
`

// TestUsedDefinitions: a definition of the file counts if the variant uses it, itself or by others,
// and not where its name is that of a local.
func TestUsedDefinitions(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"define q = next(a1 along ccw)", "cw"},
		{"define far = next(a1 along ccw)\ndefine q = far", "cw"},
		{"USE define far(x : pit) = next(x along ccw)\ndefine near(x : pit) = far(x)", "ccw cw"},
		{"USE procedure near(x : pit) { sow x along ccw }", "ccw cw"},
		{"USE define near(far : pit) = seeds(far)\ndefine other = near(next(a1 along ccw))", "cw"},
	} {
		text, uses := strings.CutPrefix(c.text, "USE ")
		game := oneWay
		if uses && strings.Contains(text, "procedure") {
			game = strings.Replace(game, "mark = last", "near(a1)", 1)
		} else if uses {
			game = strings.Replace(game, "mark = last", "require near(a1) = near(a1)", 1)
		}
		sys := system(t, text+game, nil)
		var names []string
		for _, l := range sys.Laps {
			names = append(names, l.Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s: the laps are %s, want %s", c.text, got, c.want)
		}
	}
}

// TestFollowedLap: the game in which a strategy is followed has the laps that the strategy names
// behind those of the variant, and its variables have the same values.
func TestFollowedLap(t *testing.T) {
	u := buildtest.Text(t, oneWay+`
strategy far = greatest seeds(next(p along ccw)) + (1 if way = ccw else 0) + (2 if (ccw if p > 1 else way) = cw else 0)
strategy plain = greatest seeds(p)
claim c { following far  unreachable seeds(next(mark along ccw)) = 9 }
claim d { following plain  unreachable seeds(next(mark along ccw)) = 9 }
claim w { far wins wherever anything wins }`)
	plain := buildtest.System(t, u, nil)
	for claim, want := range map[string]string{"c": "cw ccw", "d": "cw", "w": "cw ccw"} {
		inst := buildtest.Instances(t, u, claim, nil)[0]
		sys := inst.System
		if w, is := inst.Property.(*build.StrategyWins); is {
			if string(sys.Canonical()) != string(plain.Canonical()) {
				t.Errorf("%s: the game without the strategy is another one", claim)
			}
			sys = w.Followed
		}
		var names []string
		for _, l := range sys.Laps {
			names = append(names, l.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: the laps are %s, want %s", claim, got, want)
		}
		if !slices.EqualFunc(sys.Vars, plain.Vars, func(x, y rules.Var) bool { return x.Name == y.Name && slices.Equal(x.Domain, y.Domain) }) ||
			!slices.EqualFunc(sys.Enums, plain.Enums, slices.Equal[[]string]) {
			t.Errorf("%s: variables %v of %v", claim, sys.Vars, sys.Enums)
		}
		if own := strings.HasPrefix(inst.Asserts(), "given"); own != (claim == "d") {
			t.Errorf("%s: %s", claim, inst.Asserts())
		}
	}
}

// TestClaimLeavesSystem: what a claim names is no part of its System.
func TestClaimLeavesSystem(t *testing.T) {
	u := buildtest.Text(t, oneWay+`
position far where opposite(mark) = next(mark along ccw)
claim a { unreachable opposite(mark) = next(mark along ccw) }
claim b { invariant far or (ccw if W else cw) = (cw if W else ccw) or way = ccw }
claim c { count(states where far) = 0 }`)
	want := string(buildtest.System(t, u, nil).Canonical())
	for _, claim := range []string{"a", "b", "c"} {
		if got := string(buildtest.Instances(t, u, claim, nil)[0].System.Canonical()); got != want {
			t.Errorf("%s is about\n%s", claim, got)
		}
	}
}

// TestSpareOfEverySize: a claim about every size names no lap that the rules do not use.
func TestSpareOfEverySize(t *testing.T) {
	u := buildtest.Text(t, oneWay+`
claim own { for all n >= 2: from W every step gives last = next(last along cw) }
claim spare { for all n >= 2: from W every step gives last = next(last along ccw) }`)
	for claim, refused := range map[string]bool{"own": false, "spare": true} {
		_, err := buildtest.Instances(t, u, claim, nil)[0].Uniform()
		var size *build.SizeError
		if is := errors.As(err, &size) && strings.Contains(err.Error(), "lap or relation"); is != refused {
			t.Errorf("%s: %v", claim, err)
		}
	}
}

// TestSpareAtStart: no game begins with a variable that holds a lap which the rules do not name.
func TestSpareAtStart(t *testing.T) {
	u := buildtest.Text(t, oneWay+`
position p {
  0 0 0
  2 0 0
} with way = ccw
claim c { starting at p  reachable W }`)
	c, diags := u.Claim(u.Claims[0])
	c.Instances(nil, &diags)
	if len(diags) != 1 || diags[0].Code != diag.OutOfRange {
		t.Error(diags)
	}
}
