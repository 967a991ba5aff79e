package forward

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestLassoRandom: a walk without limits finds an infinite play if and only if there is one.
func TestLassoRandom(t *testing.T) {
	rulestest.Check(t, func(t *rapid.T) {
		sys, starts, n := drawSmall(t)
		got, err := FindLasso(context.Background(), sys, starts, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, ends := n.longest(); ends != (got == nil) {
			t.Fatalf("lasso %v, every play ends %v", got, ends)
		}
		if got == nil {
			return
		}
		play := replay(t, n, &got.Stem)
		whole := Trace{Start: got.Stem.Start, Actions: append(got.Stem.Actions, got.Cycle...)}
		round := replay(t, n, &whole)
		if len(got.Cycle) == 0 || !round[len(round)-1].Equal(play[len(play)-1]) {
			t.Fatal("the cycle does not close")
		}
	})
}

// TestLassoOfRing: a single seed goes round the given number of pits. No lasso is shorter, and the
// search for a shorter one ends.
func TestLassoOfRing(t *testing.T) {
	for n := 2; n <= 9; n++ {
		pits := make([]int, n)
		sys := &rules.System{
			Players: []string{""}, Pits: make([]rules.Pit, n), Relations: []rules.Relation{{Name: "opposite", To: make([]int, n)}},
			Moves: make([]rules.Move, 1), Outcomes: []rules.Outcome{{Label: rules.EndlessLabel, Kind: rules.EndlessOutcome}},
		}
		for p := range pits {
			pits[p], sys.Relations[0].To[p] = p, rules.None
			sys.Pits[p].Name = fmt.Sprint("p", p)
			sys.Actions = append(sys.Actions, rules.Action{Body: []rules.Stmt{rules.Sow{Source: rules.Const{Value: p}}}})
		}
		sys.Laps = []rules.Lap{rulestest.NewLap("lap", true, n, pits...)}
		start := sys.EmptyStart()
		start.Seeds[0] = 1
		got, err := FindLasso(t.Context(), sys, From(start), Options{})
		if err != nil || got == nil || len(got.Cycle) != n || len(got.Stem.Actions) > 0 {
			t.Errorf("%d pits: %v, %v", n, got, err)
		}
	}
}

// TestLassoFar: with 48 stones there are seventeen thousand million starts, but a lasso is close to
// the first.
func TestLassoFar(t *testing.T) {
	sys := rulestest.Solitaire(6)
	limited := Options{Bounds: limit.Bounds{MaxStates: 100_000}}
	got, err := FindLasso(context.Background(), sys, solitaireStarts(sys, 48), limited)
	if err != nil || got == nil {
		t.Fatalf("%v, %v", got, err)
	}
	again, err := FindLasso(context.Background(), sys, solitaireStarts(sys, 48), limited)
	if err != nil || !again.Stem.Start.Equal(got.Stem.Start) || again.length() != got.length() {
		t.Errorf("%v, then %v, %v", got, again, err)
	}
	none, err := FindLasso(context.Background(), sys, solitaireStarts(sys, 48), Options{Bounds: limit.Bounds{MaxStates: 20}})
	if none != nil || err != nil {
		t.Errorf("within 20 states: %v, %v", none, err)
	}
}

// TestPlays sums over the starts, and stops at its limit.
func TestPlays(t *testing.T) {
	rulestest.Check(t, func(t *rapid.T) {
		sys, starts, _ := drawSmall(t)
		const depth = 3
		want := make([]uint64, depth)
		all := uint64(0)
		err := starts(context.Background(), func(s rules.State) error {
			counts, err := Perft(context.Background(), sys, s, depth)
			for i, n := range counts {
				want[i] += n
				all += n
			}
			return err
		})
		if err != nil {
			t.Skip(err)
		}
		got, err := Plays(context.Background(), sys, starts, depth, all)
		if err != nil || !slices.Equal(append(got, make([]uint64, depth-len(got))...), want) {
			t.Fatalf("%d, %v, want %d", got, err, want)
		}
		if _, err := Plays(context.Background(), sys, starts, depth, all-1); all > 1 && !errors.Is(err, ErrPlays) {
			t.Fatalf("beyond the limit: %v", err)
		}
	})
}
