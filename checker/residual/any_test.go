package residual_test

import (
	"context"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// numbersOfSeeds are those of the states of one test: the programs of a Player depend on how many
// there may be.
var numbersOfSeeds = []int{10, 30, 30, 300, 1200}

// TestSingle executes each action of random rule sets in random states, whatever faults the others
// meet, settles the states as starts, and evaluates a condition.
func TestSingle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		in, x := interp.New(sys), rulestest.Claim(sys, false).Draw(t, "claim")
		if rules.AsksFor(x, rules.IsStart) {
			x = rules.True
		}
		p := residual.NewPlayer(t.Context(), sys, rules.Parts{}, x)
		flat := pack.NewFlat(sys)
		for range 6 {
			s := rulestest.State(sys, rapid.SampledFrom(numbersOfSeeds).Draw(t, "seeds")).Draw(t, "state")
			flat.Set(s)
			sameDo(t, p, in, s)
			want, wantErr := in.Holds(x, s, nil)
			if got, err := p.Holds(flat); (err != nil) != (wantErr != nil) || err == nil && got != want {
				t.Fatalf("%s in %v: %v %v, want %v %v\n%s", rules.ExprString(sys, x), s, got, err, want, wantErr, sys.Canonical())
			}
			settled, err := in.Start(s)
			if s.Mover == sys.Start.Mover && p.Settled(flat) && (err != nil || !settled.Equal(s)) {
				t.Fatalf("%v is settled as %v, %v\n%s", s, settled, err, sys.Canonical())
			}
		}
	})
}

// sameDo checks that both execute each action of s the same way.
func sameDo(t fataler, p *residual.Player, in *interp.Interp, s rules.State) {
	t.Helper()
	sys := in.System()
	flat := pack.NewFlat(sys)
	flat.Set(s)
	for a := range sys.Actions {
		want, wantLegal, wantErr := in.Do(s, a)
		if errors.As(wantErr, new(*rules.LimitError)) {
			continue // of another action: whether this one is the best is not known then
		}
		got, legal, err := p.Do(flat, a)
		if (err != nil) != (wantErr != nil) || legal != wantLegal || legal && !got.State(sys).Equal(want) {
			t.Fatalf("action %d from %v: %v, %v, %v; want %v, %v, %v\n%s", a, s, got, legal, err, want, wantLegal, wantErr, sys.Canonical())
		}
	}
}

// TestSettled: a start that nothing changes is known to be settled.
func TestSettled(t *testing.T) {
	sys := rulestest.Solitaire(3)
	flat := pack.NewFlat(sys)
	p := residual.NewPlayer(t.Context(), sys, rules.Parts{}, nil)
	if p.Settled(flat) {
		t.Error("an empty board is won")
	}
	flat.Cells[1] = 1
	flat.Cells[len(sys.Pits)] = rules.None
	if !p.Settled(flat) {
		t.Error("a board with a seed is not settled")
	}
}

// TestMany plays random rule sets on states that may have very many seeds: sowings are played whole
// rounds at once.
func TestMany(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		p := newPlayer(t, sys, 1200, rules.Parts{})
		for range 4 {
			p.walk(t, rulestest.State(sys, rapid.SampledFrom(numbersOfSeeds).Draw(t, "seeds")).Draw(t, "state"), 3)
		}
	})
}

// TestGames plays known games from random states.
func TestGames(t *testing.T) {
	for name, sys := range map[string]*rules.System{
		"kalah":           rulestest.Kalah(3, 3, false),
		"kalah, captures": rulestest.Kalah(4, 2, true),
		"solitaire":       rulestest.Solitaire(3),
	} {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			p := newPlayer(t, sys, 60, rules.Parts{})
			p.walk(t, rulestest.State(sys, 60).Draw(t, "state"), 10)
		}))
	}
}

