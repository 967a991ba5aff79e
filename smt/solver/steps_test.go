package solver_test

import (
	"context"
	"testing"

	"github.com/mancheck/mancheck/smt/solver"
	"github.com/mancheck/mancheck/smt/term"
)

// TestSteps abandons a hard question after a number of steps, the same way each time; the same
// solver then answers an easy one.
func TestSteps(t *testing.T) {
	each(t, func(t *testing.T, spec string) {
		var reasons []string
		for range 2 {
			s, err := solver.OpenLimited(context.Background(), spec, 2000)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			b := term.NewBuilder()
			s.Push()
			s.Assert(pigeons(b, 9))
			a := s.Check(context.Background())
			if a.Status != solver.Unknown || a.Reason == "" {
				t.Fatalf("%s: %v", s.Name(), a)
			}
			reasons = append(reasons, a.Reason)
			s.Pop()
			s.Assert(b.Var("x", term.Bool))
			check(t, s, solver.Sat)
		}
		if reasons[0] != reasons[1] {
			t.Errorf("%q, then %q", reasons[0], reasons[1])
		}
		t.Log(reasons[0])
	})
}

// TestStepsEnough answers within a sufficient limit.
func TestStepsEnough(t *testing.T) {
	each(t, func(t *testing.T, spec string) {
		s, err := solver.OpenLimited(context.Background(), spec, 10_000_000)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		s.Assert(pigeons(term.NewBuilder(), 3))
		check(t, s, solver.Unsat)
	})
}
