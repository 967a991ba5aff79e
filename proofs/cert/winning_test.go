package cert

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

// TestRandomWinning: the states from which a backward search reaches a win show how many starts can
// be won, as a forward search counts them, and no other number. Without one of the states, or with
// a number of moves that is too small, they are rejected, or leave the question open.
func TestRandomWinning(t *testing.T) {
	gen := rulestest.System()
	accepted, forged, some := 0, 0, 0
	for i := 0; i < 2500; i += tier.Every(25, 4) {
		sys := gen.Example(i + 1)
		r := rand.New(rand.NewPCG(uint64(i), 9))
		in := interp.New(sys)
		starts := func(ctx context.Context, yield func(rules.State) error) error { return space.Starts(ctx, in, yield) }
		truth, err := forward.WinningStarts(t.Context(), sys, starts, sys.SomebodyHasWon(), forward.Options{Bounds: limit.Bounds{MaxStates: 3000}})
		if err != nil || truth.Stop != limit.Complete {
			continue
		}
		opt := backward.Options{All: true, Bounds: limit.Bounds{MaxStates: 2000}}
		if n, bounded := space.MostSeeds(sys); bounded {
			opt.MaxSeeds = &n
		}
		found, err := backward.Search(t.Context(), in, sys.SomebodyHasWon(), opt)
		if err != nil || found.Stop != limit.Complete {
			continue
		}
		var states []rules.State
		var moves []int
		for n, size := range found.Levels {
			for range size {
				states, moves = append(states, found.State(len(states))), append(moves, n)
			}
		}
		lemmas := shape.Of(t.Context(), in).Lemmas
		kept := found.Kept.Kept
		check := func(number int, states []rules.State, moves []int) error {
			st := &statement{
				sys: sys, proves: true, tries: maxListed,
				says: winners{&build.Count{Set: build.CountWinning, Where: rules.True, Op: rules.Eq, Value: number}},
			}
			e := NewWinning(sys, kept, lemmas, opt.MaxSeeds, states, moves)
			return e.check(t.Context(), st, &Report{})
		}
		n := len(truth.Starts)
		err = check(n, states, moves)
		if errors.As(err, new(*NeedsSolver)) {
			continue
		}
		if err != nil {
			t.Fatalf("rules %d: %v\n%s", i, err, sys.Canonical())
		}
		accepted++
		if n > 0 {
			some++
		}
		if err := check(n+1, states, moves); err == nil {
			t.Fatalf("rules %d: another number is accepted\n%s", i, sys.Canonical())
		}
		if len(states) == 0 {
			continue
		}
		k := r.IntN(len(states))
		less, fewer := slices.Delete(slices.Clone(states), k, k+1), slices.Delete(slices.Clone(moves), k, k+1)
		if err := check(n, less, fewer); err == nil && startIn(truth, states[k], found) {
			t.Fatalf("rules %d: accepted without %v\n%s", i, states[k], sys.Canonical())
		}
		if moves[k] > 0 {
			low := slices.Clone(moves)
			low[k] = 0
			if err := check(n, states, low); err == nil {
				t.Fatalf("rules %d: accepted with no moves from %v\n%s", i, states[k], sys.Canonical())
			}
			forged++
		}
	}
	t.Logf("%d accepted, %d with starts that can be won, %d forgeries", accepted, some, forged)
	if few := tier.Every(50, 10); accepted < 100/few || some < 40/few || forged < 25/few {
		t.Error("too few")
	}
}

// startIn reports whether a state is a start that can be won, on the kept parts.
func startIn(truth *forward.Winning, st rules.State, found *backward.Result) bool {
	return slices.ContainsFunc(truth.Starts, func(s forward.WinningStart) bool {
		if s.State.Mover != st.Mover || s.State.Outcome != st.Outcome {
			return false
		}
		for p, n := range s.State.Seeds {
			if found.Kept.HasPit(p) && n != st.Seeds[p] {
				return false
			}
		}
		return true
	})
}
