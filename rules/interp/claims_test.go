package interp_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/rules"
	. "github.com/mancheck/mancheck/rules/internal/samples"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

func TestOpenValues(t *testing.T) {
	sys := Dose(2, -1)
	in := interp.New(sys)
	for _, c := range []struct {
		seeds []int
		want  []int // nil: no start
	}{
		{[]int{0, 1, 1, 0, 1, 1}, []int{4}},
		{[]int{0, 3, 1, 0, 1, 5}, []int{10}},
		{[]int{0, 3, 0, 0, 1, 5}, nil},
		{[]int{1, 3, 1, 0, 1, 5}, nil}, // the stores start empty
	} {
		got, is, err := in.OpenValues(laid(sys, c.seeds...))
		if err != nil || is != (c.want != nil) || !slices.Equal(got, c.want) {
			t.Errorf("%v: %v %v %v, want %v", c.seeds, got, is, err, c.want)
		}
	}
	sys.Params[1].Hi, sys.Params[1].HasHi = 8, true
	if is, err := in.IsStart(laid(sys, 0, 3, 1, 0, 1, 5)); is || err != nil {
		t.Errorf("ten stones are a start (%v), though the parameter ends at 8", err)
	}
	sys.Start.Cond = Bin(rules.Le, Pit(1), rules.OpenParam{Param: 1})
	if _, err := in.IsStart(laid(sys)); err == nil || !strings.Contains(err.Error(), "does not say what `stones` is") {
		t.Errorf("undefined parameter: %v", err)
	}
}

// TestSweptStart: a start that is over at once is a start after the sweep, and not before it.
func TestSweptStart(t *testing.T) {
	sys := Kalah(2, 1, true)
	sys.Start.Cond = All(Bin(rules.Eq, Total([]int{1, 2}), C(3)), Bin(rules.Eq, Pit(3), C(0)), Bin(rules.Eq, Pit(4), C(0)))
	in := interp.New(sys)
	raw := laid(sys, 0, 1, 2, 0, 0, 0)
	settled, err := in.Start(raw)
	if err != nil || settled.Live() || settled.Seeds[0] != 3 {
		t.Fatalf("settles to %+v, %v", settled, err)
	}
	for _, c := range []struct {
		s    rules.State
		want bool
	}{{settled, true}, {raw, false}} {
		if is, err := in.IsStart(c.s); err != nil || is != c.want {
			t.Errorf("%v: start %v, %v", c.s, is, err)
		}
	}
}

// TestManyLayouts: if there are too many layouts to try, the answer is an error, not no.
func TestManyLayouts(t *testing.T) {
	sys := Kalah(2, 1, true)
	sys.Start.Free = slices.Repeat([]bool{true}, len(sys.Pits))
	sys.Start.Cond = Bin(rules.Eq, Bin(rules.Mul, Pit(1), Pit(1)), C(7))
	in := interp.New(sys)
	over := laid(sys, 100, 0, 0, 0, 0, 100)
	over.Outcome, over.Mover = 0, rules.None
	is, err := in.IsStart(over)
	if limit := (*rules.LimitError)(nil); is || !errors.As(err, &limit) {
		t.Errorf("200 seeds: %v, %v", is, err)
	}
	over.Seeds[0], over.Seeds[5] = 1, 1
	if is, err := in.IsStart(over); is || err != nil {
		t.Errorf("2 seeds: %v, %v", is, err)
	}
}

func TestEvalClaims(t *testing.T) {
	sys := Dose(2, 4)
	in := interp.New(sys)
	s := laid(sys, 0, 1, 1, 0, 1, 1)
	after := steps(t, in, s)[0].To
	stuck := after.Clone()
	stuck.Seeds[1] = 0
	won := after.Clone()
	won.Outcome, won.Mover = 1, rules.None
	for i, c := range []struct {
		x    rules.Expr
		s    rules.State
		old  *rules.State
		want int
	}{
		{rules.IsStart, s, nil, 1},
		{rules.IsStart, after, nil, 0},
		{rules.IsStuck, stuck, nil, 1},
		{rules.IsStuck, after, nil, 0},
		{rules.IsStuck, won, nil, 0},
		{rules.HasOutcome(1), won, nil, 1},
		{rules.HasOutcome(rules.Live), won, nil, 0},
		{rules.Mover, won, nil, rules.None},
		{rules.Old{X: Var(0)}, after, &s, rules.None},
		{Bin(rules.Sub, C(-7), Bin(rules.Mul, C(2), Bin(rules.Div, C(-7), C(2)))), s, nil, 1},
		{Bin(rules.Mod, C(-7), C(2)), s, nil, 1},
		{Bin(rules.Mod, C(7), C(-2)), s, nil, -1},
		{rules.In(C(rules.None), Set(6, nil)), s, nil, 0},
		{sys.Next(C(rules.None), 0), s, nil, rules.None},
		{Bin(rules.And, rules.False, Bin(rules.Div, C(1), C(0))), s, nil, 0},
		{Bin(rules.Or, rules.True, Bin(rules.Div, C(1), C(0))), s, nil, 1},
		{sys.Index(C(5)), s, nil, 4},
	} {
		if got, err := in.Eval(c.x, c.s, c.old); err != nil || got != c.want {
			t.Errorf("%d: %s = %d, %v; want %d", i, rules.ExprString(sys, c.x), got, err, c.want)
		}
	}
	if _, err := in.Eval(rules.Old{X: Var(0)}, s, nil); err == nil {
		t.Error("`old` has a value without a state before")
	}
}

