package slice_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

func names(sys *rules.System, keep slice.Slice) string {
	var list []string
	for p, k := range keep.Pits {
		if k {
			list = append(list, sys.Pits[p].Name)
		}
	}
	for v, k := range keep.Vars {
		if k {
			list = append(list, sys.Vars[v].Name)
		}
	}
	return strings.Join(list, " ")
}

func number(v int) rules.Expr { return rules.Const{Value: v} }

func TestKeep(t *testing.T) {
	dose, kalah := rulestest.Solitaire(2), rulestest.Kalah(2, 2, false)
	for _, c := range []struct {
		name string
		sys  *rules.System
		goal rules.Expr
		want string
	}{
		{"stores of the solitaire do not matter", dose, rules.HasOutcome(0), "hole1 hole2 hole3 hole4 selected"},
		{"unless the goal asks for one", dose, rules.Seeds(number(4)), "hole1 hole2 hole3 hole4 store1 selected"},
		{"or for starts", dose, rules.IsStart, "hole1 hole2 hole3 hole4 store1 store2 selected"},
		{"stores of Kalah do not matter to the course of play", kalah, rules.True, "south1 south2 north1 north2"},
		{"but to the score", kalah, kalah.Scores[0], "south1 south2 south_store1 north1 north2"},
	} {
		if got := names(c.sys, slice.Keep(context.Background(), c.sys, c.goal)); got != c.want {
			t.Errorf("%s: kept %s, want %s", c.name, got, c.want)
		}
	}
}

// TestOverAtTheStart: an ending may have set any variable of a start that is over, so all of them
// matter to whether a state is one.
func TestOverAtTheStart(t *testing.T) {
	sys := rulestest.Solitaire(2)
	for want, goal := range map[bool]rules.Expr{true: rules.IsStart, false: rules.HasOutcome(0)} {
		if got := slice.Keep(context.Background(), sys, goal).Over[0]; got != want {
			t.Errorf("%v: kept is %v, want %v", goal, got, want)
		}
	}
}

func TestDropped(t *testing.T) {
	got := slice.Keep(context.Background(), rulestest.Solitaire(3)).Dropped
	if len(got) != 2 || got[0] != "store1: no guard, effect, ending or claim asks for its seeds" {
		t.Errorf("dropped %q", got)
	}
}

// one is a System of two pits on a ring, a variable that is a pit or none, and one action with this
// body.
func one(body ...rules.Stmt) *rules.System {
	sys := &rules.System{
		Players: []string{""}, Pits: []rules.Pit{{Name: "a"}, {Name: "b"}, {Name: "c"}}, Relations: []rules.Relation{{Name: "opposite", To: []int{-1, -1, -1}}},
		Laps:     []rules.Lap{rulestest.NewLap("lap", true, 3, 0, 1)},
		Outcomes: []rules.Outcome{{Label: rules.EndlessLabel, Kind: rules.EndlessOutcome}},
		Moves:    []rules.Move{{Label: "move"}}, Actions: []rules.Action{{Body: body, Locals: make([]rules.Type, 1)}},
	}
	for _, name := range []string{"v", "w"} {
		sys.Vars = append(sys.Vars, rules.Var{Name: name, Type: rules.PitType, Domain: []int{-1, 0, 1, 2}, Init: -1})
	}
	return sys
}

func TestKeepOfBodies(t *testing.T) {
	v, w := rules.VarAt(0), rules.VarAt(1)
	set := func(variable int, x rules.Expr) rules.Stmt { return rules.SetVar(variable, x) }
	some := rules.Require(rules.Binary{Op: rules.Gt, L: rules.Seeds(number(1)), R: number(0)})
	gather := rules.Transfer{From: number(2), Into: number(1)}
	for _, c := range []struct {
		name string
		sys  *rules.System
		want string
	}{
		{"nothing", one(), ""},
		{"a variable that is only set", one(set(0, w)), ""},
		{"a variable that is read", one(set(0, w), rules.Require(v)), "v w"},
		{"what is captured into a pit that is read", one(gather, some), "b c"},
		{"what is captured into a pit that is not read", one(gather), ""},
		{"a pit that is sown from", one(rules.Sow{Source: number(0)}), "a"},
		{"all pits that a loop changes", one(rules.Sow{Source: number(0)}, rules.While{Cond: rules.LastWas, Body: []rules.Stmt{gather}}), "a b c"},
		{"a local that is read", one(rules.SetLocal(0, w), set(0, rules.LocalAt(0)), rules.Require(rules.LocalAt(0))), "w"},
		{"a pit chosen by a variable", one(rules.If{
			Cond: rules.In(v, []bool{false, true, false}),
			Then: []rules.Stmt{rules.Require(rules.Seeds(v))},
		}), "b v"},
		{"what may be none of the values", one(set(0, rules.Seeds(number(1)))), "b"},
	} {
		if got := names(c.sys, slice.Keep(context.Background(), c.sys)); got != c.want {
			t.Errorf("%s: kept %q, want %q", c.name, got, c.want)
		}
	}
}

// TestBisimulation: states that agree on what is kept have the same legal actions, which lead to
// states that agree again, and satisfy the same goals.
func TestBisimulation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		goal := rulestest.Claim(sys, false).Draw(t, "goal")
		keep := slice.Keep(context.Background(), sys, goal)
		s := rulestest.State(sys, 8).Draw(t, "state")
		other := copyKept(keep, s, rulestest.State(sys, 8).Draw(t, "other"))
		compareSteps(t, sys, keep, s, other)
		compareGoal(t, sys, goal, s, other)
	})
}

