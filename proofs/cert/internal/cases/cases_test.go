package cases_test

import (
	"context"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/proofs/cert/internal/cases"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

const mostAsked = 20_000

// equals is the condition that x has the value n.
func equals(x rules.Expr, n int) rules.Expr {
	return rules.Binary{Op: rules.Eq, L: x, R: rules.Const{Value: n}}
}

// likes is the condition that some parts of a state are those of s.
func likes(t *rapid.T, sys *rules.System, s rules.State, all bool) rules.Expr {
	conds := []rules.Expr{equals(rules.Mover, s.Mover), rules.HasOutcome(s.Outcome)}
	for p, n := range s.Seeds {
		if all || rapid.Bool().Draw(t, "known pit") {
			conds = append(conds, equals(rules.PitAt(p), n))
		}
	}
	for v, n := range s.Vars {
		if all || rapid.Bool().Draw(t, "known variable") {
			conds = append(conds, equals(rules.VarAt(v), n))
		}
	}
	return rules.Conjunction(conds...)
}

// TestEachStep: whatever part of a state is known, where a step leads is among the cases; and what
// is shown of all steps is true of this one.
func TestEachStep(t *testing.T) {
	shown, opened, refused := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		s := rulestest.State(sys, rapid.SampledFrom([]int{3, 12, 60}).Draw(t, "seeds")).Draw(t, "state")
		in := interp.New(sys)
		steps, fault, err := in.Legal(s)
		if err != nil || fault != nil || len(steps) == 0 {
			t.Skip(err, fault)
		}
		step := rapid.SampledFrom(steps).Draw(t, "step")
		show := func(x rules.Expr) error {
			g := cases.Goal{Steps: 1, Assume: []rules.Expr{likes(t, sys, s, false)}, Show: x}
			if rapid.Bool().Draw(t, "by one action") {
				g.Actions = make([]bool, len(sys.Actions))
				g.Actions[step.Action] = true
			}
			_, err := cases.Show(context.Background(), sys, g, mostAsked)
			if err != nil && !errors.As(err, new(*cases.OpenError)) {
				t.Fatal(err)
			}
			return err
		}
		switch err := show(rules.Not{X: likes(t, sys, step.To, true)}); {
		case err == nil:
			t.Fatalf("the step from %v by `%s` to %v is in no case\n%s", s, sys.ActionName(step.Action), step.To, sys.Canonical())
		case err.Error() == "there is a case in which it seems to be false":
			opened++
		default:
			refused++
		}
		claim := rulestest.Claim(sys, true).Draw(t, "claim")
		if show(claim) != nil {
			return
		}
		shown++
		if is, err := in.Holds(claim, step.To, &s); err == nil && !is {
			t.Fatalf("%s is false of the step from %v by `%s` to %v\n%s", rules.ExprString(sys, claim), s, sys.ActionName(step.Action), step.To, sys.Canonical())
		}
	})
	t.Logf("%d steps found again, %d refused, %d claims shown", opened, refused, shown)
	if shown == 0 || opened == 0 {
		t.Errorf("%d steps found again, %d claims shown", opened, shown)
	}
}

// TestEachStart: each start, after what is done before the first move, is among the cases.
func TestEachStart(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		in := interp.New(sys)
		err := space.Starts(context.Background(), in, func(s rules.State) error {
			g := cases.Goal{Start: true, Show: rules.Not{X: likes(t, sys, s, true)}}
			if _, err := cases.Show(context.Background(), sys, g, mostAsked); err == nil {
				t.Fatalf("the start %v is in no case\n%s", s, sys.Canonical())
			}
			found++
			return space.ErrStop
		})
		if err != nil {
			t.Skip(err)
		}
	})
	if found == 0 {
		t.Error("no starts")
	}
}

// TestKalah: claims about every step of Kalah with any number of seeds, true and false ones.
func TestKalah(t *testing.T) {
	sys := rulestest.Kalah(3, 4, true)
	south, north := rules.PitAt(pit(t, sys, "south_store1")), rules.PitAt(pit(t, sys, "north_store1"))
	all := rules.Sum{Pits: num.Run(0, len(sys.Pits))}
	is := func(op rules.Op, l, r rules.Expr) rules.Expr { return rules.Binary{Op: op, L: l, R: r} }
	more := is(rules.Add, rules.Old{X: south}, rules.Const{Value: 1})
	for _, c := range []struct {
		from, gives rules.Expr
		shown       bool
	}{
		{rules.Const{Value: 1}, is(rules.Eq, all, rules.Old{X: all}), true},
		{rules.Const{Value: 1}, is(rules.Ge, south, rules.Old{X: south}), true},
		{equals(rules.Mover, 0), is(rules.Or, is(rules.Eq, north, rules.Old{X: north}), rules.Not{X: rules.HasOutcome(rules.Live)}), true},
		{equals(rules.Mover, 1), is(rules.Or, is(rules.Eq, north, rules.Old{X: north}), rules.Not{X: rules.HasOutcome(rules.Live)}), false},
		{equals(rules.Mover, 0), is(rules.Le, south, more), false},
	} {
		g := cases.Goal{Steps: 1, Assume: []rules.Expr{c.from}, Show: c.gives}
		got, err := cases.Show(context.Background(), sys, g, 200_000)
		if c.shown != (err == nil) || c.shown && (got.Cases == 0 || got.First == nil) {
			t.Errorf("from %s every step gives %s: %+v, %v", rules.ExprString(sys, c.from), rules.ExprString(sys, c.gives), got, err)
		}
	}
}

func pit(t *testing.T, sys *rules.System, name string) int {
	for p, x := range sys.Pits {
		if x.Name == name {
			return p
		}
	}
	t.Fatalf("no pit %s in %v", name, sys.Pits)
	return 0
}
