package proofs_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// The figures of this file were computed by independent programs: two public explicit-state model
// checkers, programs in C++ and Python, a published Kalah solver.

func explore(t testing.TB, sys *rules.System, keep rules.Parts, q forward.Query) *forward.Result {
	t.Helper()
	in := interp.New(sys)
	starts := func(ctx context.Context, yield func(rules.State) error) error { return space.Starts(ctx, in, yield) }
	whole := game.Of(t.Context(), sys)
	r, err := forward.SearchGame(t.Context(), game.Keeping(whole, keep), starts, q, forward.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Stop != limit.Complete {
		t.Fatal(r.Reason)
	}
	return r
}

// TestDoseCounts: live states with a selected hole, without the stores; lose, stuck and win count
// transitions.
func TestDoseCounts(t *testing.T) {
	for _, c := range []struct{ n, x, starts, states, lose, stuck, win int }{
		{2, 4, 1, 32, 20, 12, 4},
		{2, 5, 4, 152, 80, 56, 4},
		{2, 8, 35, 1152, 424, 368, 4},
		{2, 12, 165, 5212, 1384, 1296, 4},
		{4, 8, 1, 332, 284, 56, 0},
	} {
		t.Run(fmt.Sprintf("n=%d,x=%d", c.n, c.x), func(t *testing.T) {
			sys := system(t, "../examples/dose2015.sow", ints("n", c.n, "stones", c.x))
			sl := slice.Keep(context.Background(), sys)
			selected := rules.Binary{Op: rules.Ne, L: rules.VarAt(0), R: rules.Const{Value: rules.None}}
			goesOn := rules.Conjunction(selected, rules.HasOutcome(rules.Live), rules.Not{X: rules.IsStuck})
			r := explore(t, sys, sl.Parts,
				forward.Query{Count: []rules.Expr{goesOn}, StuckTransitions: true})
			out := r.Stats.TransitionsByOutcome
			got := []int64{r.Stats.Starts, r.Counts[0], out["SR005"], out["stuck"], out["SR006"]}
			want := []int64{int64(c.starts), int64(c.states), int64(c.lose), int64(c.stuck), int64(c.win)}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("starts, states, lose, stuck, win: %v, want %v", got, want)
			}
		})
	}
}

// TestDoseFrontier: the thesis holds for n >= 5, and fails for n = 2 to 4 from some number of
// stones on. The choice of the first hole is not counted as a round.
func TestDoseFrontier(t *testing.T) {
	u := buildtest.File(t, "../examples/dose2015.sow")
	for _, c := range []struct{ n, x, rounds int }{{2, 4, 7}, {2, 5, 6}, {2, 8, 9}, {2, 12, 12}, {4, 8, -1}, {4, 9, 18}} {
		for _, engine := range []proofs.Engine{proofs.Forward, proofs.Backward} {
			if c.rounds < 0 && engine == proofs.Backward {
				continue // the backward set of n = 4 is not finite
			}
			inst := buildtest.Instances(t, u, "thesis", ints("n", c.n, "stones", c.x))[0]
			r := decide(t, inst, proofs.Options{Engine: engine, Bounds: limit.Bounds{MaxStates: 2_000_000}})
			switch {
			case c.rounds < 0:
				if r.Status != proofs.Proved {
					t.Errorf("n=%d x=%d %s: %s", c.n, c.x, engine, r.Status)
				}
			case r.Status != proofs.Refuted || len(r.Trace.Steps) != c.rounds+1:
				t.Errorf("n=%d x=%d %s: %s %s, want a play of %d rounds", c.n, c.x, engine, r.Status, r.Sentence(), c.rounds)
			}
		}
	}
}

// TestDoseClosedSet: backward from SR006 the set closes for any number of stones.
func TestDoseClosedSet(t *testing.T) {
	u := buildtest.File(t, "../examples/dose2015.sow")
	for n, want := range map[int]int{5: 22, 6: 28, 7: 28, 8: 28, 12: 28} {
		r := decide(t, buildtest.Instances(t, u, "thesis", ints("n", n))[0], proofs.Options{})
		if r.Status != proofs.Proved || r.Stats.Closed != want {
			t.Errorf("n=%d: %s with %d states, want proved with %d", n, r.Status, r.Stats.Closed, want)
		}
		if !reflect.DeepEqual(r.Scope.Unbounded, []string{"stones"}) {
			t.Errorf("n=%d: scope %v", n, r.Scope)
		}
	}
}

// TestDoseShortestPlay: for n = 2 and a stone in every hole, from hole01: C C A A C A A.
func TestDoseShortestPlay(t *testing.T) {
	sys := system(t, "../examples/dose2015.sow", ints("n", 2, "stones", 4))
	in := interp.New(sys)
	start := sys.EmptyStart()
	for i, free := range sys.Start.Free {
		if free {
			start.Seeds[i] = 1
		}
	}
	tr, err := in.Replay(start, []string{"hole01", "hole01 C", "C"})
	if err == nil {
		t.Errorf("a move without its hole is accepted: %v", tr)
	}
	at, moves := start, []string{"hole01"}
	for _, dir := range []string{"C", "C", "A", "A", "C", "A", "A"} {
		tr, err := in.Replay(start, moves)
		if err != nil {
			t.Fatal(err)
		}
		at = tr.Steps[len(tr.Steps)-1].State
		moves = append(moves, sys.Pits[at.Vars[0]].Name+" "+dir)
	}
	tr, err = in.Replay(start, moves)
	if err != nil {
		t.Fatal(err)
	}
	if o := tr.Steps[len(tr.Steps)-1].State.Outcome; o != sys.OutcomeNamed("SR006") {
		t.Errorf("the play ends with outcome %d", o)
	}
}