// TestKeptAreListed: a goal can be listed on what is kept for it, whatever stands beside it that is
// never asked. A state that satisfies it is listed.
func TestKeptAreListed(t *testing.T) {
	impossible := rules.Binary{Op: rules.Lt, L: rules.PitAt(0), R: number(0)}
	listed := 0
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		goal := rulestest.Claim(sys, false).Draw(t, "goal")
		switch rapid.IntRange(0, 2).Draw(t, "beside") {
		case 0:
			goal = rules.Binary{Op: rules.And, L: impossible, R: goal}
		case 1:
			goal = rules.Binary{Op: rules.Or, L: rules.Not{X: impossible}, R: goal}
		}
		keep := slice.Keep(context.Background(), sys, goal).Kept
		for v, over := range keep.Over {
			if over && !keep.Vars[v] {
				t.Fatalf("goal %s: variable %d is only kept when the game is over\n%s", rules.ExprString(sys, goal), v, sys.Canonical())
			}
		}
		s, in := rulestest.State(sys, 3).Draw(t, "state"), interp.New(sys)
		holds, err := in.Holds(goal, s, nil)
		want := keep.Project(sys, s)
		got := false
		list := space.MatchingUpTo(context.Background(), in, goal, keep, new(3), func(s rules.State) error {
			got = got || s.Equal(want)
			return nil
		})
		switch hidden := new(interp.HiddenError); {
		case errors.As(list, &hidden):
			t.Fatalf("goal %s: %v\n%s", rules.ExprString(sys, goal), list, sys.Canonical())
		case list == nil && err == nil && holds && want.Total() <= 3 && !got:
			t.Fatalf("goal %s: %v is not listed\n%s", rules.ExprString(sys, goal), s, sys.Canonical())
		}
		if got {
			listed++
		}
	})
	if listed == 0 {
		t.Error("nothing was listed")
	}
}

func copyKept(keep slice.Slice, from, to rules.State) rules.State {
	to = to.Clone()
	to.Mover, to.Outcome = from.Mover, from.Outcome
	for p, k := range keep.Pits {
		if k {
			to.Seeds[p] = from.Seeds[p]
		}
	}
	for v, k := range keep.Vars {
		if k {
			to.Vars[v] = from.Vars[v]
		}
	}
	return to
}

func compareSteps(t *rapid.T, sys *rules.System, keep slice.Slice, s, other rules.State) {
	in := interp.New(sys)
	steps, err := in.Steps(s)
	others, err2 := in.Steps(other)
	if (err == nil) != (err2 == nil) || len(steps) != len(others) {
		t.Fatalf("steps %v, %v; but from %v: %v, %v\n%s", steps, err, other, others, err2, sys.Canonical())
	}
	for i, st := range steps {
		if o := others[i]; o.Action != st.Action || !o.To.Equal(copyKept(keep, st.To, o.To)) {
			t.Fatalf("from %v: step %v; but from %v: %v\n%s", s, st, other, o, sys.Canonical())
		}
	}
}

func compareGoal(t *rapid.T, sys *rules.System, goal rules.Expr, s, other rules.State) {
	in := interp.New(sys)
	holds, err := in.Holds(goal, s, nil)
	holds2, err2 := in.Holds(goal, other, nil)
	if holds != holds2 || (err == nil) != (err2 == nil) {
		t.Fatalf("goal %s: %v, %v in %v, but %v, %v in %v", rules.ExprString(sys, goal), holds, err, s, holds2, err2, other)
	}
}

// TestForeign: slicing does not ignore unknown statements and expressions.
func TestForeign(t *testing.T) {
	for place, sys := range rulestest.Foreign() {
		if rulestest.Silent(func() error { slice.Keep(context.Background(), sys); return nil }) {
			t.Errorf("%s: Keep does not fail", place)
		}
	}
	goal := rulestest.ForeignExpr{Expr: rules.True}
	if rulestest.Silent(func() error { slice.Keep(context.Background(), rulestest.Solitaire(2), goal); return nil }) {
		t.Error("Keep does not fail on a goal")
	}
}

// TestSteers: a pit to which a loop adds seeds is kept, but does not steer the play unless seeds
// leave it.
func TestSteers(t *testing.T) {
	const south, store = 0, 2
	for _, loses := range []bool{false, true} {
		sys := *rulestest.Kalah(2, 2, false)
		from, to := number(south), number(store)
		loop := rules.While{Cond: rules.Binary{Op: rules.Gt, L: rules.Seeds(from), R: number(0)}, Body: []rules.Stmt{rules.Transfer{From: from, Into: to}}}
		sys.Actions = append([]rules.Action{}, sys.Actions...)
		sys.Actions[0].Body = append([]rules.Stmt{loop}, sys.Actions[0].Body...)
		if loses {
			sys.Actions[1].Body = append([]rules.Stmt{rules.Transfer{From: to, Into: from}}, sys.Actions[1].Body...)
		}
		s := slice.Keep(context.Background(), &sys)
		if sys.Pits[store].Name != "south_store1" || !s.Pits[store] || s.Loses[store] != loses || s.Steers[store] != loses || !s.Steers[south] {
			t.Errorf("%s, which loses seeds: %v; kept %v, loses %v, steers %v", sys.Pits[store].Name, loses, s.Pits, s.Loses, s.Steers)
		}
	}
}
