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

// reached is all reachable states, with the indexes of the successors of each. The
// starts come first, and the others in the order of their moves from a start.
type reached struct {
	states []rules.State
	depth  []int
	next   [][]int
	starts int
}

// playAll plays all plays with the interpreter, unless there are more than most states, or the
// rules have a fault.
func playAll(t *testing.T, sys *rules.System, most int) *reached {
	t.Helper()
	in, all := interp.New(sys), &reached{}
	errMany := errors.New("too many")
	err := space.Starts(t.Context(), in, func(s rules.State) error {
		all.add(s, 0)
		if all.starts = len(all.states); all.starts > most {
			return errMany
		}
		return nil
	})
	if err != nil {
		return nil
	}
	if !all.close(in, most) {
		return nil
	}
	return all
}

// add adds a state, and returns its place.
func (all *reached) add(s rules.State, depth int) int {
	i := slices.IndexFunc(all.states, s.Equal)
	if i < 0 {
		i = len(all.states)
		all.states, all.depth, all.next = append(all.states, s.Clone()), append(all.depth, depth), append(all.next, nil)
	}
	return i
}

// close adds what steps lead to.
func (all *reached) close(in *interp.Interp, most int) bool {
	for i := 0; i < len(all.states); i++ {
		if len(all.next[i]) > 0 {
			continue // it was played before
		}
		steps, err := in.Steps(all.states[i])
		if err != nil || len(all.states) > most {
			return false
		}
		for _, s := range steps {
			j := all.add(s.To, all.depth[i]+1)
			all.next[i] = append(all.next[i], j)
		}
	}
	return true
}

// with returns all states and one that is not among them, with its successors, as if it were
// reached after depth moves.
func (all *reached) with(sys *rules.System, s rules.State, depth int) *reached {
	more := &reached{slices.Clone(all.states), slices.Clone(all.depth), slices.Clone(all.next), all.starts}
	if more.add(s, depth) < len(all.states) || !more.close(interp.New(sys), 2*len(all.states)+100) {
		return nil
	}
	return more
}

// longest returns the moves of the longest play from each state; nil if some play never ends. A
// play of more moves than there are states does not.
func (all *reached) longest() []int {
	moves := make([]int, len(all.states))
	for range len(all.states) + 1 {
		changed := false
		for i, next := range all.next {
			for _, j := range next {
				if moves[i] <= moves[j] {
					moves[i], changed = moves[j]+1, true
				}
			}
		}
		if !changed {
			return moves
		}
	}
	return nil
}

// forge calls try with sets that are not right: without one of the states, or with another number
// for it. It tries all of a small set, and some of a large one.
func forge(r *rand.Rand, states []rules.State, numbers []int, try func(what string, states []rules.State, numbers []int)) {
	for i := range states {
		if len(states) > 12 && r.IntN(len(states)) >= 12 {
			continue
		}
		try("less", slices.Delete(slices.Clone(states), i, i+1), slices.Delete(slices.Clone(numbers), i, i+1))
		other := slices.Clone(numbers)
		other[i]++
		try("more", states, other)
		if numbers[i] > 0 {
			other = slices.Clone(numbers)
			other[i]--
			try("fewer", states, other)
		}
	}
}

