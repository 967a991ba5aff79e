package interp_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	. "github.com/mancheck/mancheck/rules/internal/samples"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// bench is a solitaire on four pits a, b, c, d with a ring and a line of all of them, a number x in
// 0..3, a pit m, and one action with the given body.
func bench(body ...rules.Stmt) *rules.System {
	sys := &rules.System{
		Name: "Bench", Players: []string{""},
		Relations: []rules.Relation{{Name: "opposite", To: []int{2, rules.None, 0, rules.None}}},
		Laps:      []rules.Lap{rulestest.NewLap("ring", true, 4, 0, 1, 2, 3), rulestest.NewLap("line", false, 4, 0, 1, 2, 3)},
		Vars: []rules.Var{
			{Name: "x", Domain: []int{0, 1, 2, 3}},
			{Name: "m", Type: rules.PitType, Domain: []int{rules.None, 0, 1, 2, 3}, Init: rules.None},
		},
		Start:   rules.Start{Cond: rules.True, Free: []bool{true, true, true, true}},
		Moves:   []rules.Move{{Label: "go"}},
		Actions: []rules.Action{{Label: "go", Body: body, Locals: make([]rules.Type, 2)}},
		Outcomes: []rules.Outcome{
			{Label: "win", Kind: rules.WinOutcome},
			{Label: "end", Kind: rules.EndOutcome},
			{Label: rules.EndlessLabel, Kind: rules.EndlessOutcome},
		},
	}
	for _, name := range []string{"a", "b", "c", "d"} {
		sys.Pits = append(sys.Pits, rules.Pit{Name: name, Group: name, Owner: rules.None})
	}
	return sys
}

func laid(sys *rules.System, seeds ...int) rules.State {
	s := sys.EmptyStart()
	copy(s.Seeds, seeds)
	return s
}

func let(slot int, x rules.Expr) rules.Stmt         { return rules.SetLocal(slot, x) }
func setX(x rules.Expr) rules.Stmt                  { return rules.SetVar(0, x) }
func setM(x rules.Expr) rules.Stmt                  { return rules.SetVar(1, x) }
func when(c rules.Expr, s ...rules.Stmt) rules.Stmt { return rules.If{Cond: c, Then: s} }

