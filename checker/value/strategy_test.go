package value

import (
	"context"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

var fewStates = Limits{Kept: 1 << 16, Explored: 1 << 16}

// TestStrategies: by search and by retrograde analysis, there is a strategy for a bound if and only
// if the value keeps it. What strategies show is checked in proofs/cert.
func TestStrategies(t *testing.T) {
	searched := 0
	rulestest.Check(t, func(r *rapid.T) {
		sys := buildtest.TwoRows(t, r)
		payoff := Payoff{Kind: Kind(rapid.IntRange(0, 1).Draw(r, "kind")), Endless: Endless(rapid.IntRange(0, 2).Draw(r, "endless"))}
		_, starts := explore(r, sys)
		s, err := Solve(context.Background(), sys, forward.From(starts...), payoff, forward.Options{})
		if err != nil {
			r.Skip(err)
		}
		starts = slices.DeleteFunc(starts, func(st rules.State) bool { return !st.Live() })
		for _, st := range starts {
			lo, hi, _ := s.Value(st)
			for _, side := range []Side{{false, lo, nil}, {false, lo + 1, nil}, {true, hi, nil}, {true, hi - 1, nil}} {
				if side.From = []rules.State{st}; side.Bound < -1000 || side.Bound > 1000 || payoff.Kind == Result && (side.Bound < -1 || side.Bound > 1) {
					continue
				}
				if finds(r, sys, side, payoff, !side.Below && side.Bound <= lo || side.Below && side.Bound >= hi) {
					searched++
				}
			}
		}
	})
	if searched == 0 {
		t.Error("no strategy was found by search")
	}
}

// finds compares whether a strategy is found with whether there is one. It reports whether a search
// could tell.
func finds(t *rapid.T, sys *rules.System, side Side, p Payoff, is bool) bool {
	list, err := provenBackward(context.Background(), sys, []Side{side}, p, Options{}, fewStates)
	if err != nil || (list[0] != nil) != is {
		t.Fatalf("backward, %v: %v, want %v (%v)", side, list, is, err)
	}
	if is {
		follows(t, sys, side, p, list[0])
	}
	list, err = provenBySearch(context.Background(), sys, []Side{side}, p, Options{}, fewStates.Kept)
	switch {
	case errors.Is(err, errRepeats), errors.Is(err, errDeep), errors.As(err, new(*OpenEndError)):
		return false
	case err != nil, (list[0] != nil) != is:
		t.Fatalf("by search, %v: %v, want %v (%v)", side, list, is, err)
	case is:
		follows(t, sys, side, p, list[0])
	}
	return is
}

// follows plays a strategy: each move that is to lead to a state of it, or to a finished one within
// the bound, does.
func follows(t *rapid.T, sys *rules.System, side Side, p Payoff, g *Guarantee) {
	j, err := newJudge(context.Background(), sys, p)
	if err != nil {
		t.Fatal(err)
	}
	in, keeper, parts := interp.New(sys), First, slice.Keep(context.Background(), sys, sys.Scores...).Parts
	if side.Below {
		keeper = Second
	}
	within := func(st rules.State) bool {
		v, err := j.stuck(), error(nil)
		if !st.Live() {
			v, err = j.of(st)
		} else if steps, err := in.Steps(st); err != nil || len(steps) > 0 {
			return false
		}
		return err == nil && (!side.Below && v.lo >= side.Bound || side.Below && v.hi <= side.Bound)
	}
	for i, st := range g.States {
		steps, err := in.Steps(st)
		if err != nil || len(steps) == 0 {
			t.Fatalf("%d moves of %v: %v", len(steps), st, err)
		}
		good := 0
		for _, step := range steps {
			k := slices.IndexFunc(g.States, func(s rules.State) bool { return same(parts, s, step.To) })
			if within(step.To) || k >= 0 && g.Numbers[k] <= g.Numbers[i] {
				good++
			}
		}
		if st.Mover == keeper && good == 0 || st.Mover != keeper && good < len(steps) {
			t.Fatalf("%d of %d moves of %v are good", good, len(steps), st)
		}
	}
}

// same reports whether two states agree in some parts.
func same(parts rules.Parts, a, b rules.State) bool {
	for p := range a.Seeds {
		if parts.HasPit(p) && a.Seeds[p] != b.Seeds[p] {
			return false
		}
	}
	for v := range a.Vars {
		if parts.HasVar(v) && a.Vars[v] != b.Vars[v] {
			return false
		}
	}
	return a.Mover == b.Mover && a.Outcome == b.Outcome
}
