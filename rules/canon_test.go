package rules_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
	. "github.com/mancheck/mancheck/rules/internal/samples"
	"github.com/mancheck/mancheck/rules/rulestest"
)

const canonicalKalah = `
kernel 2
variant "Kalah"
param m = 1
param n = 2
param empty_capture = false
player "South"
player "North"
pit north_store index 0 owner "North"
pit north1 index 1 owner "North"
pit south1 index 1 owner "South"
pit south_store index 0 owner "South"
ring ccw = south1, south_store, north1, north_store
relation opposite = none, south1, north1, none
setup "" mover "South" free {north1, south1}
  when seeds(south1) = 2
  and seeds(north1) = 2
move "move" of "South" written "1" {
  sow all from south1 along ccw skip {north_store}
  if last = south_store {
    next mover = "South"
  }
  if last was = 0 and last in {south1} and seeds(opposite(last)) > 0 {
    move all from last into south_store
    move all from opposite(last) into south_store
  }
}
move "move" of "North" written "1" {
  sow all from north1 along ccw skip {south_store}
  if last = north_store {
    next mover = "North"
  }
  if last was = 0 and last in {north1} and seeds(opposite(last)) > 0 {
    move all from last into north_store
    move all from opposite(last) into north_store
  }
}
outcome "end" label "end" end
outcome "endless" label "endless" endless
reaction {
  for "South" {
    when total({south1}) = 0 or total({north1}) = 0
    move all from south1 into south_store
    move all from north1 into north_store
    finish "end"
  }
  for "North" {
    when total({south1}) = 0 or total({north1}) = 0
    move all from south1 into south_store
    move all from north1 into north_store
    finish "end"
  }
}
score "South" = seeds(south_store)
score "North" = seeds(north_store)
`

func TestCanonical(t *testing.T) {
	if diff := cmp.Diff(strings.TrimPrefix(canonicalKalah, "\n"), string(Kalah(1, 2, false).Canonical())); diff != "" {
		t.Error(diff)
	}
}

// TestHashIgnores: what does not affect the meaning does not affect the hash.
func TestHashIgnores(t *testing.T) {
	want := Kalah(3, 2, true).Hash()
	sys := Kalah(3, 2, true)
	sys.File, sys.Picture = "elsewhere.sow", nil
	sys.Moves[0].At = diag.Range{File: "elsewhere.sow"}
	sow := sys.Actions[0].Body[0].(rules.Sow)
	sow.At = sys.Moves[0].At
	sys.Actions[0].Body[0] = sow
	if got := sys.Hash(); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
}

func TestHashSees(t *testing.T) {
	sow := func(change func(*rules.Sow)) func(*rules.System) {
		return func(sys *rules.System) {
			s := sys.Actions[0].Body[0].(rules.Sow)
			change(&s)
			sys.Actions[0].Body[0] = s
		}
	}
	body := func(s rules.Stmt) func(*rules.System) {
		return func(sys *rules.System) { sys.Actions[0].Body = append(sys.Actions[0].Body, s) }
	}
	// named has a variable whose name is a word of the canonical text.
	named := func(name string, s rules.Stmt) func(*rules.System) {
		return func(sys *rules.System) {
			sys.Vars = []rules.Var{{Name: name, Domain: []int{0, 1}}}
			body(s)(sys)
		}
	}
	sweep := []rules.Stmt{rules.Transfer{Count: C(1), From: P(1), Into: P(2)}}
	changes := []func(*rules.System){
		func(*rules.System) {},
		func(sys *rules.System) { sys.Name = "Other" },
		func(sys *rules.System) { sys.Params[0].Value = 7 },
		func(sys *rules.System) { sys.Params[0].Open = true },
		func(sys *rules.System) { sys.Params[0].Open, sys.Params[0].HasHi = true, false },
		func(sys *rules.System) { sys.Pits[1].Name = "p" },
		func(sys *rules.System) { sys.Pits[1].Index = 9 },
		func(sys *rules.System) { sys.Pits[1].Owner = rules.None },
		func(sys *rules.System) { sys.Relations[0].To[1] = rules.None },
		func(sys *rules.System) { sys.Laps[0].Ring = false },
		func(sys *rules.System) {
			sys.Laps[0].Pits[0], sys.Laps[0].Pits[1] = sys.Laps[0].Pits[1], sys.Laps[0].Pits[0]
		},
		func(sys *rules.System) { sys.Vars = []rules.Var{{Name: "x", Domain: []int{0, 1}}} },
		func(sys *rules.System) { sys.Vars = []rules.Var{{Name: "x", Domain: []int{0, 1}, Init: 1}} },
		func(sys *rules.System) { sys.Vars = []rules.Var{{Name: "x", Domain: []int{0, 1}, Ghost: true}} },
		func(sys *rules.System) { sys.Enums = [][]string{{"one", "two"}} },
		func(sys *rules.System) { sys.Actions[0].Locals = []rules.Type{rules.NumberType} },
		func(sys *rules.System) { sys.Actions[0].Locals = []rules.Type{rules.PitType} },
		func(sys *rules.System) {
			sys.Vars = []rules.Var{{Name: "x", Domain: []int{0, 1}, Type: rules.TruthType}}
		},
		func(sys *rules.System) { sys.Start.Label = "S" },
		func(sys *rules.System) { sys.Start.Mover = 1 },
		func(sys *rules.System) { sys.Start.Free[0] = true },
		func(sys *rules.System) { sys.Start.Cond = All(sys.Start.Cond, rules.False) },
		func(sys *rules.System) { sys.Actions[0].Label = "SR004" },
		func(sys *rules.System) { sys.Actions[0].Mover = 1 },
		func(sys *rules.System) { sys.Actions[0].Written = nil },
		func(sys *rules.System) { sys.Actions[0].Written = []rules.Written{{X: C(1)}} },
		func(sys *rules.System) { sys.Actions[0].Written = []rules.Written{{X: P(1), Pit: true}} },
		func(sys *rules.System) { sys.Actions[0].Guard = Bin(rules.Gt, Pit(1), C(0)) },
		func(sys *rules.System) { sys.Actions = sys.Actions[1:] },
		sow(func(s *rules.Sow) { s.Count = C(1) }),
		sow(func(s *rules.Sow) { s.Source = P(1) }),
		sow(func(s *rules.Sow) { s.SkipIf = nil }),
		sow(func(s *rules.Sow) { s.OnlyLast = Set(8, []int{0}) }),
		sow(func(s *rules.Sow) { s.OriginFirst = true }),
		sow(func(s *rules.Sow) { s.StartAt = P(2) }),
		sow(func(s *rules.Sow) { s.Drop = []rules.Stmt{rules.Again(0)} }),
		body(rules.Again(0)),
		body(rules.Again(1)),
		body(rules.Stop{Outcome: 0}),
		body(rules.Stop{Outcome: 1}),
		body(rules.Require(rules.True)),
		body(rules.Prefer(C(1))),
		named("rank", rules.Prefer(C(1))),
		named("rank", rules.SetVar(0, C(1))),
		named("outcome", rules.Require(rules.Not{X: Var(0)})),
		named("outcome", rules.Require(rules.Not{X: rules.Register(rules.OutcomeReg)})),
		body(rules.SetLocal(0, C(1))),
		body(rules.While{Cond: rules.False}),
		body(rules.If{Cond: rules.False}),
		body(rules.If{Cond: rules.False, Else: sweep}),
		body(rules.If{Cond: rules.False, Then: sweep}),
		body(sweep[0]),
		func(sys *rules.System) { sys.Outcomes[0].Label = "over" },
		func(sys *rules.System) { sys.Outcomes[0].Kind = rules.DrawOutcome },
		func(sys *rules.System) { sys.Reactions[0].AtTurnEnd = true },
		func(sys *rules.System) { sys.Reactions[0].By[0].When = rules.NoMove },
		func(sys *rules.System) { sys.Actions[0].Fallback = true },
		func(sys *rules.System) { sys.Outcomes[0].Kind = rules.WinOutcome },
		func(sys *rules.System) { sys.Outcomes[0].Kind, sys.Outcomes[0].Winner = rules.WinOutcome, 1 },
		func(sys *rules.System) { sys.Reactions[0].By[1].When = rules.True },
		func(sys *rules.System) { sys.Reactions[0].By[1].Body = nil },
		func(sys *rules.System) { sys.Scores[0] = nil },
	}
	seen := map[string]int{}
	for i, change := range changes {
		sys := Kalah(3, 2, true)
		change(sys)
		if first, dup := seen[sys.Hash()]; dup {
			t.Errorf("changes %d and %d have the same hash", first, i)
		}
		seen[sys.Hash()] = i
	}
}