func TestSow(t *testing.T) {
	never := []rules.Expr{nil, nil, nil, nil}
	skip := func(p int, x rules.Expr) []rules.Expr {
		list := slices.Clone(never)
		list[p] = x
		return list
	}
	all := []rules.Expr{rules.True, rules.True, rules.True, rules.True}
	isOrigin := func(p int) rules.Expr { return Bin(rules.Eq, rules.Origin, C(p)) }
	origins := []rules.Expr{isOrigin(0), isOrigin(1), isOrigin(2), isOrigin(3)}
	for _, c := range []struct {
		name          string
		sow           rules.Sow
		from, want    []int // nil: illegal
		last, dropped int
	}{
		{"a lap and more", rules.Sow{Source: C(0)}, []int{5, 0, 0, 0}, []int{1, 2, 1, 1}, 1, 1},
		{"no seeds", rules.Sow{Source: C(0)}, []int{0, 1, 0, 0}, nil, 0, 0},
		{"some of them", rules.Sow{Source: C(0), Count: C(2)}, []int{3, 0, 0, 0}, []int{1, 1, 1, 0}, 2, 0},
		{"none of them", rules.Sow{Source: C(0), Count: C(0)}, []int{3, 0, 0, 0}, nil, 0, 0},
		{"fewer than none", rules.Sow{Source: C(0), Count: C(-1)}, []int{3, 0, 0, 0}, nil, 0, 0},
		{"more than there are", rules.Sow{Source: C(0), Count: C(4)}, []int{3, 0, 0, 0}, nil, 0, 0},
		{"to the end of a line", rules.Sow{Source: C(1), Lap: 1}, []int{0, 2, 0, 0}, []int{0, 0, 1, 1}, 3, 0},
		{"beyond it", rules.Sow{Source: C(1), Lap: 1}, []int{0, 3, 0, 0}, nil, 0, 0},
		{"origin first", rules.Sow{Source: C(1), OriginFirst: true}, []int{0, 3, 0, 0}, []int{0, 1, 1, 1}, 3, 0},
		{"starting at", rules.Sow{Source: C(1), StartAt: C(0)}, []int{0, 3, 0, 0}, []int{1, 1, 1, 0}, 2, 0},
		{
			"starting at a skipped pit",
			rules.Sow{Source: C(1), StartAt: C(0), SkipIf: skip(0, rules.True)},
			[]int{0, 3, 0, 0},
			[]int{0, 1, 1, 1},
			3, 0,
		},
		{"skip the origin", rules.Sow{Source: C(0), SkipIf: origins}, []int{5, 0, 0, 0}, []int{0, 2, 2, 1}, 2, 1},
		{
			"skip is decided before",
			rules.Sow{Source: C(0), SkipIf: skip(1, Bin(rules.Gt, Pit(1), C(0)))},
			[]int{5, 0, 0, 0},
			[]int{1, 2, 1, 1},
			1, 1,
		},
		{"skip all", rules.Sow{Source: C(0), SkipIf: all}, []int{1, 0, 0, 0}, nil, 0, 0},
		{"last only", rules.Sow{Source: C(0), OnlyLast: Set(4, []int{1, 3})}, []int{2, 0, 0, 0}, []int{0, 0, 1, 1}, 3, 0},
		{"last only, not the last", rules.Sow{Source: C(0), OnlyLast: Set(4, []int{1})}, []int{2, 0, 0, 0}, []int{0, 0, 1, 1}, 3, 0},
		{
			"all last only, one seed",
			rules.Sow{Source: C(0), OnlyLast: Set(4, []int{0, 1, 2, 3})},
			[]int{1, 0, 0, 0},
			[]int{0, 1, 0, 0},
			1, 0,
		},
		{"all last only, two seeds", rules.Sow{Source: C(0), OnlyLast: Set(4, []int{0, 1, 2, 3})}, []int{2, 0, 0, 0}, nil, 0, 0},
		{
			"last only but skipped",
			rules.Sow{Source: C(0), OnlyLast: Set(4, []int{0, 1, 2}), SkipIf: skip(3, rules.True)},
			[]int{2, 0, 0, 0},
			nil, 0, 0,
		},
	} {
		sys := bench(c.sow, setM(rules.Last), setX(rules.LastWas))
		list := steps(t, interp.New(sys), laid(sys, c.from...))
		switch {
		case c.want == nil && len(list) > 0:
			t.Errorf("%s: legal, leads to %v", c.name, list[0].To.Seeds)
		case c.want != nil && len(list) == 0:
			t.Errorf("%s: not legal", c.name)
		case c.want != nil:
			to := list[0].To
			if !slices.Equal(to.Seeds, c.want) || to.Vars[1] != c.last || to.Vars[0] != c.dropped {
				t.Errorf("%s: %v last %d was %d, want %v last %d was %d", c.name, to.Seeds, to.Vars[1], to.Vars[0],
					c.want, c.last, c.dropped)
			}
		}
	}
}

// only plays the only move of the bench.
func only(t *testing.T, sys *rules.System, seeds ...int) rules.State {
	t.Helper()
	list := steps(t, interp.New(sys), laid(sys, seeds...))
	if len(list) != 1 {
		t.Fatalf("%d legal moves, want 1", len(list))
	}
	return list[0].To
}

func TestEachDrop(t *testing.T) {
	// Every seed that fills a pit to three goes on to d.
	sys := bench(rules.Sow{Source: C(0), Drop: []rules.Stmt{
		when(Bin(rules.Eq, rules.Seeds(rules.Last), C(3)), rules.Transfer{From: rules.Last, Into: C(3)}),
	}})
	if to := only(t, sys, 2, 2, 1, 0); !slices.Equal(to.Seeds, []int{0, 0, 2, 3}) {
		t.Errorf("%v", to.Seeds)
	}
}

