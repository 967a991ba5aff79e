package listing_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/proofs/cert/internal/listing"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// all lists all live states with at most the given number of seeds, by trying them.
func all(sys *rules.System, mover, seeds int) []rules.State {
	list := []rules.State{sys.EmptyStart()}
	list[0].Mover = mover
	for p := range sys.Pits {
		var next []rules.State
		for _, s := range list {
			for n := 0; s.Total()+n <= seeds; n++ {
				t := s.Clone()
				t.Seeds[p] = n
				next = append(next, t)
			}
		}
		list = next
	}
	for v, x := range sys.Vars {
		var next []rules.State
		for _, s := range list {
			for _, n := range x.Domain {
				t := s.Clone()
				t.Vars[v] = n
				next = append(next, t)
			}
		}
		list = next
	}
	return list
}

func yes(n int) []bool {
	list := make([]bool, n)
	for i := range list {
		list[i] = true
	}
	return list
}

// TestListsAll: the listing contains exactly the states that satisfy the condition.
func TestListsAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		if len(sys.Vars) > 2 || len(sys.Pits) > 5 {
			return
		}
		x := rulestest.Claim(sys, false).Draw(t, "claim")
		top := rapid.IntRange(0, 3).Draw(t, "seeds")
		listsAll(t, sys, x, top)
	})
}

// tester is *testing.T or *rapid.T.
type tester interface {
	Context() context.Context
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// listsAll checks the listing of the states that satisfy x and have at most so many seeds.
func listsAll(t tester, sys *rules.System, x rules.Expr, top int) {
	var pits []int
	for p := range sys.Pits {
		pits = append(pits, p)
	}
	x = rules.Conjunction(x, rules.Binary{Op: rules.Le, L: rules.Sum{Pits: pits}, R: rules.Const{Value: top}})
	m := partial.New(t.Context(), sys)
	listed := map[string]bool{}
	l := listing.Listing{
		Machine: m, Base: m.Blank(0), Pits: yes(len(sys.Pits)), Vars: yes(len(sys.Vars)),
		Conditions: []listing.Condition{{X: x, Outcome: rules.Live}},
	}
	kept := rules.Kept{Parts: rules.Parts{Pits: l.Pits, Vars: l.Vars}}
	err := l.Each(context.Background(), func(s partial.State) error {
		key, err := m.Key(s, kept)
		listed[key] = true
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	in := interp.New(sys)
	for _, s := range all(sys, 0, top) {
		is, err := in.Holds(x, s, nil)
		key, _ := m.Key(blur(m, s, kept), kept)
		if err == nil && is != listed[key] && (is || !undecided(m, x, s, kept)) {
			t.Fatalf("%v: listed %v, want %v", s, listed[key], is)
		}
	}
}

// TestListsShapes: so it is for conditions that narrow the intervals in each way.
func TestListsShapes(t *testing.T) {
	sys := rulestest.Kalah(1, 1, false)
	is := func(op rules.Op, pit, n int) rules.Expr {
		return rules.Binary{Op: op, L: rules.PitAt(pit), R: rules.Number(n)}
	}
	either := func(x, y rules.Expr) rules.Expr { return rules.Binary{Op: rules.Or, L: x, R: y} }
	both := rules.Conjunction(is(rules.Eq, 0, 1), is(rules.Eq, 1, 1))
	for _, x := range []rules.Expr{
		either(is(rules.Eq, 0, 3), is(rules.Eq, 0, 1)),
		either(either(is(rules.Eq, 0, 0), is(rules.Eq, 1, 0)), is(rules.Ge, 0, 3)),
		rules.Not{X: both},
		rules.Not{X: is(rules.Le, 0, 1)},
		rules.Not{X: is(rules.Gt, 0, 1)},
		rules.Not{X: either(is(rules.Eq, 0, 0), is(rules.Lt, 1, 2))},
		rules.Not{X: either(both, is(rules.Eq, 2, 0))},
	} {
		listsAll(t, sys, x, 4)
	}
}

// blur returns s with everything unknown that is not kept.
func blur(m *partial.Machine, s rules.State, k rules.Kept) (out partial.State) {
	m.BlurInto(&out, s, k)
	return out
}

// undecided reports whether the machine leaves open whether s satisfies x.
func undecided(m *partial.Machine, x rules.Expr, s rules.State, kept rules.Kept) bool {
	v, err := m.Eval(x, blur(m, s, kept), nil)
	_, decided := v.Holds()
	return err != nil || !decided
}

func TestUnbounded(t *testing.T) {
	sys := rulestest.Kalah(2, 2, false)
	m := partial.New(t.Context(), sys)
	l := listing.Listing{
		Machine: m, Base: m.Blank(0), Pits: yes(len(sys.Pits)),
		Conditions: []listing.Condition{{X: rules.True, Outcome: rules.Live}},
	}
	err := l.Each(context.Background(), func(partial.State) error { return nil })
	if infinite := (*listing.Unbounded)(nil); !errors.As(err, &infinite) || len(infinite.Pits) != len(sys.Pits) {
		t.Error(err)
	}
	l.Limit = 10
	l.Conditions[0].X = rules.Binary{Op: rules.Le, L: rules.Sum{Pits: []int{0, 1, 2, 3, 4, 5}}, R: rules.Const{Value: 9}}
	if err := l.Each(context.Background(), func(partial.State) error { return nil }); fmt.Sprint(err) != "there are more than 10 possibilities" {
		t.Error(err)
	}
}
