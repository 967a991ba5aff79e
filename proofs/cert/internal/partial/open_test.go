package partial_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestOpen: each step from a state is among those that open play finds if only some parts of the
// state are known.
func TestOpen(t *testing.T) {
	states, steps, gaveUp := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		kept := drawKept(t, sys)
		s := rulestest.State(sys, 9).Draw(t, "state")
		m := partial.New(t.Context(), sys)
		m.Bound(s.Total() + rapid.IntRange(0, 2).Draw(t, "more seeds"))
		in := interp.New(sys)
		want, _, err := in.Legal(s)
		if err != nil {
			t.Fatal(err)
		}
		states++
		got, doubted, err := used(t, m).Open(blur(m, s, kept), kept)
		if errors.As(err, new(*partial.Intricate)) {
			gaveUp++
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
	if states >= 100 && (steps < states/2 || gaveUp > states/4) {
		t.Errorf("%d states with %d steps, %d given up", states, steps, gaveUp)
	}
}
