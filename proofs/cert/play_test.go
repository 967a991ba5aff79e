package cert

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

var errStop = errors.New("stop")

// wander plays at random from a start, until the game is over or comes back to a state, or for so
// many moves. It is nil if there is no start or the rules have a fault.
func wander(t *testing.T, r *rand.Rand, sys *rules.System, most int) *rules.Trace {
	t.Helper()
	in := interp.New(sys)
	var starts []rules.State
	err := space.Starts(t.Context(), in, func(s rules.State) error {
		if starts = append(starts, s.Clone()); len(starts) == 20 {
			return errStop
		}
		return nil
	})
	if err != nil && !errors.Is(err, errStop) || len(starts) == 0 {
		return nil
	}
	at := starts[r.IntN(len(starts))]
	play := &rules.Trace{System: sys, Start: at}
	seen := []rules.State{at}
	for len(play.Steps) < most && at.Live() {
		steps, err := in.Steps(at)
		if err != nil {
			return nil
		}
		if len(steps) == 0 {
			break
		}
		s := steps[r.IntN(len(steps))]
		play.Steps = append(play.Steps, rules.TraceStep{Move: in.Notation(s.Action, at), State: s.To})
		at = s.To
		if slices.ContainsFunc(seen, at.Equal) {
			break
		}
		seen = append(seen, at)
	}
	return play
}

// is says that a state has just these seeds.
func is(s rules.State) rules.Expr {
	var all []rules.Expr
	for p, n := range s.Seeds {
		all = append(all, rules.Binary{Op: rules.Eq, L: rules.Seeds(rules.FixedPit(p)), R: rules.Number(n)})
	}
	return rules.Conjunction(all...)
}

// TestRandomPlays: a play from a start is accepted for what its last state satisfies, and for a
// play that goes on for ever just if it comes back. What is no play, does not begin with a start,
// or ends elsewhere is rejected.
func TestRandomPlays(t *testing.T) {
	gen := rulestest.System()
	accepted, round, forged := 0, 0, 0
	for i := 0; i < 3000; i += tier.Every(25, 7) {
		sys, r := gen.Example(i+1), rand.New(rand.NewPCG(uint64(i), 17))
		play := wander(t, r, sys, 12)
		if play == nil {
			continue
		}
		states := play.States()
		last := states[len(states)-1]
		check := func(w *witness, e Evidence) error {
			st := &statement{sys: sys, says: w, tries: maxListed}
			return e.check(t.Context(), st, &Report{})
		}
		reject := func(what string, w *witness, e Evidence) {
			if err := check(w, e); !errors.As(err, new(*Rejected)) {
				t.Fatalf("rules %d: %s: %v\n%s", i, what, err, sys.Canonical())
			}
			forged++
		}
		target := &witness{target: is(last), most: -1}
		err := check(target, NewPlay(sys, play))
		if errors.As(err, new(*NeedsSolver)) {
			continue
		}
		if err != nil {
			t.Fatalf("rules %d: %v\n%s", i, err, sys.Canonical())
		}
		accepted++
		endless := &witness{ends: &build.Terminates{Within: -1}, most: -1}
		if slices.ContainsFunc(states[:len(states)-1], last.Equal) {
			if round++; check(endless, NewPlay(sys, play)) != nil {
				t.Fatalf("rules %d: a play that comes back is rejected\n%s", i, sys.Canonical())
			}
		} else {
			reject("a play that does not come back", endless, NewPlay(sys, play))
		}
		if n := len(play.Steps); n > 0 {
			long := &witness{ends: &build.Terminates{Within: n - 1}, most: -1}
			if err := check(long, NewPlay(sys, play)); err != nil {
				t.Fatalf("rules %d: a play of %d moves: %v", i, n, err)
			}
			reject("too many moves", &witness{target: is(last), most: n - 1}, NewPlay(sys, play))
			e := NewPlay(sys, play)
			e.Moves[r.IntN(n)] += "x"
			reject("another move", target, e)
			e = NewPlay(sys, play)
			k := 1 + r.IntN(n)
			if len(e.States[k].Seeds) > 0 {
				e.States[k].Seeds[r.IntN(len(e.States[k].Seeds))]++
				reject("another state", target, e)
			}
		}
		other := last.Clone()
		other.Seeds[r.IntN(len(other.Seeds))]++
		reject("another end", &witness{target: is(other), most: -1}, NewPlay(sys, play))
		notStart := *play
		notStart.Start = play.Start.Clone()
		notStart.Start.Seeds[r.IntN(len(notStart.Start.Seeds))]++
		if starts, err := interp.New(sys).IsStart(notStart.Start); err == nil && !starts {
			reject("no start", target, NewPlay(sys, &notStart))
		}
	}
	t.Logf("%d accepted, %d of them come back, %d forgeries", accepted, round, forged)
	if few := tier.Every(50, 10); accepted < 500/few || round < 20/few || forged < 1500/few {
		t.Error("too few")
	}
}
