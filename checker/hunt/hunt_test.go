package hunt_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/hunt"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// play plays a trace with the reference interpreter, and returns its states.
func play(t rapid.TB, sys *rules.System, p *forward.Trace) []rules.State {
	t.Helper()
	in := interp.New(sys)
	states := []rules.State{p.Start}
	for i, a := range p.Actions {
		to, legal, err := in.Do(states[i], a)
		if err != nil || !legal {
			t.Fatalf("move %d of the play: legal %v, %v", i+1, legal, err)
		}
		states = append(states, to)
	}
	return states
}

// few is a limit under which hunts end soon.
var few = limit.Bounds{MaxStates: 10_000, Threads: 1}

// TestGoals: a hunt finds only plays that lead to the goal, and none that an exhaustive search
// rules out. Where there are few states it finds most goals that can be reached.
func TestGoals(t *testing.T) {
	reached, found := 0, 0
	rulestest.Check(t, func(r *rapid.T) {
		sys := rulestest.System().Draw(r, "system")
		start := rulestest.State(sys, 6).Draw(r, "start")
		goal := rulestest.Claim(sys, false).Draw(r, "goal")
		if !start.Live() || rules.AsksFor(goal, rules.IsStart) {
			return
		}
		within := rapid.SampledFrom([]int{-1, 1, 4}).Draw(r, "within")
		starts := forward.From(start)
		res, err := hunt.Search(t.Context(), sys, starts, hunt.Aim{Goal: goal, Within: within, Beyond: -1}, hunt.Options{Bounds: few, Seed: 1})
		if err != nil {
			r.Fatal(err)
		}
		all, err := forward.Search(t.Context(), sys, starts, forward.Query{Goal: goal}, forward.Options{Bounds: limit.Bounds{MaxStates: 5_000, Threads: 1}, MaxDepth: max(within, 0)})
		if err == nil && all.Stop == limit.Found && all.Stats.States < 200 {
			reached++
			if res.Trace != nil {
				found++
			}
		}
		if res.Trace == nil {
			return
		}
		states := play(r, sys, res.Trace)
		holds, err2 := interp.New(sys).Holds(goal, states[len(states)-1], nil)
		if err2 != nil || !holds {
			r.Fatalf("the play ends in %v, where the goal holds: %v, %v", states[len(states)-1], holds, err2)
		}
		if within >= 0 && len(res.Trace.Actions) > within {
			r.Fatalf("a play of %d moves, and not of %d", len(res.Trace.Actions), within)
		}
		if err == nil && all.Stop == limit.Complete {
			r.Fatalf("an exhaustive search finds no such state")
		}
		if err == nil && all.Stop == limit.Found && len(all.Trace.Actions) > len(res.Trace.Actions) {
			r.Fatalf("a play of %d moves, where the shortest has %d", len(res.Trace.Actions), len(all.Trace.Actions))
		}
	})
	if reached > 20 && found*10 < reached*7 {
		t.Errorf("%d of %d goals that can be reached were met", found, reached)
	}
}

// TestSteps: the last step of a play is a bad one.
func TestSteps(t *testing.T) {
	rulestest.Check(t, func(r *rapid.T) {
		sys := rulestest.System().Draw(r, "system")
		start := rulestest.State(sys, 6).Draw(r, "start")
		from, bad := rulestest.Claim(sys, false).Draw(r, "from"), rulestest.Claim(sys, true).Draw(r, "bad")
		if !start.Live() || rules.AsksFor(from, rules.IsStart) || rules.AsksFor(bad, rules.IsStart) {
			return
		}
		aim := hunt.Aim{BadStep: forward.BadStep{From: from, Bad: bad}, Within: -1, Beyond: -1}
		res, err := hunt.Search(t.Context(), sys, forward.From(start), aim, hunt.Options{Bounds: few, Seed: 1})
		if err != nil {
			r.Fatal(err)
		}
		if res.Trace == nil {
			return
		}
		in, states := interp.New(sys), play(r, sys, res.Trace)
		n := len(states)
		if is, err := in.Holds(from, states[n-2], nil); err != nil || !is {
			r.Fatalf("the step begins in %v: %v", states[n-2], err)
		}
		if is, err := in.Holds(bad, states[n-1], &states[n-2]); err != nil || !is {
			r.Fatalf("the step leads to %v: %v", states[n-1], err)
		}
	})
}