// TestSowings: a sowing that a falling seed begins, or that follows another, skips its own pits.
func TestSowings(t *testing.T) {
	skip := func(p int) []rules.Expr {
		list := make([]rules.Expr, 4)
		list[p] = rules.True
		return list
	}
	inner := rules.Sow{Source: C(3), SkipIf: skip(0)}
	sys := bench(rules.Sow{Source: C(0), SkipIf: skip(2), Drop: []rules.Stmt{when(Bin(rules.Eq, rules.Last, C(1)), inner)}})
	if to := only(t, sys, 3, 0, 0, 1); !slices.Equal(to.Seeds, []int{1, 2, 0, 1}) {
		t.Errorf("one in another: %v", to.Seeds)
	}
	sys = bench(rules.Sow{Source: C(0), SkipIf: skip(1)}, rules.Sow{Source: C(1)}, rules.Sow{Source: C(2), SkipIf: skip(3)})
	if to := only(t, sys, 2, 1, 0, 0); !slices.Equal(to.Seeds, []int{1, 1, 0, 1}) {
		t.Errorf("one after another: %v", to.Seeds)
	}
}

// TestFinishWithSeedsInHand: a game that ends in the middle of a sowing loses no seed.
func TestFinishWithSeedsInHand(t *testing.T) {
	sys := bench(rules.Sow{Source: C(0), Drop: []rules.Stmt{rules.Stop{Outcome: 0}}}, setX(C(3)))
	to := only(t, sys, 4, 0, 0, 0)
	if !slices.Equal(to.Seeds, []int{3, 1, 0, 0}) || to.Outcome != 0 || to.Vars[0] != 0 || to.Mover != rules.None {
		t.Errorf("%+v", to)
	}
}

func TestGatherAndTake(t *testing.T) {
	none := C(rules.None)
	sys := bench(append(rulestest.Gather(C(2), C(0), none, C(2), C(3), C(0)), rules.Transfer{Count: C(2), From: C(2), Into: C(1)})...)
	if to := only(t, sys, 1, 1, 1, 1); !slices.Equal(to.Seeds, []int{0, 3, 1, 0}) {
		t.Errorf("%v", to.Seeds)
	}
}

// relay sows repeatedly from the last pit.
func relay() []rules.Stmt {
	return []rules.Stmt{rules.Sow{Source: C(0)}, rules.While{
		Cond: Bin(rules.Gt, rules.LastWas, C(0)),
		Body: []rules.Stmt{rules.Sow{Source: rules.Last}},
	}}
}

func TestEndless(t *testing.T) {
	spin := bench(rules.While{Cond: rules.True, Body: []rules.Stmt{setX(Bin(rules.Mod, Bin(rules.Add, Var(0), C(1)), C(3)))}}, setX(C(3)))
	if to := only(t, spin, 1, 0, 0, 0); to.Outcome != spin.Endless() || to.Vars[0] != 0 {
		t.Errorf("a loop round three values ends with %+v", to)
	}
	// 0, 1, 2, 3, 1: the board is left where a configuration recurs for the first time.
	rho := bench(rules.While{Cond: rules.True, Body: []rules.Stmt{
		setX(Bin(rules.Add, Bin(rules.Mod, Var(0), C(3)), C(1))),
	}})
	if to := only(t, rho, 1, 0, 0, 0); to.Outcome != rho.Endless() || to.Vars[0] != 1 {
		t.Errorf("a loop that does not come back to its beginning ends with %+v", to)
	}
	if to := only(t, bench(relay()...), 1, 1, 0, 1); !to.Live() {
		t.Errorf("a relay that ends is %+v", to)
	}
}

// TestNestedLoops: loops that start a second time from the same configuration, in another round of
// the loop around them, do end.
func TestNestedLoops(t *testing.T) {
	inner := rules.While{Cond: Bin(rules.Lt, rules.LocalAt(1), C(2)), Body: []rules.Stmt{let(1, Bin(rules.Add, rules.LocalAt(1), C(1)))}}
	outer := rules.While{
		Cond: Bin(rules.Lt, rules.LocalAt(0), C(3)),
		Body: []rules.Stmt{inner, let(1, C(0)), inner, let(0, Bin(rules.Add, rules.LocalAt(0), C(1)))},
	}
	if to := only(t, bench(outer, setX(rules.LocalAt(0))), 1); !to.Live() || to.Vars[0] != 3 {
		t.Errorf("%+v", to)
	}
	if to := only(t, bench(outer, let(0, C(0)), let(1, C(0)), outer), 1); !to.Live() {
		t.Errorf("the same loop twice: %+v", to)
	}
}

