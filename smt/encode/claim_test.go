package encode_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/smt/encode"
	"github.com/mancheck/mancheck/smt/term"
)

// anyState draws live and finished states.
func anyState(t *rapid.T, sys *rules.System, seeds int) rules.State {
	s := rulestest.State(sys, seeds).Draw(t, "state")
	if rapid.IntRange(0, 3).Draw(t, "finished") == 3 {
		s.Mover, s.Outcome = rules.None, rapid.IntRange(0, len(sys.Outcomes)-1).Draw(t, "outcome")
	}
	return s
}

// TestClaims compares random conditions of claims on random Systems, including conditions with
// stuck, start and old.
func TestClaims(t *testing.T) {
	compared, unsupported := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.Kernel().Draw(t, "system")
		b, err := newBench(sys, quick)
		if err != nil {
			return
		}
		x := rulestest.Claim(sys, true).Draw(t, "claim")
		old := b.e.State("s")
		got, err := b.e.ExprFor(x, b.e.State("s"), &old, nil)
		if no := (*encode.UnsupportedError)(nil); errors.As(err, &no) {
			unsupported++
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		s := anyState(t, sys, 12)
		value := b.eval(s)
		want, err := b.in.Holds(x, s, &s)
		if err != nil || value(b.e.Overrun(b.s)) != 0 {
			return
		}
		compared++
		if (value(got) != 0) != want {
			t.Fatalf("%s in %+v: %v, the interpreter says %v", rules.ExprString(sys, x), s, !want, want)
		}
	})
	t.Logf("%d claims compared, %d unsupported", compared, unsupported)
}

// TestStarts compares which states are starts, on small boards.
func TestStarts(t *testing.T) {
	compared, starts, unsupported := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.Kernel().Draw(t, "system")
		b, err := newBench(sys, quick)
		if err != nil {
			return
		}
		is, err := b.e.ExprFor(rules.IsStart, b.s, nil, nil)
		if err != nil {
			unsupported++
			return
		}
		for range 5 {
			raw := sys.EmptyStart()
			raw.Seeds[0] = rapid.IntRange(0, 6).Draw(t, "seeds")
			raw.Seeds[1] = rapid.IntRange(0, 3).Draw(t, "seeds")
			s, err := b.in.Start(raw)
			if err != nil {
				continue
			}
			want, err := b.in.IsStart(s)
			if err != nil {
				continue
			}
			compared++
			if want {
				starts++
			}
			if got := b.eval(s)(is) != 0; got != want {
				t.Fatalf("%+v is a start: %v, the interpreter says %v", s, got, want)
			}
		}
	})
	t.Logf("%d states compared, %d starts, %d unsupported", compared, starts, unsupported)
}

// TestOpenStart leaves the number of stones open.
func TestOpenStart(t *testing.T) {
	sys := game(t, "dose2015.sow", build.Settings{"n": {N: 2}}, "stones")
	b, err := newBench(sys, encode.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in := interp.New(sys)
	rapid.Check(t, func(t *rapid.T) {
		s := rulestest.State(sys, 12).Draw(t, "state")
		s.Vars[0] = rapid.SampledFrom([]int{rules.None, 1}).Draw(t, "selected")
		open, want, err := in.OpenValues(s)
		if err != nil {
			t.Fatal(err)
		}
		stones := s.Total()
		if want {
			stones = open[0]
		}
		for _, n := range []int{stones, stones + 1} {
			is, err := b.e.Start(b.s, []*term.Term{b.builder.Int(n)})
			if err != nil {
				t.Fatal(err)
			}
			if got := b.eval(s)(is) != 0; got != (want && n == stones) {
				t.Fatalf("%+v is a start of %d stones: %v", s, n, got)
			}
		}
	})
}

// TestShape compares which states have the right shape.
func TestShape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.Kernel().Draw(t, "system")
		b, err := newBench(sys, quick)
		if err != nil {
			return
		}
		s := anyState(t, sys, 9)
		shape := b.e.Shape(b.s)
		if b.eval(s)(shape) == 0 {
			t.Fatalf("%+v has no shape", s)
		}
		for name, bad := range misshapen(sys, s) {
			if b.eval(bad)(shape) != 0 {
				t.Fatalf("%s: %+v has the shape of a state", name, bad)
			}
		}
	})
}

// misshapen makes impossible states.
func misshapen(sys *rules.System, s rules.State) map[string]rules.State {
	with := func(f func(*rules.State)) rules.State {
		s := s.Clone()
		f(&s)
		return s
	}
	return map[string]rules.State{
		"seeds":   with(func(s *rules.State) { s.Seeds[0] = -1 }),
		"mover":   with(func(s *rules.State) { s.Mover = len(sys.Players) }),
		"nobody":  with(func(s *rules.State) { s.Mover, s.Outcome = rules.None, rules.Live }),
		"over":    with(func(s *rules.State) { s.Mover, s.Outcome = 0, 0 }),
		"outcome": with(func(s *rules.State) { s.Mover, s.Outcome = rules.None, len(sys.Outcomes) }),
	}
}

// TestStuckBesideFault: a fallback is legal also where another action meets a fault.
func TestStuckBesideFault(t *testing.T) {
	sys := rulestest.Kalah(1, 2, false)
	sys.Actions[0].Body = []rules.Stmt{rules.Transfer{From: rules.Const{Value: 1}, Into: rules.Const{Value: rules.None}}}
	fallback := sys.Actions[0]
	fallback.Fallback, fallback.Guard = true, rules.NoMove
	fallback.Body = []rules.Stmt{rules.Transfer{From: rules.Const{Value: 0}, Into: rules.Const{Value: 1}}}
	sys.Actions = append(sys.Actions, fallback)
	b, err := newBench(sys, quick)
	if err != nil {
		t.Fatal(err)
	}
	s := sys.EmptyStart()
	s.Seeds[0], s.Mover = 2, 0
	value := b.eval(s)
	if value(b.e.Fault(b.s)) == 0 {
		t.Error("no fault")
	}
	for _, q := range []rules.Question{rules.IsStuck, rules.NoMove} {
		want, err := b.in.Holds(q, s, &s)
		if err != nil {
			t.Fatal(err)
		}
		got, err := b.e.ExprFor(q, b.s, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if (value(got) != 0) != want || want != (q == rules.NoMove) {
			t.Errorf("%d: %d, the interpreter says %v", q, value(got), want)
		}
	}
}
