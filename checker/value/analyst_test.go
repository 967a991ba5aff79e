package value

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

// TestAnalyst: what an analysis says to be proved of positions of random games is so, whenever it
// is ended, and its moves are legal.
func TestAnalyst(t *testing.T) {
	tb := t
	defer func(n int) { learnGames = n }(learnGames)
	learnGames = 20
	positions, known, narrow := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		sys := rapid.Custom(func(r *rapid.T) *rules.System { return buildtest.TwoRows(tb, r) }).Draw(t, "rules")
		p := Payoff{Endless: rapid.SampledFrom([]Endless{NoValue, Even, AsScored}).Draw(t, "endless")}
		if sys.Scores != nil && rapid.Bool().Draw(t, "margin") {
			p.Kind = Margin
		}
		in := interp.New(sys)
		var starts []rules.State
		if err := space.Starts(t.Context(), in, func(s rules.State) error { starts = append(starts, s.Clone()); return nil }); err != nil || len(starts) == 0 {
			t.Skip("there is no start")
		}
		start := starts[rapid.IntRange(0, len(starts)-1).Draw(t, "start")]
		all, err := Solve(t.Context(), sys, forward.From(start), p, forward.Options{Bounds: limit.Bounds{MaxStates: 5000, Threads: 1}})
		if err != nil || all.Stop != limit.Complete {
			t.Skip("the game has faults, or is too large")
		}
		a, err := NewAnalyst(t.Context(), sys, start, p, 1, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		if err := a.Learn(t.Context()); err != nil {
			t.Fatal(err)
		}
		st := start
		for range 20 {
			if !st.Live() {
				st = start
			}
			steps, err := in.Steps(st)
			if err != nil || len(steps) == 0 {
				return
			}
			study := Study{Nodes: int64(rapid.IntRange(1, 300).Draw(t, "nodes")), Moves: rapid.Bool().Draw(t, "moves")}
			if rapid.Bool().Draw(t, "by depth") {
				study = Study{Depth: rapid.IntRange(1, 12).Draw(t, "depth"), Moves: study.Moves}
			}
			found, err := a.Analyse(t.Context(), st, study)
			if err != nil {
				t.Fatal(err)
			}
			positions++
			right(t, all, st, found.Lo, found.Hi, found.Score)
			if found.Known() {
				known++
			} else if found.Lo > NoLower || found.Hi < NoUpper {
				narrow++
			}
			if len(found.Moves) != len(steps) {
				t.Fatalf("%d moves of %d", len(found.Moves), len(steps))
			}
			for _, m := range found.Moves {
				right(t, all, m.To, m.Lo, m.Hi, m.Score)
			}
			for at, i := st, 0; i < len(found.Line); i++ {
				to, legal, err := in.Do(at, found.Line[i])
				if err != nil || !legal {
					t.Fatalf("move %d of %v is not legal: %v", i, found.Line, err)
				}
				at = to
			}
			st = steps[rapid.IntRange(0, len(steps)-1).Draw(t, "move")].To
		}
	})
	if t.Logf("%d positions, %d known, %d bounded", positions, known, narrow); positions > 500 && (known < positions/10 || narrow < positions/10) {
		t.Error("too few")
	}
}

// right checks what was said of a state.
func right(t *rapid.T, all *Solution, st rules.State, lo, hi int, score float64) {
	t.Helper()
	least, most, ok := all.Value(st)
	if !ok || lo > least || hi < most {
		t.Fatalf("%v is worth %d to %d, and not %d to %d", st, least, most, lo, hi)
	}
	if score < float64(lo) || score > float64(hi) {
		t.Fatalf("%v: an estimate of %v, beyond %d to %d", st, score, lo, hi)
	}
}

// TestAnalystIsNeverSilent: there is an answer when no time is left at all.
func TestAnalystIsNeverSilent(t *testing.T) {
	sys := rulestest.Kalah(6, 4, false)
	st := rulestest.KalahStart(sys, 4)
	a, err := NewAnalyst(t.Context(), sys, st, Payoff{Kind: Margin}, 1, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	found, err := a.Analyse(ctx, st, Study{})
	if err != nil || len(found.Line) == 0 || len(found.Moves) != 6 || found.Known() {
		t.Errorf("%+v, %v", found, err)
	}
}

// TestAnalystWithoutTime: there is an answer however short the time is.
func TestAnalystWithoutTime(t *testing.T) {
	sys := buildtest.System(t, buildtest.Text(t, `variant Race {
  player A, B
  board { pile | taken }
  setup { pile = 7 }
  move { choose k in 1..2  require pile >= k  take k from pile into taken }
  opponent wins when pile = 0
}`), nil)
	st := buildtest.FirstStart(t, interp.New(sys))
	a, err := NewAnalyst(t.Context(), sys, st, Payoff{}, 1, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for range 1000 {
		if found, err := a.Analyse(t.Context(), st, Study{Time: 1}); err != nil || len(found.Line) == 0 {
			t.Fatalf("%+v, %v", found, err)
		}
	}
}

// TestEstimate: what is learnt tells more of the end of a game than the score does.
func TestEstimate(t *testing.T) {
	tier.Long(t, "finds the values of many positions")
	sys := rulestest.Kalah(3, 3, false)
	start := rulestest.KalahStart(sys, 3)
	all, err := Solve(t.Context(), sys, forward.From(start), Payoff{Kind: Margin}, forward.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := NewAnalyst(t.Context(), sys, start, Payoff{Kind: Margin}, 1, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if err := a.Learn(t.Context()); err != nil {
		t.Fatal(err)
	}
	byScore, byEstimate, n := 0.0, 0.0, 0
	flat := pack.NewFlat(sys)
	for i := range all.graph.Len() {
		all.graph.State(i, flat)
		st := flat.State(sys)
		if !st.Live() {
			continue
		}
		v, _, _ := all.Value(st)
		key, err := a.keyOf(st)
		if err != nil {
			t.Fatal(err)
		}
		score, more := float64(a.account(key)), float64(a.estimate.of(key))/float64(a.unit)
		byScore += (score - float64(v)) * (score - float64(v))
		byEstimate += (score + more - float64(v)) * (score + more - float64(v))
		n++
	}
	if t.Logf("%d states, squares of errors %.2f by the score, %.2f by the estimate", n, byScore/float64(n), byEstimate/float64(n)); byEstimate > 0.8*byScore {
		t.Error("the estimate is not much better")
	}
}
