package step_test

import (
	"context"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/step"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

// successors lists the steps of s in the form of the reference interpreter.
func successors(m *step.Machine, s rules.State) ([]interp.Step, error) {
	flat := pack.NewFlat(m.System())
	flat.Set(s)
	var steps []interp.Step
	err := m.Successors(flat, func(action int, to *step.Flat) bool {
		steps = append(steps, interp.Step{Action: action, To: to.State(m.System())})
		return true
	})
	return steps, err
}

// faulter is the common interface of *testing.T and *rapid.T.
type faulter interface {
	Helper()
	Fatalf(format string, args ...any)
}

func compile(t faulter, sys *rules.System) *step.Machine {
	t.Helper()
	m, err := step.Compile(sys)
	if err != nil {
		t.Fatalf("compile: %v", err)
	}
	return m
}

// same checks that both have the same steps from s, and returns them. It returns none if both
// report an error.
func same(t faulter, m *step.Machine, in *interp.Interp, s rules.State) []interp.Step {
	t.Helper()
	want, wantErr := in.Steps(s)
	got, err := successors(m, s)
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("from %v: error %v, want %v", s, err, wantErr)
	}
	if err != nil {
		return nil
	}
	if len(got) != len(want) {
		t.Fatalf("from %v: %d steps, want %d\n%v\n%v", s, len(got), len(want), got, want)
	}
	for i := range want {
		if got[i].Action != want[i].Action || !got[i].To.Equal(want[i].To) {
			t.Fatalf("from %v, step %d:\n got %v\nwant %v", s, i, got[i], want[i])
		}
	}
	return want
}

// sameDo checks that both execute each action the same way, whatever faults the others meet.
func sameDo(t faulter, m *step.Machine, in *interp.Interp, s rules.State) {
	t.Helper()
	flat := pack.NewFlat(m.System())
	flat.Set(s)
	for a := range m.System().Actions {
		want, wantLegal, wantErr := in.Do(s, a)
		got, legal, err := m.Do(flat, a)
		if (err != nil) != (wantErr != nil) || legal != wantLegal || legal && !got.State(m.System()).Equal(want) {
			t.Fatalf("action %d from %v: %v, %v, %v; want %v, %v, %v", a, s, got, legal, err, want, wantLegal, wantErr)
		}
	}
}

// walk compares the steps of s, of one of its successors, and so on.
func walk(t *rapid.T, m *step.Machine, in *interp.Interp, s rules.State, length int) {
	for range length {
		steps := same(t, m, in, s)
		if len(steps) == 0 {
			return
		}
		s = steps[rapid.IntRange(0, len(steps)-1).Draw(t, "step")].To
	}
}

// TestRandomSystems plays random rule sets with the stepper and with the reference interpreter.
func TestRandomSystems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		m, in := compile(t, sys), interp.New(sys)
		for range 4 {
			s := rulestest.State(sys, 30).Draw(t, "state")
			sameDo(t, m, in, s)
			walk(t, m, in, s, 3)
		}
	})
}

// TestGames plays known games from random states.
func TestGames(t *testing.T) {
	for name, sys := range map[string]*rules.System{
		"kalah":           rulestest.Kalah(3, 3, false),
		"kalah, captures": rulestest.Kalah(4, 2, true),
		"solitaire":       rulestest.Solitaire(3),
	} {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			m, in := compile(t, sys), interp.New(sys)
			walk(t, m, in, rulestest.State(sys, 60).Draw(t, "state"), 10)
		}))
	}
}

// TestSettle compares the settled starts of random rule sets.
func TestSettle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		m, in := compile(t, sys), interp.New(sys)
		s := rulestest.State(sys, 10).Draw(t, "state")
		want, wantErr := in.Start(s)
		flat := pack.NewFlat(sys)
		flat.Set(s)
		err := m.Settle(flat)
		if (err != nil) != (wantErr != nil) {
			t.Fatalf("error %v, want %v", err, wantErr)
		}
		if got := flat.State(sys); err == nil && !got.Equal(want) {
			t.Fatalf("settled as %v, want %v", got, want)
		}
	})
}