func TestPreferAndRequire(t *testing.T) {
	sys := bench()
	act := func(k int, body ...rules.Stmt) rules.Action {
		return rules.Action{Label: "go", Body: append(body, setX(C(k)))}
	}
	sys.Actions = []rules.Action{
		act(0), act(1, rules.Prefer(C(2))), act(2, rules.Prefer(C(5)), rules.Require(rules.False)),
		act(3, rules.Prefer(C(2))),
	}
	in := interp.New(sys)
	var got []int
	for _, st := range steps(t, in, laid(sys)) {
		got = append(got, st.Action)
	}
	if !slices.Equal(got, []int{1, 3}) {
		t.Errorf("legal: %v, want 1 and 3", got)
	}
	for a := range sys.Actions {
		if _, legal, err := in.Do(laid(sys), a); err != nil || legal != slices.Contains(got, a) {
			t.Errorf("action %d: legal %v, %v", a, legal, err)
		}
	}
}

func TestRuleErrors(t *testing.T) {
	sown := rules.Sow{Source: C(0)}
	for _, c := range []struct {
		body []rules.Stmt
		code diag.Code
		want string
	}{
		{[]rules.Stmt{setX(C(4))}, diag.Overflow, "`x` is set to 4, outside its range 0..3"},
		{[]rules.Stmt{setX(C(-1))}, diag.Overflow, "`x` is set to -1, outside its range 0..3"},
		{[]rules.Stmt{setX(Bin(rules.Div, C(1), Pit(1)))}, diag.DivZero, "division by zero: seeds(b) is 0"},
		{[]rules.Stmt{setX(Bin(rules.Mod, C(1), Pit(1)))}, diag.DivZero, "division by zero: seeds(b) is 0"},
		{[]rules.Stmt{rules.Transfer{Count: C(2), From: C(0), Into: C(1)}}, diag.Overdraw, "a take of 2 seeds from `a`, which holds 1"},
		{[]rules.Stmt{rules.Transfer{Count: C(-1), From: C(0), Into: C(1)}}, diag.Overdraw, "a take of -1 seeds from `a`"},
		{[]rules.Stmt{rules.Sow{Source: Var(1)}}, diag.NonePit, "`none` is used as a pit: m"},
		{[]rules.Stmt{rules.Transfer{From: C(0), Into: Var(1)}}, diag.NonePit, "`none` is used as a pit: m"},
		{
			[]rules.Stmt{sown, setX(rules.Seeds(bench().Related(rules.Last, 0)))},
			diag.NonePit,
			"`none` is used as a pit: opposite(last)",
		},
		{[]rules.Stmt{rules.Set{To: rules.Cell{Sort: rules.VarCell, Table: []int{0, -1, 0, 0}, Index: Var(1)}, X: C(0)}}, diag.NonePit, "`none` chooses no variable: m"},
		{[]rules.Stmt{rules.Set{To: rules.Cell{Sort: rules.VarCell, Table: []int{0, -1, 0, 0}, Index: C(1)}, X: C(0)}}, diag.NoValue, "there is no such variable for 1"},
		{[]rules.Stmt{setM(rules.Last)}, diag.NoValue, "`last` has no value: nothing was sown yet"},
		{[]rules.Stmt{setX(rules.LastWas)}, diag.NoValue, "`last was` has no value: nothing was sown yet"},
		{[]rules.Stmt{setM(rules.Origin)}, diag.NoValue, "`origin` has no value: nothing was sown yet"},
	} {
		sys := bench(c.body...)
		_, err := interp.New(sys).Steps(laid(sys, 1, 0, 0, 0))
		var fault *interp.RuleError
		if !errors.As(err, &fault) || fault.Diag.Code != c.code || fault.Diag.Message != c.want {
			t.Errorf("got %v, want %s: %s", err, c.code, c.want)
		}
	}
}

