package partial_test

import (
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// blur returns s with everything unknown that is not kept.
func blur(m *partial.Machine, s rules.State, k rules.Kept) (out partial.State) {
	m.BlurInto(&out, s, k)
	return out
}

func everything(sys *rules.System) rules.Kept {
	return rules.Kept{}.SpelledOut(sys)
}

// agrees reports whether concrete is one of the states that s stands for.
func agrees(s partial.State, concrete rules.State) bool {
	if s.Mover != concrete.Mover || s.Outcome != concrete.Outcome {
		return false
	}
	for p, v := range s.Seeds {
		if !v.Has(concrete.Seeds[p]) {
			return false
		}
	}
	for i, v := range s.Vars {
		if !v.Has(concrete.Vars[i]) {
			return false
		}
	}
	return true
}

// faulty reports whether an action meets a fault of the rules in s. A fault of an action that is
// only tried by an ending does not count.
func faulty(in *interp.Interp, sys *rules.System, s rules.State) bool {
	for i := range sys.Actions {
		if _, _, err := in.Do(s, i); err != nil {
			return true
		}
	}
	return false
}

// used returns a Player that has played from other states, whose memory it uses again.
func used(t *rapid.T, m *partial.Machine) *partial.Player {
	p := m.Player()
	for range 3 {
		s := rulestest.State(m.System(), 9).Draw(t, "earlier state")
		_, _ = p.Steps(blur(m, s, everything(m.System()))) // whether it fails does not matter
	}
	return p
}

// TestPlaysAsTheInterpreter: with everything known the machine plays as the reference interpreter
// does, and fails if and only if an action meets a fault.
func TestPlaysAsTheInterpreter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		s := rulestest.State(sys, 9).Draw(t, "state")
		m := partial.New(t.Context(), sys)
		in := interp.New(sys)
		want, _, wantErr := in.Legal(s)
		if wantErr != nil {
			t.Fatal(wantErr)
		}
		broken := faulty(in, sys, s)
		got, err := used(t, m).Steps(blur(m, s, everything(sys)))
		if (err != nil) != broken {
			t.Fatalf("%v: error %v, while an action meets a fault: %t", s, err, broken)
		}
		if err != nil {
			return
		}
		if len(got) != len(want) {
			t.Fatalf("%v: %d steps, want %d", s, len(got), len(want))
		}
		for i := range got {
			blurred := blur(m, want[i].To, everything(sys))
			key, err := m.Key(got[i].To, everything(sys))
			wantKey, _ := m.Key(blurred, everything(sys))
			if err != nil || got[i].Action != want[i].Action || key != wantKey {
				t.Fatalf("%v: step %d is %v (%v), want %v", s, i, got[i], err, want[i])
			}
		}
	})
}

func TestEvaluatesAsTheInterpreter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		x := rulestest.Claim(sys, true).Draw(t, "claim")
		s, old := rulestest.State(sys, 9).Draw(t, "state"), rulestest.State(sys, 9).Draw(t, "old")
		m := partial.New(t.Context(), sys)
		want, wantErr := interp.New(sys).Eval(x, s, &old)
		before := blur(m, old, everything(sys))
		got, err := m.Eval(x, blur(m, s, everything(sys)), &before)
		if wantErr == nil && (err != nil || !got.Has(want)) {
			t.Fatalf("%v: %v, %v; want %d", s, got, err, want)
		}
		if wantErr != nil && err == nil && !got.Has(0) && !got.Has(1) {
			t.Fatalf("%v: %v; want the error %v", s, got, wantErr)
		}
	})
}

// drawKept ignores some parts.
func drawKept(t *rapid.T, sys *rules.System) rules.Kept {
	kept := func(n int) []bool {
		list := make([]bool, n)
		for i := range list {
			list[i] = rapid.IntRange(0, 3).Draw(t, "kept") > 0
		}
		return list
	}
	vars := kept(len(sys.Vars))
	return rules.Kept{Parts: rules.Parts{Pits: kept(len(sys.Pits)), Vars: vars}}
}

// TestUnknownParts: what strict play says of a partly unknown state holds for every state that it
// stands for.
func TestUnknownParts(t *testing.T) {
	decided := 0
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		kept := drawKept(t, sys)
		s := rulestest.State(sys, 9).Draw(t, "state")
		m := partial.New(t.Context(), sys)
		got, err := used(t, m).Steps(blur(m, s, kept))
		want, wantErr := interp.New(sys).Steps(s)
		if open := (*partial.Unknown)(nil); errors.As(err, &open) || wantErr != nil {
			return
		}
		decided++
		if err != nil || len(got) != len(want) {
			t.Fatalf("%v: %d steps, %v; want %d", s, len(got), err, len(want))
		}
		for i := range got {
			if got[i].Action != want[i].Action || !agrees(got[i].To, want[i].To) {
				t.Fatalf("%v: step %d is %v, want %v", s, i, got[i], want[i])
			}
		}
	})
	if decided == 0 {
		t.Error("no state with unknown parts was ever decided")
	}
}

// TestWays: every step goes one of the ways of its action, and undoing the way gives the state
// before the step.
func TestWays(t *testing.T) {
	undone := 0
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		s := rulestest.State(sys, 9).Draw(t, "state")
		kept := drawKept(t, sys)
		steps, err := interp.New(sys).Steps(s)
		if err != nil {
			return
		}
		m := partial.New(t.Context(), sys)
		for _, step := range steps {
			ways, err := m.Ways(step.Action)
			if err != nil {
				continue
			}
			found := slices.ContainsFunc(ways, func(w partial.Way) bool { return gives(w, s, step.To, kept.Pits) })
			if !found {
				t.Fatalf("no way of action %d leads from %v to %v", step.Action, s, step.To)
			}
			undone++
		}
	})
	if undone == 0 {
		t.Error("nothing was ever undone")
	}
}

func gives(w partial.Way, s, to rules.State, kept []bool) bool {
	if w.Mover != to.Mover || w.Outcome != to.Outcome {
		return false
	}
	for i := range s.Vars {
		if !w.Before[i].Has(s.Vars[i]) || !w.MayLeave(i, to.Vars[i]) || !w.Assigned[i] && s.Vars[i] != to.Vars[i] {
			return false
		}
	}
	if w.Hard != "" {
		return true
	}
	found := w.Plan == nil && slices.Equal(s.Seeds, to.Seeds)
	if w.Plan != nil {
		err := new(partial.Undoing).Undo(w.Plan, to.Seeds, kept, func(before []int) error {
			same := true
			for p, k := range kept {
				same = same && (!k || before[p] == s.Seeds[p])
			}
			found = found || same
			return nil
		})
		found = found || err != nil
	}
	return found
}

// TestIsStart: where it is certain whether a state is a start, it is right.
func TestIsStart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		s := rulestest.State(sys, 6).Draw(t, "state")
		if rapid.Bool().Draw(t, "settled") {
			if settled, err := interp.New(sys).Start(s); err == nil {
				s = settled
			}
		}
		want, wantErr := interp.New(sys).IsStart(s)
		m := partial.New(t.Context(), sys)
		got, err := m.IsStart(blur(m, s, drawKept(t, sys)))
		holds, decided := got.Holds()
		if wantErr == nil && err == nil && decided && holds != want {
			t.Fatalf("%v: start %v, want %v", s, holds, want)
		}
	})
}
