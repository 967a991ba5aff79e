package backward_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

// agreement counts how many rule sets both directions could decide, and how many of those can be
// won from some but not all starts.
type agreement struct{ decided, mixed int }

// TestWinningStarts: the starts in the closed set are those from which a forward search finds a
// win.
func TestWinningStarts(t *testing.T) {
	var simple, any agreement
	for seed := range uint64(500 / tier.Every(5)) {
		r := rand.New(rand.NewPCG(seed, 2))
		sys := simpleSystem(r)
		someStarts(r, sys)
		simple.compare(t, sys, win)
	}
	gen := rulestest.System()
	for i := range 500 / tier.Every(5) {
		any.compare(t, gen.Example(i+1), 0)
	}
	if simple.decided < 150/tier.Every(5) || simple.mixed < 25/tier.Every(5) || any.decided < 50/tier.Every(5) {
		t.Errorf("too few: of the simple rules %+v, of any %+v", simple, any)
	}
}

// someStarts makes the starts all distributions of a few seeds over some pits. Other pits are
// empty, or one has a given number.
func someStarts(r *rand.Rand, sys *rules.System) {
	pits := r.Perm(len(sys.Pits))[:1+r.IntN(len(sys.Pits))]
	sys.Start.Free = set(len(sys.Pits), pits...)
	sys.Start.Cond = equal(all(pits...), number(2+r.IntN(5)))
	if len(pits) > 1 && r.IntN(3) == 0 {
		sys.Start.Cond = rules.Conjunction(sys.Start.Cond, equal(seedsIn(pits[0]), number(r.IntN(2))))
	}
}

func (a *agreement) compare(t *testing.T, sys *rules.System, outcome int) {
	t.Helper()
	ctx, in := context.Background(), interp.New(sys)
	most, bounded := space.MostSeeds(sys)
	if !bounded {
		t.Fatalf("no bound for the seeds of\n%s", sys.Canonical())
	}
	r, err := backward.Search(ctx, in, rules.HasOutcome(outcome), backward.Options{All: true, MaxSeeds: &most, Bounds: limit.Bounds{MaxStates: 5_000}})
	if err != nil || r.Stop != limit.Complete {
		return
	}
	starts := 0
	w, err := forward.WinningStarts(ctx, sys, func(ctx context.Context, yield func(rules.State) error) error {
		return space.Starts(ctx, in, func(s rules.State) error { starts++; return yield(s) })
	}, rules.HasOutcome(outcome), forward.Options{Bounds: limit.Bounds{MaxStates: 5_000}})
	if err != nil || w.Stop != limit.Complete {
		return
	}
	var got, want []rules.State
	for _, s := range r.Starts {
		got = append(got, s.State)
	}
	for _, s := range w.Starts {
		want = append(want, s.State)
	}
	slices.SortFunc(got, rules.State.Compare)
	slices.SortFunc(want, rules.State.Compare)
	if !slices.EqualFunc(got, want, rules.State.Equal) {
		t.Fatalf("backward %v, forward %v\n%s", got, want, sys.Canonical())
	}
	a.decided++
	if len(got) > 0 && 2*len(got) < starts {
		a.mixed++
	}
}
