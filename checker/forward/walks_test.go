package forward

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestTerminatesOnDisk: levels of walks in files and a walk over the graph in memory agree whether
// all plays end, and on the length of the longest; plays that never end come back to a state.
func TestTerminatesOnDisk(t *testing.T) {
	ends, endless := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		starts := startsOf(sys)
		want, err := Terminates(t.Context(), sys, starts, Options{Bounds: limit.Bounds{MaxStates: 500}})
		if err != nil || want.Stop != limit.Complete {
			return
		}
		r := game.Of(t.Context(), sys)
		got, err := terminatesOnDisk(t.Context(), r, starts, Options{Spill: temporary(t), Bounds: limit.Bounds{MaxMemory: 16 << 20, Threads: rapid.IntRange(1, 2).Draw(t, "threads")}, tiny: true})
		if err != nil || got.Stop != limit.Complete || got.Ends != want.Ends || got.Stats.States != want.Stats.States {
			t.Fatalf("%+v %v, want %+v", got, err, want)
		}
		switch {
		case !want.Ends:
			endless++
			replayLasso(t, sys, got.Lasso)
		case want.Longest != nil:
			ends++
			if len(got.Longest.Actions) != len(want.Longest.Actions) {
				t.Fatalf("the longest play has %d moves, want %d", len(got.Longest.Actions), len(want.Longest.Actions))
			}
			replayFrom(t, sys, got.Longest.Start, got.Longest.Actions)
		}
	})
	if t.Logf("%d end, %d do not", ends, endless); (ends == 0 || endless == 0) && !testing.Short() {
		t.Error("one kind was never drawn")
	}
}

// replayFrom plays actions, and returns the last state.
func replayFrom(t *rapid.T, sys *rules.System, st rules.State, actions []int) rules.State {
	t.Helper()
	in := interp.New(sys)
	for _, a := range actions {
		steps, err := in.Steps(st)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, s := range steps {
			if s.Action == a {
				st, found = s.To, true
				break
			}
		}
		if !found {
			t.Fatalf("action %d is not legal in %v", a, st)
		}
	}
	return st
}

func replayLasso(t *rapid.T, sys *rules.System, l *Lasso) {
	t.Helper()
	if l == nil || len(l.Cycle) == 0 {
		t.Fatal("there is no lasso")
	}
	at := replayFrom(t, sys, l.Stem.Start, l.Stem.Actions)
	if back := replayFrom(t, sys, at, l.Cycle); !back.Equal(at) {
		t.Fatalf("the cycle leads from %v to %v", at, back)
	}
}

// TestSpill: a search that does not fit in memory goes on in files, and its result is that of one
// that fits.
func TestSpill(t *testing.T) {
	sys, starts := load(t, "kalah.sow", map[string]string{"m": "3", "n": "2"})
	want, err := Search(t.Context(), sys, starts, Query{}, Options{Whole: true})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Spill: t.TempDir(), Bounds: limit.Bounds{MaxMemory: 80 << 10}, Whole: true}
	if r, err := Search(t.Context(), sys, starts, Query{}, Options{Bounds: limit.Bounds{MaxMemory: o.MaxMemory}, Whole: true}); err != nil || !r.Hits(limit.Memory) {
		t.Fatalf("%+v %v: the states fit in memory", r, err)
	}
	for range 2 { // and again from the folder
		got, err := Search(context.Background(), sys, starts, Query{}, o)
		if err != nil || !reflect.DeepEqual(comparable(got), comparable(want)) {
			t.Fatalf("%v, %v, want %v", fmt.Sprintf("%+v", got), err, fmt.Sprintf("%+v", want))
		}
	}
}