// TestReturns: a play that comes back does, and a play that is too long is longer.
func TestReturns(t *testing.T) {
	rulestest.Check(t, func(r *rapid.T) {
		sys := rulestest.System().Draw(r, "system")
		start := rulestest.State(sys, 6).Draw(r, "start")
		if !start.Live() {
			return
		}
		beyond := rapid.SampledFrom([]int{-1, 0, 3}).Draw(r, "beyond")
		res, err := hunt.Search(t.Context(), sys, forward.From(start), hunt.Aim{Returns: true, Within: -1, Beyond: beyond}, hunt.Options{Bounds: few, Seed: 1})
		if err != nil {
			r.Fatal(err)
		}
		all, err := forward.Terminates(t.Context(), sys, forward.From(start), forward.Options{Bounds: limit.Bounds{MaxStates: 5_000, Threads: 1}})
		if res.Trace == nil {
			return
		}
		states, n := play(r, sys, res.Trace), len(res.Trace.Actions)
		switch {
		case res.Cycle > 0 && (!states[n].Live() || !states[n].Equal(states[n-res.Cycle])):
			r.Fatalf("the last %d moves do not lead back", res.Cycle)
		case res.Cycle == 0 && n <= beyond:
			r.Fatalf("a play of %d moves is not longer than %d", n, beyond)
		case err == nil && all.Stop == limit.Complete && all.Lasso == nil && (res.Cycle > 0 || len(all.Longest.Actions) < n):
			r.Fatalf("the longest play has %d moves, and this one %d", len(all.Longest.Actions), n)
		}
	})
}

// TestSame: the play does not depend on threads, and another limit that is not reached changes
// nothing.
func TestSame(t *testing.T) {
	sys := rulestest.Kalah(6, 4, false)
	goal := rules.Conjunction(rules.Not{X: rules.HasOutcome(rules.Live)}, rules.Binary{Op: rules.Eq, L: rules.PitAt(6), R: rules.Number(24)})
	start := rulestest.KalahStart(sys, 4)
	var first *forward.Trace
	for _, b := range []limit.Bounds{{MaxStates: 1_000_000, Threads: 1}, {MaxStates: 2_000_000, Threads: 2}} {
		res, err := hunt.Search(t.Context(), sys, forward.From(start), hunt.Aim{Goal: goal, Within: -1, Beyond: -1}, hunt.Options{Bounds: b, Seed: 1})
		if err != nil || res.Trace == nil {
			t.Fatalf("no play: %v %v", res, err)
		}
		states := play(t, sys, res.Trace)
		if end := states[len(states)-1]; end.Live() || end.Seeds[6] != 24 {
			t.Errorf("the play ends in %v", end)
		}
		if first == nil {
			first = res.Trace
		} else if len(first.Actions) != len(res.Trace.Actions) {
			t.Errorf("plays of %d and %d moves", len(first.Actions), len(res.Trace.Actions))
		}
	}
}

// TestNoneComesBack: in a play to a goal no state comes back.
func TestNoneComesBack(t *testing.T) {
	rulestest.Check(t, func(r *rapid.T) {
		sys := rulestest.System().Draw(r, "system")
		start := rulestest.State(sys, 6).Draw(r, "start")
		goal := rulestest.Claim(sys, false).Draw(r, "goal")
		if !start.Live() || rules.AsksFor(goal, rules.IsStart) {
			return
		}
		res, err := hunt.Search(t.Context(), sys, forward.From(start), hunt.Aim{Goal: goal, Within: -1, Beyond: -1}, hunt.Options{Bounds: few, Seed: 7})
		if err != nil {
			r.Fatal(err)
		}
		if res.Trace == nil {
			return
		}
		states := play(r, sys, res.Trace)
		for i, s := range states {
			for j := range i {
				if s.Equal(states[j]) {
					r.Fatalf("the states after %d and %d moves are equal", j, i)
				}
			}
		}
	})
}