func TestReplayErrors(t *testing.T) {
	sys := Dose(2, 4)
	in := interp.New(sys)
	s := laid(sys, 0, 1, 1, 0, 1, 1)
	for _, c := range []struct {
		moves []string
		want  string
	}{
		{[]string{"hole1"}, "move 1: `hole1` is not legal; did you mean `hole01`? (legal: hole01, hole02, hole03, hole04)"},
		{[]string{"hole01", "go west"}, "move 2: `go west` is not legal (legal: hole01 C, hole01 A)"},
	} {
		_, err := in.Replay(s, c.moves)
		if err == nil || err.Error() != c.want {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	twin := bench(setX(C(1)))
	twin.Actions = append(twin.Actions, rules.Action{Label: "go", Body: []rules.Stmt{setX(C(2))}})
	_, err := interp.New(twin).Replay(laid(twin), []string{"go"})
	var ambiguous *interp.MoveError
	if !errors.As(err, &ambiguous) || !ambiguous.Many {
		t.Errorf("got %v, want an ambiguous move", err)
	}
}

// TestRandomPlays: random plays neither make nor lose seeds, end only in finished states, and
// replay to the same end.
func TestRandomPlays(t *testing.T) {
	games := []*rules.System{Dose(3, 12), Kalah(4, 3, true), Kalah(3, 4, false), bench(relay()...)}
	rapid.Check(t, func(t *rapid.T) {
		sys := rapid.SampledFrom(games).Draw(t, "game")
		in := interp.New(sys)
		s := sys.EmptyStart()
		for p := range s.Seeds {
			s.Seeds[p] = rapid.IntRange(0, 5).Draw(t, "seeds")
		}
		s, err := in.Start(s)
		if err != nil {
			t.Fatal(err)
		}
		start, total, moves := s, s.Total(), []string{}
		for range 30 {
			list, err := in.Steps(s)
			if err != nil {
				t.Fatal(err)
			}
			if len(list) == 0 {
				break
			}
			st := rapid.SampledFrom(list).Draw(t, "step")
			moves = append(moves, in.Notation(st.Action, s))
			s = st.To
			if s.Total() != total || s.Live() != (s.Mover != rules.None) {
				t.Fatalf("%+v, want %d seeds", s, total)
			}
		}
		trace, err := in.Replay(start, moves)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(trace.Steps); n > 0 && !trace.Steps[n-1].State.Equal(s) {
			t.Fatalf("replayed to %+v, want %+v", trace.Steps[n-1].State, s)
		}
	})
}

// someParts draws which parts of a state are known.
func someParts(t *rapid.T, sys *rules.System) rules.Parts {
	some := func(n int, label string) []bool { return rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, label) }
	return rules.Parts{Pits: some(len(sys.Pits), "known pits"), Vars: some(len(sys.Vars), "known variables")}
}

// TestHoldsOn: what holds in a state of which parts are known holds whatever the other parts are.
func TestHoldsOn(t *testing.T) {
	decided := 0
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		cond := rulestest.Claim(sys, false).Draw(t, "condition")
		if rules.HasA[rules.Question](cond) {
			return // whoever asks for moves has kept what they need
		}
		states := rulestest.State(sys, 4)
		s, other, known := states.Draw(t, "state"), states.Draw(t, "other"), someParts(t, sys)
		for p, n := range s.Seeds {
			if known.HasPit(p) {
				other.Seeds[p] = n
			}
		}
		for v, x := range s.Vars {
			if known.HasVar(v) {
				other.Vars[v] = x
			}
		}
		other.Mover = s.Mover
		in := interp.New(sys)
		holds, err := in.HoldsOn(cond, s, known)
		if errors.As(err, new(*interp.HiddenError)) {
			return
		}
		decided++
		really, fault := in.Holds(cond, other, nil)
		if holds != really || (err == nil) != (fault == nil) {
			t.Fatalf("%s with %v known of %v: %v (%v); but of %v: %v (%v)", rules.ExprString(sys, cond), known, s, holds, err, other, really, fault)
		}
	})
	if decided == 0 {
		t.Errorf("only %d conditions had an answer", decided)
	}
}
