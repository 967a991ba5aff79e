package forward

import (
	"reflect"
	"testing"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// TestReduced compares searches of least states with those of all states: every figure but those
// about what is stored, the lists of states, and the lengths of plays, which are replayed.
func TestReduced(t *testing.T) {
	for _, c := range []struct{ n, stones string }{{"1", "3"}, {"2", "4"}, {"2", "6"}, {"3", "7"}, {"3", "8"}, {"4", "9"}} {
		if c.n == "4" && tier.Short() {
			continue
		}
		sys, starts := load(t, "dose2015.sow", map[string]string{"n": c.n, "stones": c.stones})
		in := interp.New(sys)
		empty := rules.Binary{Op: rules.Eq, L: rules.PitAt(1), R: rules.Const{Value: 0}}
		for _, q := range []Query{
			{StuckTransitions: true},
			{StuckTransitions: true, States: true},
			{Count: []rules.Expr{rules.HasOutcome(rules.Live), rules.IsStuck}},
			{Count: []rules.Expr{empty}}, // not the same after a reflection
			{Goal: rules.HasOutcome(sys.OutcomeNamed("SR006"))},
			{Goal: rules.IsStuck},
		} {
			for _, kind := range kinds {
				whole := explore(t, sys, starts, q, Options{Whole: true, Bounds: limit.Bounds{Threads: 1}})
				some := explore(t, sys, starts, q, Options{tiny: true, Bounds: limit.Bounds{Threads: 2}, set: kind})
				if reducible := len(q.Count) != 1; c.n != "1" && reducible != (some.Stats.Symmetries > 1) {
					t.Errorf("n = %s: %d symmetries", c.n, some.Stats.Symmetries)
				}
				samePlay(t, in, q.Goal, whole, some)
				if whole.Stop == limit.Complete {
					compareReduced(t, c.n, whole, some)
				}
			}
		}
	}
}

// samePlay replays both plays and compares their lengths.
func samePlay(t *testing.T, in *interp.Interp, goal rules.Expr, a, b *Result) {
	t.Helper()
	if a.Stop != b.Stop || (a.Trace == nil) != (b.Trace == nil) {
		t.Fatalf("stopped as %v and %v", a.Stop, b.Stop)
	}
	if a.Trace == nil {
		return
	}
	if len(a.Trace.Actions) != len(b.Trace.Actions) {
		t.Errorf("plays of %d and %d moves", len(a.Trace.Actions), len(b.Trace.Actions))
	}
	s := b.Trace.Start
	if is, err := in.IsStart(s); !is || err != nil {
		t.Errorf("%v is no start: %v", s, err)
	}
	for _, action := range b.Trace.Actions {
		to, legal, err := in.Do(s, action)
		if !legal || err != nil {
			t.Fatalf("action %d is not legal in %v: %v", action, s, err)
		}
		s = to
	}
	if holds, err := in.Holds(goal, s, nil); !holds || err != nil {
		t.Errorf("the play ends in %v: %v", s, err)
	}
}

func compareReduced(t *testing.T, n string, whole, some *Result) {
	t.Helper()
	if whole.Stats.Stored <= some.Stats.Stored && some.Stats.Symmetries > 1 && n != "1" {
		t.Errorf("n = %s: %d states stored of %d", n, some.Stats.Stored, whole.Stats.Stored)
	}
	a, b := whole.Stats, some.Stats
	b.Stored, b.Symmetries, b.Bytes, b.Seconds = a.Stored, a.Symmetries, a.Bytes, a.Seconds
	if !reflect.DeepEqual(a, b) {
		t.Errorf("n = %s:\n%+v\n%+v", n, a, b)
	}
	if !reflect.DeepEqual(whole.Counts, some.Counts) || !reflect.DeepEqual(whole.Fired, some.Fired) || !reflect.DeepEqual(whole.Ended, some.Ended) {
		t.Errorf("n = %s: counts %v and %v, fired %v and %v", n, whole.Counts, some.Counts, whole.Fired, some.Fired)
	}
	if !reflect.DeepEqual(whole.States, some.States) {
		t.Errorf("n = %s: %d states listed, %d with symmetries", n, len(whole.States), len(some.States))
	}
}

// TestWholeGraphs asks questions about all plays of rules with symmetries. They need every state.
func TestWholeGraphs(t *testing.T) {
	sys, starts := load(t, "dose2015.sow", map[string]string{"n": "2", "stones": "6"})
	wins := rules.HasOutcome(sys.OutcomeNamed("SR006"))
	whole, err := Terminates(t.Context(), sys, starts, Options{Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	tiny, err := Terminates(t.Context(), sys, starts, Options{tiny: true})
	if err != nil || tiny.Ends != whole.Ends {
		t.Errorf("ends: %v, %v, want %v", tiny, err, whole.Ends)
	}
	all, err := WinningStarts(t.Context(), sys, starts, wins, Options{Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	some, err := WinningStarts(t.Context(), sys, starts, wins, Options{tiny: true})
	if err != nil || !reflect.DeepEqual(all.Starts, some.Starts) {
		t.Errorf("winning starts: %v, %v, want %v", some, err, all)
	}
}