// TestRuleErrorPlace: a fault is reported at its statement if the expression has no range.
func TestRuleErrorPlace(t *testing.T) {
	at := diag.Range{File: "f.sow", Start: diag.Pos{Line: 7, Column: 3}}
	sys := bench(rules.Set{To: rules.VarAt(0), X: rules.LastWas, At: at})
	_, err := interp.New(sys).Steps(laid(sys))
	var fault *interp.RuleError
	if !errors.As(err, &fault) || fault.Diag.Range != at {
		t.Errorf("got %v, want it at %v", err, at)
	}
	var d diag.Diagnostic
	if !errors.As(err, &d) {
		t.Error("the diagnostic cannot be unwrapped")
	}
}

func TestGrowingLoop(t *testing.T) {
	sys := bench(rules.While{Cond: rules.True, Body: []rules.Stmt{let(0, Bin(rules.Add, rules.LocalAt(0), C(1)))}})
	_, err := interp.New(sys).Steps(laid(sys))
	var limit *rules.LimitError
	if !errors.As(err, &limit) {
		t.Errorf("got %v, want a limit", err)
	}
}

// turns is a game of two in which x is set to 1 or 2 in turn, or by an action that moves again.
func turns(reactions ...rules.Reaction) *rules.System {
	sys := bench()
	sys.Players = []string{"South", "North"}
	sys.Actions = []rules.Action{
		{Label: "go", Body: []rules.Stmt{setX(C(1))}},
		{Label: "on", Body: []rules.Stmt{setX(C(1)), rules.Again(0)}},
		{Label: "go", Mover: 1, Body: []rules.Stmt{setX(C(2))}},
	}
	sys.Reactions = reactions
	return sys
}

func ending(outcome int, when rules.Expr, body ...rules.Stmt) rules.Reaction {
	return rulestest.EndIf(2, outcome, when, body...)
}

func TestEndings(t *testing.T) {
	one := Bin(rules.Eq, Var(0), C(1))
	plain, late := ending(0, one), ending(0, one)
	late.AtTurnEnd = true
	northOnly := ending(0, rules.False)
	northOnly.By[1].When = one
	for _, c := range []struct {
		name string
		end  []rules.Reaction
		want []int // outcomes of `go` and `on` by South
	}{
		{"plain", []rules.Reaction{plain}, []int{0, 0}},
		{"at end of turn", []rules.Reaction{late}, []int{0, -1}},
		{"for the next mover", []rules.Reaction{northOnly}, []int{0, -1}},
		{"in order", []rules.Reaction{ending(1, one), plain}, []int{1, 1}},
		{"with a body that ends otherwise", []rules.Reaction{ending(1, one, rules.Stop{Outcome: 0})}, []int{0, 0}},
	} {
		sys := turns(c.end...)
		list := steps(t, interp.New(sys), laid(sys))
		for i, want := range c.want {
			if got := list[i].To.Outcome; got != want {
				t.Errorf("%s: `%s` gives outcome %d, want %d", c.name, sys.Actions[i].Label, got, want)
			}
			if over := list[i].To.Mover == rules.None; over != (want >= 0) {
				t.Errorf("%s: mover %d", c.name, list[i].To.Mover)
			}
		}
	}
}

func TestNoMove(t *testing.T) {
	stuck := ending(1, rules.NoMove)
	sys := turns(stuck)
	sys.Actions[2].Guard = rules.False
	list := steps(t, interp.New(sys), laid(sys))
	if list[0].To.Outcome != 1 || list[1].To.Outcome != rules.Live {
		t.Errorf("outcomes %d, %d; want the game to end when North has no move", list[0].To.Outcome, list[1].To.Outcome)
	}
}

