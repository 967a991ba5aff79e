package backward_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/checker/slice/slicetest"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// fewSeeds bounds the states over which predecessors are looked for one by one.
const fewSeeds = 5

// graph is all steps between states of few seeds, by their end.
type graph struct {
	targets []rules.State
	preds   [][]backward.Pred
}

// allSteps lists the steps from all states of few kept seeds. Some random Systems break their own rules in
// some state; such a state has no steps here, as reported by the second result.
func allSteps(t *testing.T, in *interp.Interp, keep space.Kept) (g graph, faulty bool) {
	t.Helper()
	keep.Bounded, keep.MaxSeeds = true, fewSeeds
	live := rules.HasOutcome{Outcome: rules.Live}
	err := space.Matching(context.Background(), in, live, keep, func(s rules.State) error {
		steps, err := in.Steps(s)
		if err != nil {
			faulty = true
			return nil
		}
		for _, st := range steps {
			g.add(backward.Pred{State: s, Action: st.Action}, project(in.System(), keep, st.To))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return g, faulty
}

func (g *graph) add(p backward.Pred, to rules.State) {
	i := slices.IndexFunc(g.targets, to.Equal)
	if i < 0 {
		i = len(g.targets)
		g.targets, g.preds = append(g.targets, to), append(g.preds, nil)
	}
	g.preds[i] = append(g.preds[i], p)
}

func project(sys *rules.System, keep space.Kept, s rules.State) rules.State {
	s = s.Clone()
	for p, k := range keep.Pits {
		if !k {
			s.Seeds[p] = 0
		}
	}
	for v, k := range keep.Vars {
		if !k {
			s.Vars[v] = sys.Vars[v].Init
		}
	}
	return s
}

func samePreds(got, want []backward.Pred) bool {
	return slices.EqualFunc(got, want, func(p, q backward.Pred) bool { return p.Action == q.Action && p.State.Equal(q.State) })
}

// few leaves out predecessors with more seeds than were looked at, and sorts.
func few(preds []backward.Pred) []backward.Pred {
	out := slices.DeleteFunc(slices.Clone(preds), func(p backward.Pred) bool { return p.State.Total() > fewSeeds })
	slices.SortFunc(out, func(p, q backward.Pred) int {
		if c := p.State.Compare(q.State); c != 0 {
			return c
		}
		return p.Action - q.Action
	})
	return out
}

// Constructed predecessors are those found by trying all states.
func TestPreimageAgainstAllStates(t *testing.T) {
	compared, difficult := 0, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		sys := slicetest.Random(r, seed%8 != 0)
		in := interp.New(sys)
		keep := slice.Keep(sys).Kept
		g, faulty := allSteps(t, in, keep)
		if faulty {
			continue
		}
		for i, target := range g.targets {
			got, err := backward.Preimage(context.Background(), in, keep, target)
			if hard := new(backward.HardError); errors.As(err, &hard) {
				difficult++
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			compared++
			if got, want := few(got), few(g.preds[i]); !samePreds(got, want) {
				t.Fatalf("seed %d, target %v: predecessors %v, want %v\n%s", seed, target, got, want, sys.Canonical())
			}
		}
	}
	t.Logf("%d targets compared, %d hard", compared, difficult)
	if compared < 10*difficult {
		t.Errorf("%d targets compared, %d hard", compared, difficult)
	}
}
