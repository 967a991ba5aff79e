package cert

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/checker/laws"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// provided returns rules in which something is done where a player has no move: some end the game
// then, some let him pass, and some do so under a condition.
func provided(r *rand.Rand, sys *rules.System) *rules.System {
	out := *sys
	out.Reactions, out.Actions = slices.Clone(sys.Reactions), slices.Clone(sys.Actions)
	when := rules.Expr(rules.NoMove)
	if r.IntN(3) == 0 {
		op := []rules.Op{rules.And, rules.Or}[r.IntN(2)]
		when = rules.Binary{Op: op, L: when, R: linearCondition(r, sys, false)}
	}
	if len(sys.Outcomes) > 1 && r.IntN(2) == 0 {
		end := rulestest.EndIf(len(sys.Players), r.IntN(len(sys.Outcomes)-1), when)
		end.AtTurnEnd = r.IntN(4) == 0
		out.Reactions = slices.Insert(out.Reactions, r.IntN(len(out.Reactions)+1), end)
		return &out
	}
	for mover := range sys.Players {
		pass := rules.Action{Label: "pass", Mover: mover, Fallback: true, Guard: when}
		if len(sys.Vars) > 0 && r.IntN(3) == 0 {
			v := r.IntN(len(sys.Vars))
			to := rules.Expr(rules.Number(sys.Vars[v].Domain[r.IntN(len(sys.Vars[v].Domain))]))
			if sys.Vars[v].Type == rules.NumberType && r.IntN(2) == 0 {
				to = rules.Binary{Op: rules.Add, L: rules.VarAt(v), R: rules.Number(1)} // beyond the domain at its end
			}
			pass.Body = []rules.Stmt{rules.SetVar(v, to)}
		}
		out.Actions = append(out.Actions, pass)
	}
	return &out
}

// pitVariables lists the names of the variables that hold a pit, and "".
func pitVariables(sys *rules.System) []string {
	names := []string{""}
	for _, v := range sys.Vars {
		if v.Type == rules.PitType {
			names = append(names, v.Name)
		}
	}
	return names
}

// TestRandomDeadEnds: where it is accepted that no play comes to a dead end, none does.
func TestRandomDeadEnds(t *testing.T) {
	gen := rulestest.System()
	accepted, rejected, loops, followed := 0, 0, 0, 0
	for i := 0; i < 4000; i += tier.Every(6) {
		r := rand.New(rand.NewPCG(uint64(i), 41))
		sys := provided(r, gen.Example(i+1))
		for _, follows := range pitVariables(sys) {
			e := &NoDeadEnd{Follows: follows, Ranks: laws.Loops(sys)}
			st := &statement{sys: sys, plain: &build.NeverStuck{}, says: never{rules.IsStuck}, tries: maxListed}
			report := &Report{}
			if !decided(t, e.check(t.Context(), st, report), &accepted, &rejected) {
				continue
			}
			all := playAll(t, sys, 400)
			if all == nil {
				continue
			}
			if len(report.Checked) > 1 {
				loops++
			}
			if follows != "" {
				followed++
			}
			in := interp.New(sys)
			for _, s := range all.states {
				if s.Outcome == sys.Endless() {
					t.Fatalf("rules %d, following %q: a move without an end to %v\n%s", i, follows, s, sys.Canonical())
				}
				if can, err := in.CanMove(s); s.Live() && (err != nil || !can) {
					t.Fatalf("rules %d, following %q: %v is stuck: %v\n%s", i, follows, s, err, sys.Canonical())
				}
			}
		}
	}
	t.Logf("%d accepted, %d with loops, %d by modes; %d rejected", accepted, loops, followed, rejected)
	if few := tier.Every(6); accepted < 300/few || rejected < 300/few || loops < 10/few || followed < 20/few {
		t.Error("too few")
	}
}