// TestKalahCounts: distinct states, finished ones, transitions and depth, by both capture rules.
func TestKalahCounts(t *testing.T) {
	for _, c := range []struct {
		m, n                                 int
		empty                                bool
		states, finished, transitions, depth int64
	}{
		{3, 3, false, 27_090, 14, 50_509, 22},
		{3, 3, true, 23_104, 14, 43_115, 21},
		{4, 2, false, 303_314, 15, 685_555, 28},
		{4, 2, true, 217_495, 15, 484_771, 26},
		{4, 3, false, 5_193_503, 21, 13_788_458, 33},
		{4, 3, true, 4_582_441, 21, 12_145_025, 30},
	} {
		t.Run(fmt.Sprintf("%d,%d,%v", c.m, c.n, c.empty), func(t *testing.T) {
			if c.m*c.n >= 12 && (tier.Short() || c.empty && !tier.Full()) {
				t.Skip("five million states")
			}
			r := explore(t, system(t, "../examples/kalah.sow", ints("m", c.m, "n", c.n, "empty_capture", c.empty)), rules.Parts{}, forward.Query{Depth: true})
			finished := int64(0)
			for _, n := range r.Stats.Finished {
				finished += n
			}
			got := []int64{r.Stats.States, finished, r.Stats.Transitions, int64(r.Stats.Depth)}
			if want := []int64{c.states, c.finished, c.transitions, c.depth}; !reflect.DeepEqual(got, want) {
				t.Errorf("states, finished, transitions, depth: %v, want %v", got, want)
			}
		})
	}
}

func TestKalahPerft(t *testing.T) {
	for _, c := range []struct {
		m, n  int
		empty bool
		want  []uint64
	}{
		{6, 4, true, []uint64{6, 35, 185, 942, 4685, 23169, 113959, 559885, 2743126}},
		{6, 4, false, []uint64{6, 35, 185, 942, 4690, 23233, 114430, 563055}},
		{3, 2, true, []uint64{3, 8, 19, 40, 81, 148, 257, 404}},
		{3, 2, false, []uint64{3, 8, 19, 40, 81, 150, 265, 431}},
	} {
		sys := system(t, "../examples/kalah.sow", ints("m", c.m, "n", c.n, "empty_capture", c.empty))
		start := sys.EmptyStart()
		for p, free := range sys.Start.Free {
			if free {
				start.Seeds[p] = c.n
			}
		}
		c.want = c.want[:len(c.want)+1-tier.Every(3)]
		got, err := forward.Perft(context.Background(), sys, start, len(c.want))
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("perft (%d,%d) %v: %v, %v, want %v", c.m, c.n, c.empty, got, err, c.want)
		}
	}
}

// TestWinnableBoards: the only winnable board for each number of beads, from cup 1 outwards.
func TestWinnableBoards(t *testing.T) {
	boards := [][]int{
		{1},
		{0, 2},
		{1, 2},
		{0, 1, 3},
		{1, 1, 3},
		{0, 0, 2, 4},
		{1, 0, 2, 4},
		{0, 2, 2, 4},
		{1, 2, 2, 4},
		{0, 1, 1, 3, 5},
		{1, 1, 1, 3, 5},
		{0, 0, 0, 2, 4, 6},
		{1, 0, 0, 2, 4, 6},
		{0, 2, 0, 2, 4, 6},
		{1, 2, 0, 2, 4, 6},
		{0, 1, 3, 2, 4, 6},
		{1, 1, 3, 2, 4, 6},
		{0, 0, 2, 1, 3, 5, 7},
		{1, 0, 2, 1, 3, 5, 7},
		{0, 2, 2, 1, 3, 5, 7},
	}
	u := buildtest.File(t, "../examples/tchoukaillon.sow")
	for i, want := range boards {
		r := decide(t, buildtest.Instances(t, u, "one_each", ints("beads", i+1))[0], proofs.Options{})
		if r.Status != proofs.Proved || len(r.Sets.Found) != 1 {
			t.Errorf("%d beads: %s, %d winnable boards", i+1, r.Status, len(r.Sets.Found))
			continue
		}
		if got := cups(r.System, r.Sets.Found[0]); !reflect.DeepEqual(got, want) {
			t.Errorf("%d beads: %v, want %v", i+1, got, want)
		}
	}
}

// cups lists the seeds from cup 1 outwards, without trailing zeroes.
func cups(sys *rules.System, s rules.State) []int {
	var list []int
	for i := 1; sys.PitNamed(fmt.Sprintf("cup%d", i)) != rules.None; i++ {
		list = append(list, s.Seeds[sys.PitNamed(fmt.Sprintf("cup%d", i))])
	}
	for len(list) > 0 && list[len(list)-1] == 0 {
		list = list[:len(list)-1]
	}
	return list
}

// TestBothDirections: forward and backward search reach the same verdict wherever both can answer.
func TestBothDirections(t *testing.T) {
	u := buildtest.File(t, "../examples/dose2015.sow")
	for n := 2; n <= 3; n += tier.Every(2) {
		for x := 2 * n; x <= 2*n+4; x++ {
			given := build.Settings(ints("n", n, "stones", x))
			f := decide(t, buildtest.Instances(t, u, "thesis", given)[0], proofs.Options{Engine: proofs.Forward})
			b := decide(t, buildtest.Instances(t, u, "thesis", given)[0], proofs.Options{Engine: proofs.Backward, Bounds: limit.Bounds{MaxStates: 200_000}})
			if b.Status != proofs.Unknown && (f.Status != b.Status || f.Trace != nil && len(f.Trace.Steps) != len(b.Trace.Steps)) {
				t.Errorf("n=%d x=%d: forward %s, backward %s", n, x, f.Status, b.Status)
			}
		}
	}
}
