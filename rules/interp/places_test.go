package interp_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestSumBeyondRange: the seeds in some pits together may be more than a number.
func TestSumBeyondRange(t *testing.T) {
	sys := rulestest.Solitaire(2)
	in, s, x := interp.New(sys), sys.EmptyStart(), rules.Sum{Pits: []int{0, 1}}
	s.Seeds[0] = num.Most
	if n, err := in.Eval(x, s, nil); n != num.Most || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	s.Seeds[1] = 1
	if n, err := in.Eval(x, s, nil); !errors.As(err, new(*rules.LimitError)) {
		t.Errorf("%d, %v: no limit", n, err)
	}
}

// TestPlaceOfFault: a fault without a place of its own is reported at the statement under way, or
// at the reaction.
func TestPlaceOfFault(t *testing.T) {
	at := diag.Range{File: "game.sow", Start: diag.Pos{Line: 3}}
	none, one := rules.FixedPit(rules.None), rules.FixedPit(1)
	fails := rules.Binary{Op: rules.Eq, L: rules.PitAt(0), R: rules.Binary{Op: rules.Div, L: rules.Number(1), R: rules.PitAt(4)}}
	earlier := rules.Set{To: rules.Register(rules.RankReg), X: rules.Number(1), At: diag.Range{File: "game.sow", Start: diag.Pos{Line: 2}}}
	for name, s := range map[string]rules.Stmt{
		"sow":      rules.Sow{Source: none, At: at},
		"transfer": rules.Transfer{From: one, Into: none, At: at},
		"set":      rules.Set{To: rules.Register(rules.RankReg), X: fails, At: at},
		"while":    rules.While{Cond: fails, At: at},
	} {
		sys := rulestest.Solitaire(2)
		sys.Actions = []rules.Action{{Body: []rules.Stmt{earlier, s}}}
		checkPlace(t, name, sys, at)
	}
	sys := rulestest.Solitaire(2)
	sys.Actions = []rules.Action{{Body: []rules.Stmt{earlier, rules.Set{To: rules.Register(rules.RankReg), X: fails}}}}
	checkPlace(t, "set without a place", sys, earlier.At)
	sys.Actions = []rules.Action{{Body: []rules.Stmt{earlier}}}
	sys.Reactions = []rules.Reaction{{By: []rules.ReactionFor{{When: rules.False}}, At: earlier.At}, {By: []rules.ReactionFor{{When: fails}}, At: at}}
	checkPlace(t, "reaction", sys, at)
}

// checkPlace checks where a state without seeds has its fault.
func checkPlace(t *testing.T, name string, sys *rules.System, at diag.Range) {
	t.Helper()
	var fault *interp.RuleError
	if _, err := interp.New(sys).Steps(sys.EmptyStart()); !errors.As(err, &fault) || fault.Diag.Range != at {
		t.Errorf("%s: %v", name, err)
	}
}

// TestReactionsInTurn: a reaction sees what those before it have done.
func TestReactionsInTurn(t *testing.T) {
	sys := rulestest.Solitaire(2)
	sys.Actions = []rules.Action{{}}
	move := func(from, into int) rules.Reaction {
		return rules.Reaction{By: []rules.ReactionFor{{
			When: rules.Binary{Op: rules.Gt, L: rules.PitAt(from), R: rules.Number(0)},
			Body: []rules.Stmt{rules.Transfer{From: rules.FixedPit(from), Into: rules.FixedPit(into)}},
		}}}
	}
	sys.Reactions = []rules.Reaction{move(0, 1), move(1, 2), move(0, 3)}
	s := sys.EmptyStart()
	s.Seeds[0] = 2
	if steps, err := interp.New(sys).Steps(s); err != nil || len(steps) != 1 || steps[0].To.Seeds[2] != 2 {
		t.Errorf("%v, %v", steps, err)
	}
}

// TestReactionsBeginAnew: a reaction knows neither the sowing before it, by the action or another
// reaction, nor its locals.
func TestReactionsBeginAnew(t *testing.T) {
	sow := rules.Sow{Source: rules.FixedPit(0)}
	on := func(when rules.Expr, body ...rules.Stmt) rules.Reaction {
		return rules.Reaction{By: []rules.ReactionFor{{When: when, Body: body, Locals: make([]rules.Type, 1)}}}
	}
	reads := rules.Binary{Op: rules.Eq, L: rules.Last, R: rules.FixedPit(0)}
	gather := rules.Transfer{From: rules.FixedPit(1), Into: rules.Last}
	for name, sys := range map[string]*rules.System{
		"condition": {Actions: []rules.Action{{Body: []rules.Stmt{sow}}}, Reactions: []rules.Reaction{on(reads)}},
		"body":      {Actions: []rules.Action{{Body: []rules.Stmt{sow}}}, Reactions: []rules.Reaction{on(rules.True, gather)}},
		"reaction":  {Actions: []rules.Action{{}}, Reactions: []rules.Reaction{on(rules.True, sow), on(rules.True, gather)}},
	} {
		whole := rulestest.Solitaire(2)
		whole.Actions, whole.Reactions = sys.Actions, sys.Reactions
		s := whole.EmptyStart()
		s.Seeds[0] = 1
		if _, err := interp.New(whole).Steps(s); !errors.As(err, new(*interp.RuleError)) {
			t.Errorf("%s: %v: no fault", name, err)
		}
	}
	sys := rulestest.Solitaire(2)
	sys.Actions = []rules.Action{{Body: []rules.Stmt{rules.SetLocal(0, rules.Number(1))}, Locals: make([]rules.Type, 1)}}
	sys.Reactions = []rules.Reaction{on(rules.True, rules.Transfer{Count: rules.LocalAt(0), From: rules.FixedPit(0), Into: rules.FixedPit(1)})}
	s := sys.EmptyStart()
	s.Seeds[0] = 1
	if steps, err := interp.New(sys).Steps(s); err != nil || steps[0].To.Seeds[0] != 1 {
		t.Errorf("%v, %v", steps, err)
	}
}

