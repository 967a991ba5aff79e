package partial_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestOpen: each step from a state is among those that open play finds if only some parts of the
// state are known.
func TestOpen(t *testing.T) {
	states, steps := 0, 0
	var gaveUp, of [2]int // by whether there may be any number of seeds
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		kept, free := drawKept(t, sys), rapid.Bool().Draw(t, "any number of seeds")
		s := rulestest.State(sys, 9).Draw(t, "state")
		m := partial.New(t.Context(), sys)
		if free {
			kept.Pits = make([]bool, len(sys.Pits))
		} else {
			m.Bound(s.Total() + rapid.IntRange(0, 2).Draw(t, "more seeds"))
		}
		in := interp.New(sys)
		want, _, err := in.Legal(s)
		if err != nil {
			t.Fatal(err)
		}
		states++
		of[num.Truth(free)]++
		got, doubted, err := used(t, m).Open(blur(m, s, kept), kept)
		if errors.As(err, new(*partial.Intricate)) {
			gaveUp[num.Truth(free)]++
			return
		}
		if errors.As(err, new(*partial.Fault)) && faulty(in, sys, s) {
			return
		}
		if err != nil {
			t.Fatalf("%v, kept %v: %v\n%s", s, kept, err, sys.Canonical())
		}
		if faulty(in, sys, s) && !doubted {
			t.Fatalf("%v, kept %v: an action meets a fault, which nothing tells of\n%s", s, kept, sys.Canonical())
		}
		type step struct {
			action int
			key    string
		}
		found := map[step]bool{}
		for _, o := range got {
			key, err := m.Key(o.To, kept)
			if err != nil {
				t.Fatal(err)
			}
			found[step{o.Action, key}] = true
		}
		for _, w := range want {
			key, _ := m.Key(blur(m, w.To, kept), kept)
			if steps++; !found[step{w.Action, key}] {
				t.Fatalf("%v, kept %v: `%s` leads to %v, which is not among %v\n%s", s, kept, sys.ActionName(w.Action), w.To, got, sys.Canonical())
			}
		}
	})
	t.Logf("%d states, %d steps, %d given up", states, steps, gaveUp)
	if states >= 100 && (steps < states/3 || gaveUp[0] > of[0]/4 || gaveUp[1] > of[1]*2/3) {
		t.Errorf("%d states with %d steps, %d of %d given up", states, steps, gaveUp, of)
	}
}

// TestOpenStarts: each start is among those that open play finds, whatever the setup lays out.
func TestOpenStarts(t *testing.T) {
	starts, gaveUp := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		kept := drawKept(t, sys)
		kept.Pits = make([]bool, len(sys.Pits))
		m := partial.New(t.Context(), sys)
		list, _, err := m.Player().OpenStarts(kept)
		if err != nil {
			gaveUp++
			return
		}
		found := map[string]bool{}
		for _, s := range list {
			key, err := m.Key(s.To, kept)
			if err != nil {
				t.Fatal(err)
			}
			found[key] = true
		}
		laid := sys.EmptyStart()
		for p := range lists.Marked(sys.Start.Free) {
			laid.Seeds[p] = rapid.IntRange(0, 4).Draw(t, "seeds")
		}
		s, err := interp.New(sys).Start(laid)
		if errors.As(err, new(*interp.RuleError)) {
			return // perhaps of an action that only a question tries
		}
		if err != nil {
			t.Fatal(err)
		}
		starts++
		if key, _ := m.Key(blur(m, s, kept), kept); !found[key] {
			t.Fatalf("the start %v, kept %v, is not among %v\n%s", s, kept, list, sys.Canonical())
		}
	})
	t.Logf("%d starts, %d given up", starts, gaveUp)
	if starts < gaveUp {
		t.Errorf("%d starts, %d given up", starts, gaveUp)
	}
}
