package forward

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// explore explores everything, and fails the test if that fails.
func explore(t testing.TB, sys *rules.System, starts Starts, q Query, opts Options) *Result {
	t.Helper()
	r, err := Search(context.Background(), sys, starts, q, opts)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestKalah pins the size of Kalah's state spaces, which independent programs have computed.
func TestKalah(t *testing.T) {
	for _, c := range []struct {
		m, n                                 int
		empty                                bool
		states, finished, transitions, depth int64
		long                                 bool
	}{
		{3, 3, false, 27090, 14, 50509, 22, false},
		{3, 3, true, 23104, 14, 43115, 21, false},
		{4, 2, false, 303314, 15, 685555, 28, false},
		{4, 2, true, 217495, 15, 484771, 26, false},
		{4, 3, false, 5193503, 21, 13788458, 33, true},
		{4, 3, true, 4582441, 21, 12145025, 30, true},
	} {
		t.Run(fmt.Sprintf("(%d,%d) %v", c.m, c.n, c.empty), func(t *testing.T) {
			if c.long && testing.Short() {
				t.Skip("a long search")
			}
			sys := rulestest.Kalah(c.m, c.n, c.empty)
			r := explore(t, sys, From(rulestest.KalahStart(sys, c.n)), Query{}, Options{})
			got := []int64{r.Stats.States, r.Stats.Finished["end"], r.Stats.Transitions, int64(r.Stats.Depth)}
			if want := []int64{c.states, c.finished, c.transitions, c.depth}; !reflect.DeepEqual(got, want) {
				t.Errorf("states, finished, transitions, depth: %d, want %d", got, want)
			}
			if r.Stop != Exhausted || r.Stats.Live+c.finished != c.states || r.Stats.Examined != r.Stats.Depth {
				t.Errorf("%v, %+v", r.Stop, r.Stats)
			}
			t.Logf("%.0f states/s, %.1f bytes a state", float64(c.states)/r.Stats.Seconds, float64(r.Stats.Bytes)/float64(c.states))
		})
	}
}

// solitaireStarts gives the starts of the solitaire with so many stones.
func solitaireStarts(sys *rules.System, stones int) Starts {
	return func(_ context.Context, yield func(rules.State) error) error {
		return rulestest.SolitaireStarts(sys, stones, yield)
	}
}

// withoutStores keeps all but the two last pits.
func withoutStores(sys *rules.System) *pack.Kept {
	kept := &pack.Kept{Pits: make([]bool, len(sys.Pits))}
	for p := range len(sys.Pits) - 2 {
		kept.Pits[p] = true
	}
	return kept
}

// TestSolitaire pins the state spaces of the DOSE 2015 solitaire, stores left out.
func TestSolitaire(t *testing.T) {
	for _, c := range []struct{ n, stones, starts, states, lose, stuck, win, fewest int64 }{
		{2, 4, 1, 32, 20, 12, 4, 7},
		{2, 5, 4, 152, 80, 56, 4, 6},
		{2, 8, 35, 1152, 424, 368, 4, 9},
		{2, 12, 165, 5212, 1384, 1296, 4, 12},
		{4, 8, 1, 332, 284, 56, 0, -1},
	} {
		t.Run(fmt.Sprintf("%d %d", c.n, c.stones), func(t *testing.T) {
			sys := rulestest.Solitaire(int(c.n))
			opts := Options{Keep: withoutStores(sys)}
			starts := solitaireStarts(sys, int(c.stones))
			q := Query{StuckTransitions: true, Count: []rules.Expr{selected}}
			r := explore(t, sys, starts, q, opts)
			by := r.Stats.TransitionsByOutcome
			got := []int64{r.Stats.Starts, r.Stats.Live - r.Stats.Starts, by["SR005"], by[rules.StuckLabel], by["SR006"]}
			if want := []int64{c.starts, c.states, c.lose, c.stuck, c.win}; !reflect.DeepEqual(got, want) {
				t.Errorf("starts, states, lose, stuck, win: %d, want %d", got, want)
			}
			won := explore(t, sys, starts, Query{Goal: rules.HasOutcome{Outcome: 0}}, opts)
			fewest := int64(-1)
			if won.Stop == GoalFound {
				fewest = int64(len(won.Trace.Actions)) - 1
			}
			if fewest != c.fewest {
				t.Errorf("fewest rounds to win: %d, want %d", fewest, c.fewest)
			}
		})
	}
}

var selected = rules.Binary{Op: rules.Ne, L: rules.VarRef{Table: []int{0}}, R: rules.Const{Value: rules.None}}