// TestSkips: of the pits that get no seed some are so by the rules, and others by the state.
func TestSkips(t *testing.T) {
	sys := rulestest.Solitaire(2)
	next := sys.Laps[0].Next
	first, second, third := next[0], next[next[0]], next[next[next[0]]]
	skip := make([]rules.Expr, len(sys.Pits))
	skip[first], skip[second] = rules.True, rules.Binary{Op: rules.Gt, L: rules.PitAt(second), R: rules.Number(0)}
	sys.Actions = []rules.Action{{Body: []rules.Stmt{rules.Sow{Source: rules.FixedPit(0), SkipIf: skip}}}}
	p, s := interp.New(sys).Player(), sys.EmptyStart()
	s.Seeds[0] = 1
	for n, into := range []int{second, third} {
		s.Seeds[second] = n
		if to, legal, err := p.Do(s, 0); err != nil || !legal || to.Seeds[into] != 1 {
			t.Errorf("%v, %t, %v: no seed in pit %d", to, legal, err, into)
		}
	}
}

// TestLongSowing: seeds that have no consequences fall as others do, up to the largest number.
func TestLongSowing(t *testing.T) {
	sys := rulestest.Solitaire(2)
	sys.Actions = []rules.Action{{Body: []rules.Stmt{rules.Sow{Source: rules.FixedPit(0)}}}}
	s := sys.EmptyStart()
	s.Seeds[0] = 5000
	seen := slices.Clone(s.Seeds)
	account, err := interp.New(sys).Account(s, 0)
	for _, m := range account {
		if m.From != rules.None {
			seen[m.From] -= m.Seeds
		}
		if m.Into != rules.None {
			seen[m.Into] += m.Seeds
		}
	}
	steps, other := interp.New(sys).Steps(s)
	if err != nil || other != nil || !slices.Equal(seen, steps[0].To.Seeds) {
		t.Errorf("%v, but one by one %v (%v, %v)", steps, seen, err, other)
	}
	s.Seeds[0] = 2
	s.Seeds[sys.Laps[0].Next[0]] = num.Most
	if _, err := interp.New(sys).Steps(s); !errors.As(err, new(*rules.LimitError)) {
		t.Errorf("%v: no limit", err)
	}
	within, end := context.WithCancel(t.Context())
	end()
	s = sys.EmptyStart()
	s.Seeds[0] = num.Most / 2
	if _, err := interp.New(sys).Within(within).Steps(s); !errors.Is(err, context.Canceled) {
		t.Errorf("%v: not cancelled", err)
	}
}

// TestRunsShareNothing: a run in the memory of another one does not know the pit of its last seed.
func TestRunsShareNothing(t *testing.T) {
	sys := rulestest.Solitaire(2)
	gather := []rules.Stmt{rules.Transfer{From: rules.FixedPit(1), Into: rules.Last}}
	sys.Actions = []rules.Action{{Body: []rules.Stmt{rules.Sow{Source: rules.FixedPit(0)}}}, {Body: gather}}
	p, s := interp.New(sys).Player(), sys.EmptyStart()
	s.Seeds[0] = 1
	if _, legal, err := p.Do(s, 0); err != nil || !legal {
		t.Fatalf("the sowing is legal: %t, %v", legal, err)
	}
	if _, _, err := p.Do(s, 1); !errors.As(err, new(*interp.RuleError)) {
		t.Errorf("%v: no fault", err)
	}
}

// TestHiddenParts: a condition that reads an unknown part has no value.
func TestHiddenParts(t *testing.T) {
	sys := rulestest.Solitaire(2)
	known := rules.Parts{Pits: make([]bool, len(sys.Pits)), Vars: make([]bool, len(sys.Vars))}
	for _, x := range []rules.Expr{rules.PitAt(0), rules.VarAt(0), rules.Sum{Pits: []int{0, 1}}} {
		if _, err := interp.New(sys).HoldsOn(x, sys.EmptyStart(), known); !errors.As(err, new(*interp.HiddenError)) {
			t.Errorf("%v: %v", x, err)
		}
	}
}

// TestLocalsBeginWithZero: so they do in a run after another one.
func TestLocalsBeginWithZero(t *testing.T) {
	sys := rulestest.Solitaire(2)
	set := rules.Set{To: rules.LocalAt(1), X: rules.Number(1)}
	count := rules.Transfer{Count: rules.LocalAt(1), From: rules.FixedPit(0), Into: rules.FixedPit(1)}
	sys.Actions = []rules.Action{{Body: []rules.Stmt{count, set}, Locals: make([]rules.Type, 2)}}
	p, s := interp.New(sys).Player(), sys.EmptyStart()
	s.Seeds[0] = 1
	for range 2 {
		if to, legal, err := p.Do(s, 0); err != nil || !legal || to.Seeds[0] != 1 {
			t.Errorf("%v, %t, %v", to, legal, err)
		}
	}
}