func TestExprString(t *testing.T) {
	sys := Dose(2, -1)
	or := func(l, r rules.Expr) rules.Expr { return Bin(rules.Or, l, r) }
	for _, c := range []struct {
		x    rules.Expr
		want string
	}{
		{sys.Reactions[0].By[0].When, "total(hole) = 0"},
		{Bin(rules.Ne, Var(0), P(rules.None)), "selected /= none"},
		{Bin(rules.Eq, Var(0), P(4)), "selected = hole03"},
		{rules.Not{X: or(rules.IsStart, rules.IsStuck)}, "not (start or stuck)"},
		{All(or(rules.IsStart, rules.IsStuck), rules.HasOutcome(1)), "(start or stuck) and SR006"},
		{rules.HasOutcome(rules.Live), "not finished"},
		{Bin(rules.Sub, Pit(1), Bin(rules.Sub, Pit(2), C(1))), "seeds(hole01) - (seeds(hole02) - 1)"},
		{Bin(rules.Mul, Bin(rules.Add, Pit(1), C(1)), rules.OpenParam{Param: 1}), "(seeds(hole01) + 1) * stones"},
		{Bin(rules.Max, Pit(1), C(1)), "max(seeds(hole01), 1)"},
		{rules.Seeds(sys.Before(Var(0), 1)), "seeds(before(selected along anticlockwise))"},
		{rules.Old{X: Pit(1)}, "old seeds(hole01)"},
		{rules.In(rules.Last, Set(6, []int{0, 3})), "last in store"},
		{rules.Cond{If: rules.IsStuck, Then: C(1), Else: C(2)}, "(if stuck then 1 else 2)"},
		{rules.Cell{Sort: rules.VarCell, Table: []int{0, 0}, Index: rules.Mover}, "selected(mover)"},
	} {
		if got := rules.ExprString(sys, c.x); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func ExampleSystem_Hash() {
	fmt.Println(len(Dose(6, 48).Hash()))
	// Output: 64
}

// TestPlayHash: the number of seeds at the start does not matter, and all rules do.
func TestPlayHash(t *testing.T) {
	four, five, other := rulestest.Kalah(3, 4, true), rulestest.Kalah(3, 5, true), rulestest.Kalah(3, 4, false)
	if four.PlayHash() != five.PlayHash() {
		t.Error("the same rules with another setup have another hash")
	}
	if four.PlayHash() == other.PlayHash() {
		t.Error("other rules have the same hash")
	}
	if four.PlayHash() == four.Hash() {
		t.Error("the hash without the setup is that with it")
	}
}