// TestFaults meets each error in the rules.
func TestFaults(t *testing.T) {
	none, zero := rules.Const{Value: rules.None}, rules.Const{Value: 0}
	for code, body := range map[diag.Code][]rules.Stmt{
		diag.Overflow: {rules.SetVar(0, rules.Const{Value: 99})},
		diag.DivZero:  {rules.Require(rules.Binary{Op: rules.Div, L: zero, R: zero})},
		diag.Overdraw: {rules.Transfer{Count: rules.Const{Value: 9}, From: zero, Into: zero}},
		diag.NonePit:  {rules.Sow{Source: none}},
		diag.NoValue:  {rules.Require(rules.Last)},
	} {
		sys := rulestest.Solitaire(2)
		sys.Actions = []rules.Action{{Body: body}}
		p := newPlayer(t, sys, 12, rules.Parts{})
		_, err := p.steps(sys.EmptyStart())
		if fault := new(interp.RuleError); !errors.As(err, &fault) || fault.Diag.Code != code {
			t.Errorf("error %v, want code %s", err, code)
		}
		sameDo(t, residual.NewPlayer(t.Context(), sys, rules.Parts{}, nil), p.in, sys.EmptyStart())
	}
}

// TestGrowingLoop meets a loop that neither ends nor recurs.
func TestGrowingLoop(t *testing.T) {
	grow := rules.SetLocal(0, rules.Binary{Op: rules.Add, L: rules.LocalAt(0), R: rules.True})
	sys := rulestest.Solitaire(2)
	sys.Actions = []rules.Action{{Locals: make([]rules.Type, 1), Body: []rules.Stmt{rules.While{Cond: rules.True, Body: []rules.Stmt{grow}}}}}
	if _, err := newPlayer(t, sys, 12, rules.Parts{}).steps(sys.EmptyStart()); !errors.As(err, new(*rules.LimitError)) {
		t.Errorf("error %v", err)
	}
}

// TestForeign: a play that reaches a type that is not the kernel's fails.
func TestForeign(t *testing.T) {
	for place, sys := range rulestest.Foreign() {
		if rulestest.Silent(func() error {
			p := newPlayer(t, sys, 12, rules.Parts{})
			for _, s := range rulestest.FewSeeds(sys) {
				if _, err := p.steps(s); err != nil {
					return err
				}
			}
			return nil
		}) {
			t.Errorf("%s: Expand returns no error", place)
		}
	}
	p := newPlayer(t, rulestest.Solitaire(2), 12, rules.Parts{})
	for _, x := range []rules.Expr{
		rulestest.ForeignExpr{Expr: rules.True}, rules.OpenParam{}, rules.Register(rules.NextReg), rules.Register(rules.RankReg),
	} {
		view := residual.View{Key: p.pack(p.in.System().EmptyStart())}
		if rulestest.Silent(func() error { _, err := p.stepper.Holds(p.stepper.Compile(x), view); return err }) {
			t.Errorf("%#v: Holds returns no error", x)
		}
	}
}

// TestWithin: stepper and interpreter end in the middle of a long move when the context does.
func TestWithin(t *testing.T) {
	for _, body := range []string{"sow a along lap, each drop { odd = not odd }", "while a > 0 { take 1 from a into b }"} {
		sys := buildtest.System(t, buildtest.Text(t, `
			variant Long {
			  board { a | b  ring lap = a, b }
			  state odd : bool = false
			  setup { a = 1000000000000 }
			  move { `+body+` }
			}`), nil)
		start := buildtest.FirstStart(t, interp.New(sys))
		ended := func() context.Context { return limit.WithLooks(context.Background(), 5) }
		if _, _, err := interp.New(sys).Within(ended()).Do(start, 0); !errors.Is(err, limit.ErrLooks) {
			t.Errorf("%s: the interpreter ends with %v", body, err)
		}
		p := newPlayer(t, sys, start.Total(), rules.Parts{})
		p.stepper.Within(ended())
		if _, err := p.steps(start); !errors.Is(err, limit.ErrLooks) {
			t.Errorf("%s: the stepper ends with %v", body, err)
		}
		flat := pack.NewFlat(sys)
		flat.Set(start)
		if _, _, err := residual.NewPlayer(ended(), sys, rules.Parts{}, nil).Do(flat, 0); !errors.Is(err, limit.ErrLooks) {
			t.Errorf("%s: the player ends with %v", body, err)
		}
		flat.Cells[0] = 10
		if _, legal, err := residual.NewPlayer(context.Background(), sys, rules.Parts{}, nil).Do(flat, 0); !legal || err != nil {
			t.Errorf("%s: a short move is legal: %t, %v", body, legal, err)
		}
	}
}
