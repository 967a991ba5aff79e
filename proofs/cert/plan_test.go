package cert

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

// preferring returns the System in which only the moves of a random strategy are legal: the actions
// are ranked.
func preferring(sys *rules.System, r *rand.Rand) *rules.System {
	out := *sys
	out.Actions = slices.Clone(sys.Actions)
	for i := range out.Actions {
		a := &out.Actions[i]
		a.Body = append([]rules.Stmt{rules.Prefer(rules.Number(r.IntN(3)))}, a.Body...)
	}
	return &out
}

// longest returns the number of moves that plays by a strategy take from a state to a win, at most;
// -1 if some play does not win. depth bounds the plays.
func longest(in *interp.Interp, s rules.State, won rules.Expr, depth int) int {
	if !s.Live() {
		is, err := in.Holds(won, s, nil)
		if err != nil || !is {
			return -1
		}
		return 0
	}
	steps, err := in.Steps(s)
	if err != nil || len(steps) == 0 || depth == 0 {
		return -1
	}
	most := 0
	for _, st := range steps {
		n := longest(in, st.To, won, depth-1)
		if n < 0 {
			return -1
		}
		most = max(most, n+1)
	}
	return most
}

// TestRandomPlans: that a strategy wins from all states from which a win can be reached is accepted
// just where all plays by it win, and not with a smaller number or without a state. Where some play
// does not win no numbers are accepted.
func TestRandomPlans(t *testing.T) {
	gen := rulestest.System()
	accepted, failing, forged := 0, 0, 0
	rice := buildtest.File(t, "../../examples/tchoukaillon.sow")
	for i := 0; i < 1500; i += tier.Every(25, 7) {
		r := rand.New(rand.NewPCG(uint64(i), 4))
		base := gen.Example(i + 1)
		if r.IntN(4) == 0 {
			base = buildtest.System(t, rice, build.Settings{"cups": {N: 2 + r.IntN(5)}, "beads": {N: 1 + r.IntN(12)}})
		}
		if ranks(base) {
			continue
		}
		followed := preferring(base, r)
		in, by := interp.New(base), interp.New(followed)
		opt := backward.Options{All: true, Bounds: limit.Bounds{MaxStates: 300}, Also: everything(base)}
		if n, bounded := space.MostSeeds(base); bounded {
			opt.MaxSeeds = &n
		}
		found, err := backward.Search(t.Context(), in, base.SomebodyHasWon(), opt)
		if err != nil || found.Stop != limit.Complete {
			continue
		}
		var states []rules.State
		var moves []int
		wins := true
		for k := range found.Len() {
			s := found.State(k)
			n := longest(by, s, base.SomebodyHasWon(), 20)
			wins = wins && n >= 0
			states, moves = append(states, s), append(moves, max(n, 0))
		}
		lemmas := shape.Of(t.Context(), in).Lemmas
		kept := found.Kept.Kept
		check := func(states []rules.State, moves []int) error {
			st := &statement{sys: base, says: plan{followed}, tries: maxListed}
			e := &Plan{*NewWinning(base, kept, lemmas, opt.MaxSeeds, states, moves)}
			return e.check(t.Context(), st, &Report{})
		}
		err = check(states, moves)
		switch {
		case errors.As(err, new(*NeedsSolver)):
			continue
		case wins && err != nil:
			t.Fatalf("rules %d: %v\n%s", i, err, followed.Canonical())
		case !wins && err == nil:
			t.Fatalf("rules %d: accepted, and some play by the strategy does not win\n%s", i, followed.Canonical())
		case !wins:
			failing++
			for range 5 {
				for k := range moves {
					moves[k] = r.IntN(8)
				}
				if check(states, moves) == nil {
					t.Fatalf("rules %d: accepted with %v, and some play by the strategy does not win\n%s", i, moves, followed.Canonical())
				}
			}
			continue
		}
		accepted++
		for k := range states {
			if moves[k] == 0 {
				continue
			}
			low := slices.Clone(moves)
			low[k] = 0
			if check(states, low) == nil {
				t.Fatalf("rules %d: accepted with no moves from %v\n%s", i, states[k], followed.Canonical())
			}
			forged++
			break
		}
		if len(states) > 0 {
			k := r.IntN(len(states))
			less, fewer := slices.Delete(slices.Clone(states), k, k+1), slices.Delete(slices.Clone(moves), k, k+1)
			if err := check(less, fewer); err == nil && needed(in, base, states[k]) {
				t.Fatalf("rules %d: accepted without %v\n%s", i, states[k], followed.Canonical())
			}
		}
	}
	t.Logf("%d accepted, %d strategies that do not win, %d forgeries", accepted, failing, forged)
	if few := tier.Every(50, 10); accepted < 150/few || failing < 100/few || forged < 60/few {
		t.Error("too few")
	}
}

// everything reads all parts of a state, so that none is left out and states can be played.
func everything(sys *rules.System) []rules.Expr {
	var list []rules.Expr
	for p := range sys.Pits {
		list = append(list, rules.PitAt(p))
	}
	for v := range sys.Vars {
		list = append(list, rules.VarAt(v))
	}
	return list
}

// ranks reports whether the rules rank moves themselves.
func ranks(sys *rules.System) bool {
	for _, a := range sys.Actions {
		if rules.EffectsOf(a.Body).Ranks {
			return true
		}
	}
	return false
}

// needed reports whether a state of winning states cannot be left out: it is won, or a start.
func needed(in *interp.Interp, sys *rules.System, s rules.State) bool {
	won, err := in.Holds(sys.SomebodyHasWon(), s, nil)
	start, err2 := in.IsStart(s)
	return err == nil && won || err2 == nil && start
}
