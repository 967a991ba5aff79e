package forward

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestKalahByRows pins the size of Kalah's state spaces, which independent programs have computed.
func TestKalahByRows(t *testing.T) {
	for _, c := range []struct {
		m, n                          int
		empty                         bool
		states, finished, transitions int64
		long                          bool
	}{
		{3, 3, false, 27090, 14, 50509, false},
		{3, 3, true, 23104, 14, 43115, false},
		{4, 2, false, 303314, 15, 685555, false},
		{4, 2, true, 217495, 15, 484771, false},
		{4, 3, false, 5193503, 21, 13788458, true},
		{4, 3, true, 4582441, 21, 12145025, true},
	} {
		if c.long && (tier.Short() || !c.empty && !tier.Full()) { // TestKalah has the other one
			continue
		}
		sys := rulestest.Kalah(c.m, c.n, c.empty)
		s := explore(t, sys, From(rulestest.KalahStart(sys, c.n)), Query{}, Options{rows: true}).Stats
		got, want := []int64{s.States, s.Finished["end"], s.Transitions}, []int64{c.states, c.finished, c.transitions}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("(%d,%d): states, finished, transitions:\n%s", c.m, c.n, d)
		}
		if s.Depth != unknownDepth {
			t.Errorf("(%d,%d) was searched by levels", c.m, c.n)
		}
	}
}

// TestOnlyStates: rows have no steps, so graphs, and whether all plays end, are found by levels.
func TestOnlyStates(t *testing.T) {
	sys := rulestest.Kalah(2, 2, false)
	r := game.Of(t.Context(), sys)
	g, _, err := Explore(t.Context(), r, startsOf(sys), Options{rows: true})
	if err != nil {
		t.Fatal(err)
	}
	all, err := Search(t.Context(), sys, startsOf(sys), Query{}, Options{rows: true})
	if err != nil || all.Stats.Depth != unknownDepth || g.Len() != int(all.Stats.States) {
		t.Errorf("the graph has %d states, and rows %d: %v", g.Len(), all.Stats.States, err)
	}
	for _, folder := range []string{"", t.TempDir()} {
		ends, err := Terminates(t.Context(), sys, startsOf(sys), Options{rows: true, Disk: folder})
		if err != nil || !ends.Ends {
			t.Errorf("in %q: %+v, %v", folder, ends, err)
		}
	}
}

// TestRowsAgree: rows find of random rules what levels find.
func TestRowsAgree(t *testing.T) {
	two := rapid.Custom(func(r *rapid.T) *rules.System { return buildtest.TwoRows(t, r) })
	for name, gen := range map[string]*rapid.Generator[*rules.System]{"any": rulestest.System(), "two rows": two} {
		rows, moving, few := 0, 0, tier.Every(11, 11)
		for i := 0; i < 2000; i += few {
			sys := gen.Example(i + 1)
			q := Query{StuckTransitions: i%3 == 0}
			claim := rulestest.Claim(sys, false)
			switch i % 16 {
			case 1, 5, 9, 13:
				q.Goal = claim.Example(i)
			case 3:
				q.Goal = rules.IsStuck
			case 11:
				q.Goal = rules.Binary{Op: rules.Or, L: rules.IsStuck, R: rules.HasOutcome(sys.Endless())}
			}
			for n := range i % 3 {
				q.Count = append(q.Count, claim.Example(2*i+n))
			}
			if byRowsToo(t, sys, q, limit.Bounds{MaxStates: 3000, Threads: 1 + i/16%3}) {
				rows++
				if rules.AsksFor(q.Goal, rules.IsStuck) {
					moving++
				}
			}
		}
		t.Logf("%s: %d by rows, %d of them without a stuck state", name, rows, moving)
		if rows < 350/few || moving < 40/few && !tier.Short() {
			t.Error("too few")
		}
	}
}

