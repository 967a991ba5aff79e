package space_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/rules"
	. "github.com/mancheck/mancheck/rules/internal/samples"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

func starts(t testing.TB, sys *rules.System, limit int) ([]rules.State, error) {
	var list []rules.State
	err := space.Starts(context.Background(), interp.New(sys), func(s rules.State) error {
		if list = append(list, s); len(list) == limit {
			return space.ErrStop
		}
		return nil
	})
	return list, err
}

func TestStartsCounts(t *testing.T) {
	for _, c := range []struct{ n, stones, want int }{{2, 4, 1}, {2, 5, 4}, {2, 8, 35}, {2, 12, 165}, {4, 8, 1}} {
		list, err := starts(t, Dose(c.n, c.stones), 0)
		if err != nil || len(list) != c.want {
			t.Errorf("n=%d stones=%d: %d starts, %v; want %d", c.n, c.stones, len(list), err, c.want)
		}
		if !slices.IsSortedFunc(list, rules.State.Compare) {
			t.Errorf("n=%d stones=%d: starts not in order", c.n, c.stones)
		}
	}
	for _, sys := range []*rules.System{Kalah(6, 4, true), Kalah(2, 0, false)} {
		if list, err := starts(t, sys, 0); err != nil || len(list) != 1 {
			t.Errorf("Kalah: %d starts, %v; want 1", len(list), err)
		}
	}
}

// TestStartsStream: the contest's own instance has 17 billion starts, which are not stored.
func TestStartsStream(t *testing.T) {
	list, err := starts(t, Dose(6, 48), 20000)
	if err != nil || len(list) != 20000 {
		t.Fatalf("%d starts, %v", len(list), err)
	}
}

func TestStartsInfinite(t *testing.T) {
	_, err := starts(t, Dose(2, -1), 0)
	var infinite *space.InfiniteError
	if !errors.As(err, &infinite) || !slices.Equal(infinite.Pits, []string{"hole01", "hole02", "hole03", "hole04"}) {
		t.Errorf("got %v, want the four holes to be unbounded", err)
	}
}