// TestReactions: the game goes on after a reaction, in what it leaves and with who it says; each is
// evaluated once, in order.
func TestReactions(t *testing.T) {
	on := func(when rules.Expr, body ...rules.Stmt) rules.Reaction {
		by := rules.ReactionFor{When: when, Body: body}
		return rules.Reaction{By: []rules.ReactionFor{by, by}}
	}
	is := func(n int) rules.Expr { return Bin(rules.Eq, Var(0), C(n)) }
	late := on(is(1), setX(C(2)))
	late.AtTurnEnd = true
	forNorth := on(rules.False)
	forNorth.By[1] = rules.ReactionFor{When: rules.True, Body: []rules.Stmt{setX(C(2))}}
	for _, c := range []struct {
		name      string
		reactions []rules.Reaction
		x, mover  [2]int // after `go` and `on` by South
		outcome   [2]int
	}{
		{"sets", []rules.Reaction{on(is(1), setX(C(2)))}, [2]int{2, 2}, [2]int{1, 0}, [2]int{-1, -1}},
		{"in order", []rules.Reaction{on(is(2), setX(C(0))), on(is(1), setX(C(2)))}, [2]int{2, 2}, [2]int{1, 0}, [2]int{-1, -1}},
		{"one after the other", []rules.Reaction{on(is(1), setX(C(2))), on(is(2), setX(C(0)))}, [2]int{0, 0}, [2]int{1, 0}, [2]int{-1, -1}},
		{"at end of turn", []rules.Reaction{late}, [2]int{2, 1}, [2]int{1, 0}, [2]int{-1, -1}},
		{"who moves next", []rules.Reaction{on(is(1), rules.Again(0))}, [2]int{1, 1}, [2]int{0, 0}, [2]int{-1, -1}},
		{"end of turn is decided before", []rules.Reaction{on(is(1), rules.Again(1)), late}, [2]int{2, 1}, [2]int{1, 1}, [2]int{-1, -1}},
		{"for who is then to move", []rules.Reaction{on(is(1), rules.Again(1)), forNorth}, [2]int{2, 2}, [2]int{1, 1}, [2]int{-1, -1}},
		{"an ending in what it leaves", []rules.Reaction{on(is(1), setX(C(2))), ending(1, is(2))}, [2]int{2, 2}, [2]int{-1, -1}, [2]int{1, 1}},
		{"a body may end the game", []rules.Reaction{on(is(1), rules.If{Cond: rules.True, Then: []rules.Stmt{rules.Stop{Outcome: 0}}}, setX(C(2)))}, [2]int{1, 1}, [2]int{-1, -1}, [2]int{0, 0}},
	} {
		sys := turns(c.reactions...)
		for i, st := range steps(t, interp.New(sys), laid(sys)) {
			if got := st.To; got.Vars[0] != c.x[i] || got.Mover != c.mover[i] || got.Outcome != c.outcome[i] {
				t.Errorf("%s, `%s`: %+v, want x = %d, mover %d, outcome %d", c.name, sys.Actions[i].Label, got, c.x[i], c.mover[i], c.outcome[i])
			}
		}
	}
}

// TestFallbacks: a fallback is legal only where its player has no other move, and then the state is
// not stuck.
func TestFallbacks(t *testing.T) {
	sys := turns()
	sys.Actions[2].Guard = Bin(rules.Eq, Var(0), C(2))
	sys.Actions = append(sys.Actions, rules.Action{Label: "pass", Mover: 1, Fallback: true, Guard: rules.NoMove})
	in := interp.New(sys)
	s := laid(sys)
	s.Mover = 1
	for x, want := range map[int]string{1: "pass", 2: "go"} {
		s.Vars[0] = x
		list := steps(t, in, s)
		if len(list) != 1 || sys.Actions[list[0].Action].Label != want {
			t.Errorf("x = %d: steps %v, want `%s` alone", x, list, want)
		}
		for q, want := range map[rules.Question]int{rules.IsStuck: 0, rules.NoMove: x % 2} {
			if got, err := in.Eval(q, s, nil); err != nil || got != want {
				t.Errorf("x = %d: question %d gives %d, %v", x, q, got, err)
			}
		}
	}
}

// TestSolitaireTurnEnd: in a solitaire every move ends a turn, but the start does not.
func TestSolitaireTurnEnd(t *testing.T) {
	e := rulestest.EndIf(1, 0, rules.True)
	e.AtTurnEnd = true
	sys := bench(rules.Again(0))
	sys.Reactions = []rules.Reaction{e}
	if s, err := interp.New(sys).Start(laid(sys)); err != nil || !s.Live() {
		t.Errorf("start: %+v, %v", s, err)
	}
	if to := only(t, sys); to.Live() {
		t.Error("the game goes on after a move")
	}
}
