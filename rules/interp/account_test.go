package interp_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// What Account tells of a move, applied seed by seed, gives the state after it: no pit ever has
// less than none, and the hand is empty at the end.
func TestAccount(t *testing.T) {
	moves, sown := 0, 0
	rulestest.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "rules")
		s := rulestest.State(sys, 6).Draw(t, "state")
		in := interp.New(sys)
		steps, _, err := in.Legal(s)
		if err != nil {
			return
		}
		for _, step := range steps {
			moves++
			told, err := in.Account(s, step.Action)
			if err != nil {
				t.Fatalf("action %d: %v", step.Action, err)
			}
			got, hand := s.Clone(), 0
			take := func(pit, n int) {
				if pit == rules.None {
					hand += n
				} else if got.Seeds[pit] += n; got.Seeds[pit] < 0 {
					t.Fatalf("action %d: %v: a pit has %d seeds", step.Action, told, got.Seeds[pit])
				}
			}
			for _, m := range told {
				if m.Seeds <= 0 || m.From == m.Into {
					t.Fatalf("action %d: %+v moves nothing", step.Action, m)
				}
				take(m.From, -m.Seeds)
				take(m.Into, m.Seeds)
				if m.From == rules.None {
					sown++
				}
			}
			got.Vars, got.Mover, got.Outcome = step.To.Vars, step.To.Mover, step.To.Outcome
			if hand != 0 || !got.Equal(step.To) {
				t.Fatalf("action %d: %v\n%d in the hand, %v, want %v", step.Action, told, hand, got, step.To)
			}
		}
	})
	if moves == 0 || sown == 0 {
		t.Errorf("%d moves, %d seeds sown: nothing was tested", moves, sown)
	}
}