// TestGamesByRows: rows find of the games on small boards what levels find.
func TestGamesByRows(t *testing.T) {
	files, err := filepath.Glob("../../examples/*/*.sow")
	if err != nil {
		t.Fatal(err)
	}
	rows, few := 0, tier.Every(4, 2)
	for i, f := range append(files, "../../examples/kalah.sow", "../../examples/oware.sow", "../../examples/awari.sow") {
		if i%few > 0 {
			continue
		}
		u := buildtest.File(t, f)
		for k, size := range [][2]int{{2, 2}, {2, 3}, {3, 2}} {
			if few > 1 && k != i/few%3 {
				continue
			}
			for _, v := range u.Variants {
				sys, diags := u.System(v, build.Settings{"m": {N: size[0]}, "n": {N: size[1]}})
				if len(diags) == 0 && byRowsToo(t, sys, Query{}, limit.Bounds{MaxStates: 40_000, Threads: 1 + k}) {
					rows++
				}
			}
		}
	}
	if t.Logf("%d by rows", rows); rows < 20/few {
		t.Error("too few")
	}
}

// TestFaultOfLastResort: a fault of a guard is one also where another move is legal, unless
// `no other move` comes before it.
func TestFaultOfLastResort(t *testing.T) {
	for guard, fails := range map[string]bool{
		"no other move and 2 div south_store > 0": false, "2 div south_store > 0 and no other move": true,
		"south_store < 9 and no other move": false, "no other move": false,
	} {
		sys := buildtest.System(t, buildtest.Text(t, `
variant Rows {
  player South, North
  board {
    north_store | north[2..1] |
                | south[1..2] | south_store
  }
  setup { each house = 1 }
  move {
    choose from in my house where from > 0
    sow from along ccw_with_stores, skip their store
  }
  pass when `+guard+`
  end when total(house) = 0
}
`), nil)
		for _, byRows := range []bool{false, true} {
			r, err := Search(t.Context(), sys, startsOf(sys), Query{}, Options{rows: byRows, Whole: true})
			switch {
			case (err != nil) != fails:
				t.Errorf("%s, by rows %v: %+v, %v", guard, byRows, r, err)
			case err == nil && (r.Stats.Depth == unknownDepth) != byRows:
				t.Errorf("%s is searched another way", guard)
			}
		}
	}
}

// TestFoundInThreads: a thread that finds what none should be ends the others, whatever they do.
func TestFoundInThreads(t *testing.T) {
	sys := rulestest.Kalah(3, 3, false)
	start := From(rulestest.KalahStart(sys, 3))
	for i := range 500 / tier.Every(25, 5) {
		goal := rules.Binary{Op: rules.Ge, L: rules.Seeds(rules.Const{Value: 3}), R: rules.Const{Value: 5 + i%9}}
		r := explore(t, sys, start, Query{Goal: goal}, Options{rows: true, Bounds: limit.Bounds{Threads: 4}})
		want := explore(t, sys, start, Query{Goal: goal}, Options{Bounds: limit.Bounds{Threads: 1}})
		if r.Stop != want.Stop || len(r.Trace.Actions) != len(want.Trace.Actions) {
			t.Fatalf("%v: %+v, want %+v", goal, r, want)
		}
	}
}

// byRowsToo searches both ways and compares the results. It reports whether rows suit the rules.
func byRowsToo(t *testing.T, sys *rules.System, q Query, bounds limit.Bounds) bool {
	t.Helper()
	levels := q
	levels.Depth = true
	want, failed := Search(t.Context(), sys, startsOf(sys), levels, Options{Bounds: bounds, Whole: true})
	got, err := Search(t.Context(), sys, startsOf(sys), q, Options{Bounds: bounds, rows: true, Whole: true})
	if (err == nil) != (failed == nil) {
		t.Fatalf("%v, by levels: %v\n%s", err, failed, sys.Canonical())
	}
	if err != nil || got.Stats.Depth != unknownDepth {
		return false
	}
	if d := cmp.Diff(withoutDepth(want), withoutDepth(got)); d != "" {
		t.Fatalf("by levels and by rows:\n%s\n%s", d, sys.Canonical())
	}
	return true
}

// withoutDepth returns a result without what rows do not find.
func withoutDepth(r *Result) Result {
	out := *r
	out.Stats.Depth, out.Stats.Examined, out.Stats.Bytes, out.Stats.Seconds = 0, 0, 0, 0
	return out
}