// TestRandomFalling: that every play ends is accepted with the moves of the longest play from each
// state, and neither without one of the states nor with another number; nor is a play accepted that
// never ends, or that is longer than the claim allows.
func TestRandomFalling(t *testing.T) {
	gen := rulestest.System()
	accepted, endless, forged := 0, 0, 0
	for i := 0; i < 1500; i += tier.Every(25, 7) {
		sys, r := gen.Example(i+1), rand.New(rand.NewPCG(uint64(i), 11))
		all := playAll(t, sys, 300)
		if all == nil || all.starts == 0 {
			continue
		}
		check := func(within int, states []rules.State, moves []int) (*Report, error) {
			st := &statement{sys: sys, says: ends{&build.Terminates{Within: within}}, tries: maxListed}
			e, report := &Falling{NewNumbered(sys, states, moves)}, &Report{}
			return report, e.check(t.Context(), st, report)
		}
		reject := func(what string, within int, states []rules.State, moves []int) {
			if _, err := check(within, states, moves); !errors.As(err, new(*Rejected)) {
				t.Fatalf("rules %d: %s: %v\n%s", i, what, err, sys.Canonical())
			}
			forged++
		}
		moves := all.longest()
		if moves == nil {
			down := make([]int, len(all.states))
			for k, d := range all.depth {
				down[k] = len(all.states) - d
			}
			reject("a play that never ends", -1, all.states, down)
			endless++
			continue
		}
		report, err := check(-1, all.states, moves)
		if errors.As(err, new(*NeedsSolver)) {
			continue
		}
		most := slices.Max(moves[:all.starts])
		if err != nil || report.Longest != most {
			t.Fatalf("rules %d: %v, longest play %d, not %d\n%s", i, err, report.Longest, most, sys.Canonical())
		}
		accepted++
		if _, err := check(most, all.states, moves); err != nil {
			t.Fatalf("rules %d: within %d: %v", i, most, err)
		}
		if most > 0 {
			reject("within fewer moves", most-1, all.states, moves)
		}
		forge(r, all.states, moves, func(what string, states []rules.State, moves []int) { reject(what, -1, states, moves) })
	}
	t.Logf("%d accepted, %d with endless plays, %d forgeries", accepted, endless, forged)
	if few := tier.Every(50, 10); accepted < 100/few || endless < 40/few || forged < 1000/few {
		t.Error("too few")
	}
}

// TestRandomDepths: the number of reachable states, or of finished ones, is accepted with the moves
// of the shortest play to each, and no other number; nor are fewer states, other moves, or states
// that no play comes to, with all that steps lead to from these.
func TestRandomDepths(t *testing.T) {
	gen := rulestest.System()
	accepted, forged, unreachable := 0, 0, 0
	for i := 0; i < 1500; i += tier.Every(25, 7) {
		sys, r := gen.Example(i+1), rand.New(rand.NewPCG(uint64(i), 13))
		all := playAll(t, sys, 300)
		if all == nil || all.starts == 0 {
			continue
		}
		set, number := build.CountStates, len(all.states)
		if r.IntN(2) == 0 {
			set, number = build.CountFinished, 0
			for _, s := range all.states {
				if !s.Live() {
					number++
				}
			}
		}
		check := func(number int, states []rules.State, moves []int) (*Report, error) {
			st := &statement{
				sys: sys, proves: true, tries: maxListed,
				says: counts{&build.Count{Set: set, Where: rules.True, Op: rules.Eq, Value: number}},
			}
			e, report := &Depths{NewNumbered(sys, states, moves)}, &Report{}
			return report, e.check(t.Context(), st, report)
		}
		report, err := check(number, all.states, all.depth)
		if errors.As(err, new(*NeedsSolver)) {
			continue
		}
		if err != nil || report.Number != number {
			t.Fatalf("rules %d: %v, %d states, not %d\n%s", i, err, report.Number, number, sys.Canonical())
		}
		accepted++
		reject := func(what string, number int, states []rules.State, moves []int) {
			if _, err := check(number, states, moves); !errors.As(err, new(*Rejected)) {
				t.Fatalf("rules %d: %s: %v\n%s", i, what, err, sys.Canonical())
			}
			forged++
		}
		reject("another number", number+1, all.states, all.depth)
		forge(r, all.states, all.depth, func(what string, states []rules.State, moves []int) {
			for _, n := range []int{number, number - 1} {
				reject(what, n, states, moves)
			}
		})
		for depth := range 3 {
			s := all.states[r.IntN(len(all.states))].Clone()
			s.Seeds[r.IntN(len(s.Seeds))]++
			if len(s.Vars) > 0 && r.IntN(2) == 0 {
				v := r.IntN(len(s.Vars))
				s.Vars[v] = sys.Vars[v].Domain[r.IntN(len(sys.Vars[v].Domain))]
			}
			more := all.with(sys, s, depth)
			if more == nil {
				continue
			}
			for n := number; n <= number+len(more.states)-len(all.states); n++ {
				reject("a state that is not reached", n, more.states, more.depth)
			}
			unreachable++
		}
	}
	t.Logf("%d accepted, %d forgeries, %d of them with states that are not reached", accepted, forged, unreachable)
	if few := tier.Every(50, 10); accepted < 100/few || forged < 1000/few || unreachable < 100/few {
		t.Error("too few")
	}
}