// TestStartsOfAllStones: an open parameter with a bounded range bounds the starts.
func TestStartsOfAllStones(t *testing.T) {
	sys := Dose(2, -1)
	sys.Params[1].Hi, sys.Params[1].HasHi = 6, true
	list, err := starts(t, sys, 0)
	if err != nil || len(list) != 1+4+10 {
		t.Errorf("%d starts, %v; want 15", len(list), err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := space.Starts(ctx, interp.New(Dose(6, 48)), func(rules.State) error { return nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want a cancelled context", err)
	}
}

func matching(t testing.TB, sys *rules.System, cond rules.Expr, keep rules.Kept) []rules.State {
	t.Helper()
	list, err := tryMatching(sys, cond, keep, nil)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func tryMatching(sys *rules.System, cond rules.Expr, keep rules.Kept, seeds *int) ([]rules.State, error) {
	var list []rules.State
	err := space.MatchingUpTo(context.Background(), interp.New(sys), cond, keep, seeds, func(s rules.State) error {
		list = append(list, s)
		return nil
	})
	return list, err
}

func holes(sys *rules.System) rules.Kept { return rules.Kept{Parts: rules.Parts{Pits: sys.Start.Free}} }

// TestMatchingWon: "won" itself bounds the seeds: none in the holes.
func TestMatchingWon(t *testing.T) {
	sys := Dose(6, -1)
	list := matching(t, sys, rules.HasOutcome(1), holes(sys))
	if len(list) != 13 {
		t.Errorf("%d won states, want one for each value of `selected`", len(list))
	}
	if _, err := tryMatching(sys, rules.HasOutcome(1), rules.Kept{}, nil); err == nil {
		t.Error("with the stores the won states are infinite, no error")
	}
	if _, err := tryMatching(sys, rules.HasOutcome(0), holes(sys), nil); err == nil {
		t.Error("lost states are infinite, no error")
	}
}

// TestMatchingSelected: the seeds of the pit that a variable names are bounded once the variable is
// fixed.
func TestMatchingSelected(t *testing.T) {
	sys := Dose(2, -1)
	h1, all := 1, rules.Sum{Pits: []int{1, 2, 4, 5}}
	cond := All(rules.HasOutcome(rules.Live), Bin(rules.Eq, Var(0), C(h1)),
		Bin(rules.Eq, rules.Seeds(Var(0)), C(1)), Bin(rules.Le, all, C(3)))
	list := matching(t, sys, cond, holes(sys))
	if len(list) != 10 { // up to two seeds in three other holes
		t.Errorf("%d states, want 10", len(list))
	}
	for _, s := range list {
		if s.Vars[0] != h1 || s.Seeds[h1] != 1 || !s.Live() {
			t.Errorf("unexpected %+v", s)
		}
	}
}

func TestMatchingStart(t *testing.T) {
	sys := Dose(2, 8)
	list := matching(t, sys, rules.IsStart, rules.Kept{})
	want, _ := starts(t, sys, 0)
	if !slices.EqualFunc(list, want, rules.State.Equal) {
		t.Errorf("states with `start`: %d, want the %d starts", len(list), len(want))
	}
}

// TestMatchingSweptStart: a start that is over at once is found although the sweep has moved its
// seeds.
func TestMatchingSweptStart(t *testing.T) {
	sys := Kalah(2, 1, true)
	sys.Start.Cond = All(Bin(rules.Eq, Total([]int{1, 2, 3, 4}), C(2)), Bin(rules.Eq, Pit(1), C(0)))
	list := matching(t, sys, rules.IsStart, rules.Kept{})
	all, err := starts(t, sys, 0)
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(all, rules.State.Compare)
	all = slices.CompactFunc(all, rules.State.Equal)
	if !slices.EqualFunc(list, all, rules.State.Equal) {
		t.Errorf("%d states with `start`, want %d", len(list), len(all))
	}
}

// condition draws a condition on a board of DOSE with n=2, where hidden errors cannot occur.
func condition(t *rapid.T, sys *rules.System, depth int) rules.Expr {
	if depth == 0 || rapid.IntRange(0, 3).Draw(t, "leaf") == 0 {
		return atom(t, sys)
	}
	l, r := condition(t, sys, depth-1), condition(t, sys, depth-1)
	switch rapid.IntRange(0, 3).Draw(t, "joint") {
	case 0:
		return Bin(rules.And, l, r)
	case 1:
		return Bin(rules.Or, l, r)
	case 2:
		return rules.Not{X: l}
	}
	return rules.Cond{If: l, Then: r, Else: condition(t, sys, depth-1)}
}

func atom(t *rapid.T, sys *rules.System) rules.Expr {
	switch rapid.IntRange(0, 4).Draw(t, "atom") {
	case 0:
		return rules.HasOutcome(rapid.IntRange(-1, 2).Draw(t, "outcome"))
	case 1:
		return Bin(rapid.SampledFrom([]rules.Op{rules.Eq, rules.Ne}).Draw(t, "op"), Var(0), C(rapid.IntRange(-1, 5).Draw(t, "pit")))
	case 2:
		return rules.In(sys.Related(Var(0), 0), Set(6, []int{1, 2}))
	}
	op := rapid.SampledFrom([]rules.Op{rules.Eq, rules.Ne, rules.Lt, rules.Le, rules.Gt, rules.Ge}).Draw(t, "op")
	return Bin(op, number(t, 2), number(t, 2))
}

func number(t *rapid.T, depth int) rules.Expr {
	pit := func() int { return rapid.IntRange(0, 5).Draw(t, "pit") }
	if depth == 0 {
		return C(rapid.IntRange(-2, 4).Draw(t, "k"))
	}
	switch rapid.IntRange(0, 6).Draw(t, "number") {
	case 0:
		return Total([]int{pit(), 4, 5})
	case 1:
		return Pit(pit())
	case 2:
		op := rapid.SampledFrom([]rules.Op{rules.Add, rules.Sub, rules.Mul, rules.Min, rules.Max}).Draw(t, "op")
		return Bin(op, number(t, depth-1), number(t, depth-1))
	case 3:
		op := rapid.SampledFrom([]rules.Op{rules.Div, rules.Mod}).Draw(t, "op")
		return Bin(op, number(t, depth-1), C(rapid.SampledFrom([]int{-2, 2, 3}).Draw(t, "k")))
	case 4:
		return rules.Cond{If: Bin(rules.Gt, Pit(pit()), C(1)), Then: number(t, depth-1), Else: number(t, depth-1)}
	}
	return number(t, 0)
}

// bruteForce lists the states of the right shape with at most seeds seeds that satisfy cond.
func bruteForce(t *rapid.T, sys *rules.System, cond rules.Expr, seeds int) []rules.State {
	in := interp.New(sys)
	var list []rules.State
	var lay func(s rules.State, pit, left int)
	lay = func(s rules.State, pit, left int) {
		if pit < len(s.Seeds) {
			for n := 0; n <= left; n++ {
				s.Seeds[pit] = n
				lay(s, pit+1, left-n)
			}
			s.Seeds[pit] = 0
			return
		}
		holes := s.Total() - s.Seeds[0] - s.Seeds[3]
		if s.Outcome == 2 || s.Outcome == 1 && holes > 0 {
			return // nothing is endless here, and won means empty
		}
		if ok, err := in.Holds(cond, s, nil); err != nil {
			t.Fatal(err)
		} else if ok {
			list = append(list, s.Clone())
		}
	}
	for outcome := -1; outcome <= 2; outcome++ {
		for _, v := range sys.Vars[0].Domain {
			s := sys.EmptyStart()
			s.Outcome, s.Vars[0] = outcome, v
			if outcome >= 0 {
				s.Mover = rules.None
			}
			lay(s, 0, seeds)
		}
	}
	return list
}

func TestMatchingIsBruteForce(t *testing.T) {
	sys := Dose(2, 4)
	sys.Relations[0].To[1], sys.Relations[0].To[4] = 4, 1
	rapid.Check(t, func(t *rapid.T) {
		cond := condition(t, sys, 3)
		want := bruteForce(t, sys, cond, 3)
		got, err := tryMatching(sys, cond, rules.Kept{}, new(3))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(got, want, rules.State.Equal) {
			t.Fatalf("%s: %d states, want %d", rules.ExprString(sys, cond), len(got), len(want))
		}
	})
}

// TestMatchingOnParts: a state that a move leads to is listed, whichever parts of it are ignored.
func TestMatchingOnParts(t *testing.T) {
	listed := 0
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		in := interp.New(sys)
		steps, err := in.Steps(rulestest.State(sys, 3).Draw(t, "state"))
		if err != nil || len(steps) == 0 {
			return
		}
		to := rapid.SampledFrom(steps).Draw(t, "step").To
		some := func(n int, label string) []bool { return rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, label) }
		keep := rules.Kept{Parts: rules.Parts{Pits: some(len(sys.Pits), "pits"), Vars: some(len(sys.Vars), "variables")}}
		want := keep.Project(sys, to)
		err = space.MatchingUpTo(context.Background(), in, rules.HasOutcome(to.Outcome), keep, new(3), func(s rules.State) error {
			if s.Equal(want) {
				return space.ErrFound
			}
			return nil
		})
		switch found, err := space.Found(context.Background(), err); {
		case found == space.Some:
			listed++
		case err == nil:
			t.Fatalf("%v is not listed\n%s", want, sys.Canonical())
		}
	})
	if listed == 0 {
		t.Errorf("only %d states were listed", listed)
	}
}

func TestStartsAreBruteForce(t *testing.T) {
	sys := Dose(2, 4)
	live := rules.HasOutcome(rules.Live)
	rapid.Check(t, func(t *rapid.T) {
		cond := condition(t, sys, 2)
		bound := Bin(rules.Le, Total([]int{0, 1, 2, 3, 4, 5}), C(3))
		with := *sys
		with.Reactions = nil
		with.Start = rules.Start{Cond: All(bound, cond), Free: Set(6, []int{0, 1, 2, 3, 4, 5})}
		want := bruteForce(t, &with, All(live, Bin(rules.Eq, Var(0), C(rules.None)), cond), 3)
		got, err := starts(nil, &with, 0)
		if err != nil || !slices.EqualFunc(got, want, rules.State.Equal) {
			t.Fatalf("%s: %d starts (%v), want %d", rules.ExprString(sys, cond), len(got), err, len(want))
		}
	})
}

// TestSettledStarts: all starts are listed, each once, although reactions may move their seeds,
// also to where the setup puts none.
func TestSettledStarts(t *testing.T) {
	gen, moved := rulestest.System(), 0
	for i := range 600 {
		sys := gen.Example(i + 1)
		sys.Start.Free = Set(len(sys.Pits), []int{0, 1})
		sys.Start.Cond = Bin(rules.Le, Total([]int{0, 1}), C(3))
		in, want, failed := interp.New(sys), map[string]bool{}, error(nil)
		for seeds := range 16 {
			raw := sys.EmptyStart()
			for p := range 2 {
				raw.Seeds[p] = seeds >> (2 * p) & 3
			}
			if raw.Total() > 3 {
				continue
			}
			s, err := in.Start(raw)
			if failed = cmp.Or(failed, err); err == nil {
				want[fmt.Sprint(s)] = true
			}
			if err == nil && !slices.Equal(s.Seeds, raw.Seeds) {
				moved++
			}
		}
		list, err := starts(t, sys, 0)
		if failed != nil || err != nil {
			if failed == nil || err == nil {
				t.Fatalf("%v, by hand %v\n%s", err, failed, sys.Canonical())
			}
			continue
		}
		for _, s := range list {
			if !want[fmt.Sprint(s)] {
				t.Fatalf("%v is no start, or is listed twice\n%s", s, sys.Canonical())
			}
			delete(want, fmt.Sprint(s))
		}
		for s := range want {
			t.Fatalf("%s is not listed\n%s", s, sys.Canonical())
		}
	}
	if moved < 100 {
		t.Errorf("only %d starts with moved seeds", moved)
	}
}

func BenchmarkStarts(b *testing.B) {
	list, err := starts(b, Dose(6, 48), b.N)
	if err != nil || len(list) != b.N {
		b.Fatal(fmt.Sprint(len(list), err))
	}
}

// TestNestedProducts: the bounds of a product are computed once, not once more for each level of
// nesting. (Sixty doublings would never end.)
func TestNestedProducts(t *testing.T) {
	sys := Kalah(2, 1, false)
	pit := func(p int) rules.Expr { return rules.Sum{Pits: []int{p}} }
	x := pit(0)
	for range 60 {
		x = rules.Binary{Op: rules.Add, L: rules.Binary{Op: rules.Mul, L: x, R: pit(1)}, R: rules.Const{Value: 1}}
	}
	sys.Start.Cond = rules.Conjunction(rules.Binary{Op: rules.Gt, L: x, R: rules.Const{}},
		rules.Conjunction(rules.Binary{Op: rules.Eq, L: pit(0), R: rules.Const{Value: 1}}, rules.Binary{Op: rules.Le, L: pit(1), R: rules.Const{Value: 1}}))
	sys.Start.Free = make([]bool, len(sys.Pits))
	sys.Start.Free[0], sys.Start.Free[1] = true, true
	list, err := starts(t, sys, 0)
	if err != nil || len(list) != 2 {
		t.Errorf("%d starts, %v; want 2", len(list), err)
	}
}

// TestNestedConditions: conditions of conditionals may be as deep as one likes.
func TestNestedConditions(t *testing.T) {
	sys := Kalah(2, 1, false)
	number, truth := Pit(0), Bin(rules.Gt, Pit(0), C(0))
	for range 60 {
		number = rules.Cond{If: Bin(rules.Gt, number, C(0)), Then: Pit(1), Else: C(3)}
		truth = rules.Cond{If: truth, Then: Bin(rules.Gt, Pit(1), C(0)), Else: Bin(rules.Eq, Pit(1), C(2))}
	}
	sys.Start.Cond = All(Bin(rules.Eq, number, C(1)), truth, Bin(rules.Le, Total([]int{0, 1}), C(2)))
	sys.Start.Free = Set(len(sys.Pits), []int{0, 1})
	list, err := starts(t, sys, 0)
	if err != nil || len(list) != 1 {
		t.Errorf("%d starts, %v; want 1", len(list), err)
	}
}

// TestForeign: unknown conditions are rejected.
func TestForeign(t *testing.T) {
	sys := Dose(2, 4)
	x := rulestest.ForeignExpr{Expr: rules.True}
	for _, cond := range []rules.Expr{x, rules.Not{X: x}, Bin(rules.Eq, Pit(0), x)} {
		with := *sys
		with.Start.Cond = cond
		for name, f := range map[string]func() error{
			"Starts":    func() error { _, err := starts(t, &with, 0); return err },
			"Matching":  func() error { _, err := tryMatching(sys, cond, rules.Kept{}, nil); return err },
			"MostSeeds": func() error { space.MostSeeds(&with); return nil },
		} {
			if rulestest.Silent(f) {
				t.Errorf("%s does not fail on %#v", name, cond)
			}
		}
	}
}