// TestPredicates compares the truth of random claims about steps.
func TestPredicates(t *testing.T) {
	rulestest.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		m, in := compile(t, sys), interp.New(sys)
		x := rulestest.Claim(sys, true).Draw(t, "claim")
		p, err := m.CompileExpr(x)
		if err != nil {
			t.Fatal(err)
		}
		s := rulestest.State(sys, 12).Draw(t, "state")
		for _, st := range same(t, m, in, s) {
			view := step.View{State: pack.NewFlat(sys), Old: pack.NewFlat(sys), Start: isStart(t, in, st.To), OldStart: isStart(t, in, s)}
			view.State.Set(st.To)
			view.Old.Set(s)
			want, wantErr := in.Holds(x, st.To, &s)
			got, err := m.Holds(p, view)
			if (err != nil) != (wantErr != nil) || err == nil && got != want {
				t.Fatalf("%v from %v to %v: %v %v, want %v %v", rules.ExprString(sys, x), s, st.To, got, err, want, wantErr)
			}
		}
	})
}

// isStart reports whether s is a start; there are few. Errors in the rules skip the test.
func isStart(t *rapid.T, in *interp.Interp, s rules.State) bool {
	is := false
	err := space.Starts(context.Background(), in, func(st rules.State) error {
		is = is || st.Equal(s)
		return nil
	})
	if err != nil {
		t.Skip("no starts: ", err)
	}
	return is
}

// TestFaults meets each error in the rules.
func TestFaults(t *testing.T) {
	none, zero := rules.Const{Value: rules.None}, rules.Const{Value: 0}
	for code, body := range map[diag.Code][]rules.Stmt{
		diag.Overflow: {rules.SetVar(0, rules.Const{Value: 99})},
		diag.DivZero:  {rules.Require(rules.Binary{Op: rules.Div, L: zero, R: zero})},
		diag.Overdraw: {rules.Transfer{Count: rules.Const{Value: 9}, From: zero, Into: zero}},
		diag.NonePit:  {rules.Sow{Source: none}},
		diag.NoValue:  {rules.Require(rules.Last)},
	} {
		sys := rulestest.Solitaire(2)
		sys.Actions = []rules.Action{{Body: body}}
		_, err := successors(compile(t, sys), sys.EmptyStart())
		var d diag.Diagnostic
		if !errors.As(err, &d) || d.Code != code {
			t.Errorf("error %v, want code %s", err, code)
		}
	}
}

// TestGrowingLoop meets a loop that neither ends nor recurs.
func TestGrowingLoop(t *testing.T) {
	grow := rules.SetLocal(0, rules.Binary{Op: rules.Add, L: rules.LocalAt(0), R: rules.True})
	sys := rulestest.Solitaire(2)
	sys.Actions = []rules.Action{{Locals: make([]rules.Type, 1), Body: []rules.Stmt{rules.While{Cond: rules.True, Body: []rules.Stmt{grow}}}}}
	if _, err := successors(compile(t, sys), sys.EmptyStart()); err == nil {
		t.Error("no error")
	}
}

// TestNoAllocation pins that a step allocates nothing.
func TestNoAllocation(t *testing.T) {
	for _, sys := range []*rules.System{rulestest.Kalah(6, 4, false), rulestest.Solitaire(6)} {
		m, flat := compile(t, sys), pack.NewFlat(sys)
		s := sys.EmptyStart()
		for p := range s.Seeds {
			s.Seeds[p] = 4
		}
		flat.Set(s)
		visit := func(int, *step.Flat) bool { return true }
		if n := testing.AllocsPerRun(100, func() { _ = m.Successors(flat, visit) }); n != 0 {
			t.Errorf("%s: %v allocations a state", sys.Name, n)
		}
	}
}

func BenchmarkSuccessors(b *testing.B) {
	sys := rulestest.Kalah(6, 4, false)
	m, flat := compile(b, sys), pack.NewFlat(sys)
	flat.Set(rulestest.KalahStart(sys, 4))
	visit := func(int, *step.Flat) bool { return true }
	for b.Loop() {
		_ = m.Successors(flat, visit)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/6, "ns/transition")
}