// TestRandomOver: where it is accepted that the rules end the game in all states that satisfy a
// target, no play comes to a live one.
func TestRandomOver(t *testing.T) {
	gen := rulestest.System()
	accepted, rejected, matched := 0, 0, 0
	for i := 0; i < 4000; i += tier.Every(6) {
		r := rand.New(rand.NewPCG(uint64(i), 43))
		sys := gen.Example(i + 1)
		if r.IntN(2) == 0 {
			sys = provided(r, sys)
		}
		live := rules.HasOutcome(rules.Live)
		for range 4 {
			x := linearCondition(r, sys, false)
			if len(sys.Reactions) > 0 && r.IntN(2) == 0 {
				x = sys.Reactions[r.IntN(len(sys.Reactions))].By[0].When
			}
			target := rules.Join(rules.And, live, x)
			follows := pitVariables(sys)
			e := &OverAtOnce{Follows: follows[r.IntN(len(follows))]}
			st := &statement{sys: sys, says: never{target}, tries: maxListed}
			if !decided(t, e.check(t.Context(), st, &Report{}), &accepted, &rejected) {
				continue
			}
			all := playAll(t, sys, 400)
			if all == nil {
				continue
			}
			in := interp.New(sys)
			for _, s := range all.states {
				if holds, err := in.Holds(target, s, nil); err != nil || holds {
					t.Fatalf("rules %d: %v satisfies %s: %v\n%s", i, s, rules.ExactString(sys, target), err, sys.Canonical())
				}
				if holds, err := in.Holds(x, s, nil); err == nil && holds {
					matched++
				}
			}
		}
	}
	t.Logf("%d accepted, with %d finished states that match; %d rejected", accepted, matched, rejected)
	if few := tier.Every(6); accepted < 100/few || matched < 10/few || rejected < 300/few {
		t.Error("too few")
	}
}

// TestDeadEnds: what the rules leave open is named. In each of these rules one thing is missing.
func TestDeadEnds(t *testing.T) {
	const head = `variant V {
  param m = 3
  param n = 2
  player South, North
  board {
    north_store | north[m..1] |
                | south[1..m] | south_store
  }
  setup { each house = n }
`
	const lap = `move when held = none { choose from in my house where from > 0
    sow from along ccw_with_stores, skip their store
    while last in house and last > 1 { sow last along ccw_with_stores, skip their store again }
    if last in house { held = last }`
	for _, c := range []struct{ rules, want string }{
		{"move { choose from in my house where from > 0 sow from along ccw }\nend when no move", ""},
		{"move { choose from in my house where from > 0 sow from along ccw }\npass when no other move", ""},
		{"move { choose from in my house where from > 0 sow from along ccw }\nend when total(house) = 0", "South has no move"},
		{"move { choose from in my house where from > 0 sow from along ccw }\nend when no move and south_store > 3", "South has no move"},
		{"move { choose from in my house where from > 0 sow from along ccw }\nend when no move at end of turn", "South has no move"},
		{"move { choose from in my house where from > 0 sow from along ccw, relay while last > 1 }\nend when no move", "the loop in"},
		{"move { choose from in my house where from > 0 sow from along ccw_with_stores, relay while last in house and last > 1 }\nend when no move", ""},
		{"move { choose from in my house where from > 0 sow from along ccw if last > 1 { go on from last } }\npass when no other move", ""},
		{"move { choose from in my house where from > 0 sow from along ccw if last > 1 { capture last into my store go on from last } }\npass when no other move", "has no move"},
		{"state passes : 0..2\nmove { choose from in my house where from > 0 sow from along ccw passes = 0 }\nmove pass when no other move { passes = passes + 1 }", "has no move"},
		{"state passes : 0..2\nmove { choose from in my house where from > 0 sow from along ccw passes = 0 }\nmove pass when no other move { passes = passes + 1 }\ndraw when passes = 2", ""},
		{"state held : house = none\nstate passes : 0..2\n" + lap + "}\nmove drop when held /= none { held = none }\nmove pass when held = none and no other move { passes = 0 }", ""},
		{"state held : house = none\nstate passes : 0..2\n" + lap + "  require mover = South }\nmove wait when held = none and mover = North { passes = 0 }\nmove drop when held /= none and mover = North { held = none }\nmove pass when held = none and no other move { passes = 0 }", "South has no move"},
	} {
		sys := buildtest.System(t, buildtest.Text(t, head+c.rules+"\n}"), nil)
		st := &statement{sys: sys, plain: &build.NeverStuck{}, says: never{rules.IsStuck}, tries: maxListed}
		err := (&NoDeadEnd{Follows: laws.Going(sys), Ranks: laws.Loops(sys)}).check(t.Context(), st, &Report{})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n%v, want %q", c.rules, err, c.want)
		}
	}
}
