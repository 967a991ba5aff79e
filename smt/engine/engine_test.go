package engine_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/smt/engine"
	"github.com/mancheck/mancheck/smt/solver"
)

// down is a game with a single play: from three seeds in a, each move takes one to b, and when a is
// empty the game is won.
const down = `
variant Down {
  board { a | b  line lap = a, b }
  setup { any where a = 3 }
  move when a > 0 { take 1 from a into b }
  win WON when a = 0
}
`

// about resolves the property of a claim about down.
func about(t *testing.T, text string) (*rules.System, build.Property) {
	t.Helper()
	return property(t, down, text)
}

// property resolves the property of a claim about a variant.
func property(t *testing.T, variant, text string) (*rules.System, build.Property) {
	t.Helper()
	inst := buildtest.Instances(t, buildtest.Text(t, variant+"claim c { "+text+" }"), "c", nil)
	return inst[0].System, inst[0].Property
}

// cond resolves a condition on a state of down.
func cond(t *testing.T, text string) (*rules.System, rules.Expr) {
	t.Helper()
	sys, p := about(t, "unreachable "+text)
	return sys, p.(*build.Reach).Target
}

// needSolver skips the test if no solver is installed.
func needSolver(t *testing.T) {
	t.Helper()
	s, err := solver.Open(context.Background(), "")
	if missing := new(solver.NotInstalled); errors.As(err, &missing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
}

func TestReach(t *testing.T) {
	needSolver(t)
	for _, c := range []struct {
		goal  string
		bound int
		want  engine.Status
		moves int
	}{
		{"start", 0, engine.Fails, 0},
		{"b = 2", 5, engine.Fails, 2},
		{"b = 2", 1, engine.Holds, 0},
		{"WON", 5, engine.Fails, 3},
		{"b = 4", 5, engine.Holds, 0},
	} {
		sys, goal := cond(t, c.goal)
		r, err := engine.Reach(t.Context(), sys, goal, c.bound, engine.Options{})
		if err != nil || r.Status != c.want || len(r.Play.Actions) != c.moves {
			t.Errorf("%s within %d: %+v, %v", c.goal, c.bound, r, err)
		}
	}
}

// TestInduct: b = 5 is never reached, but induction cannot show it: one seed in a and four in b are
// a state of the right shape.
func TestInduct(t *testing.T) {
	needSolver(t)
	for _, c := range []struct {
		inv  string
		want engine.Status
		step bool
	}{
		{"total(pit) = 3", engine.Holds, false},
		{"not (a = 0 and not WON)", engine.Holds, false},
		{"b /= 2", engine.Fails, false},
		{"b /= 5", engine.Unknown, true},
	} {
		sys, inv := cond(t, c.inv)
		r, err := engine.Induct(t.Context(), sys, inv, nil, 3, engine.Options{})
		if err != nil || r.Status != c.want || (r.Step != nil) != c.step {
			t.Errorf("%s: %+v, %v", c.inv, r, err)
		}
	}
	_, less := cond(t, "total(pit) = 3") // as a lemma it excludes five seeds
	sys, inv := cond(t, "b /= 5")
	if r, err := engine.Induct(t.Context(), sys, inv, []rules.Expr{less}, 3, engine.Options{}); err != nil || r.Status != engine.Holds || r.K != 1 {
		t.Errorf("with a lemma: %+v, %v", r, err)
	}
}

func TestEveryStep(t *testing.T) {
	needSolver(t)
	for claim, want := range map[string]engine.Status{
		"from true every step gives b = old b + 1":       engine.Holds,
		"from a = 1 every step gives WON":                engine.Holds,
		"from a >= 1 every step gives WON":               engine.Fails,
		"from WON every step gives false":                engine.Holds,
		"from b = 7 every step gives a < old a - 1":      engine.Fails,
		"from a > 1 every step gives a >= 1 and not WON": engine.Holds,
	} {
		sys, p := about(t, claim)
		e := p.(*build.EveryStep)
		r, err := engine.EveryStep(t.Context(), sys, e.From, e.Gives, e.Actions, nil, engine.Options{})
		if err != nil || r.Status != want || r.Empty != (claim == "from WON every step gives false") {
			t.Errorf("%s: %+v, %v", claim, r, err)
		}
	}
}

// TestFinder: the state with one seed in each pit has one predecessor, two in a and none in b, and
// leads to a win.
func TestFinder(t *testing.T) {
	needSolver(t)
	sys, goal := cond(t, "a = 1 and b = 1 and not finished")
	all := rules.Kept{Parts: rules.Parts{Pits: []bool{true, true}}}
	f, err := engine.NewFinder(t.Context(), sys, all, nil, 10, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	state := func(a, b int) rules.State { return rules.State{Seeds: []int{a, b}, Outcome: rules.Live} }
	for name, find := range map[string]func() ([]rules.State, error){
		"of a state": func() ([]rules.State, error) { return f.Predecessors(state(1, 1)) },
		"of a goal":  func() ([]rules.State, error) { return f.PredecessorsOf(goal) },
	} {
		if got, err := find(); err != nil || len(got) != 1 || !slices.Equal(got[0].Seeds, []int{2, 0}) {
			t.Errorf("predecessors %s: %v, %v", name, got, err)
		}
	}
	if got, err := f.Matching(goal); err != nil || len(got) != 1 {
		t.Errorf("matching: %v, %v", got, err)
	}
	for a, want := range map[int]bool{3: true, 2: false} {
		if got, err := f.StartsLike(state(a, 0)); err != nil || got != want {
			t.Errorf("a start with %d seeds: %v, %v", a, got, err)
		}
	}
}

func TestUndecided(t *testing.T) {
	for _, c := range []struct {
		err error
		is  bool
	}{{&engine.ErrUnsure{Solver: "s", Reason: "r"}, true}, {&interp.RuleError{}, false}, {errors.New("x"), false}} {
		if is := engine.Undecided(c.err); is != c.is {
			t.Errorf("%v: %v", c.err, is)
		}
	}
}
