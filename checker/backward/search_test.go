package backward_test

import (
	"context"
	"slices"
	"testing"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

func searchWin(t *testing.T, sys *rules.System, opt backward.Options) *backward.Result {
	t.Helper()
	r, err := backward.Search(context.Background(), interp.New(sys), rules.HasOutcome(win), opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestDoseCloses: nothing is selected only at a start, and what is selected in a won state does not
// matter. So the set is that of the published proof, one won state and the others with a selected
// hole.
func TestDoseCloses(t *testing.T) {
	for n, selected := range map[int]int{5: 22, 6: 28, 7: 28, 8: 28, 12: 28} {
		r := searchWin(t, dose(n), backward.Options{})
		if r.Stop != limit.Complete || len(r.Starts) > 0 || r.Vacuous() || len(r.Kept.Dropped) != 2 {
			t.Errorf("n = %d: %v, %s, left out %q", n, r.Stop, r.Reason, r.Kept.Dropped)
		}
		if got := selectedOthers(r); got != selected || r.Others() != selected || r.Targets != 1 {
			t.Errorf("n = %d: %d targets, %d others, %d of them selected; want %d", n, r.Targets, r.Others(), got, selected)
		}
	}
}

func selectedOthers(r *backward.Result) int {
	count := 0
	for i := r.Targets; i < r.Len(); i++ {
		if r.State(i).Vars[0] != rules.None {
			count++
		}
	}
	return count
}

func TestDoseSmallBoards(t *testing.T) {
	for n := 2; n <= 4; n++ {
		sys := dose(n)
		r := searchWin(t, sys, backward.Options{})
		if r.Stop != limit.Found || len(r.Starts) == 0 {
			t.Errorf("n = %d: %v, %s", n, r.Stop, r.Reason)
			continue
		}
		s := r.Starts[0]
		t.Logf("n = %d: %d states, %d starts; stones = %v in %d moves from %v", n, r.Len(), len(r.Starts), s.Open, len(s.Actions), s.State)
		replay(t, sys, s)
	}
}

// replay executes the play of a start and checks that it wins.
func replay(t *testing.T, sys *rules.System, s backward.Start) {
	t.Helper()
	in := interp.New(sys)
	now := s.State
	for _, a := range s.Actions {
		to, legal, err := in.Do(now, a)
		if err != nil || !legal {
			t.Fatalf("action %d in %v: legal %v, %v", a, now, legal, err)
		}
		now = to
	}
	if now.Outcome != win {
		t.Errorf("play of %v ends in %v", s.State, now)
	}
}

// TestDoseShortestPlay: the least numbers of rounds are from an independent program; the choice of
// the first hole is one more move.
func TestDoseShortestPlay(t *testing.T) {
	for _, c := range []struct{ n, stones, rounds int }{{2, 4, 7}, {2, 5, 6}, {2, 8, 9}, {2, 12, 12}, {4, 9, 18}} {
		sys := dose(c.n)
		sys.Start.Cond = rules.Conjunction(sys.Start.Cond, equal(rules.OpenParam{}, number(c.stones)))
		r := searchWin(t, sys, backward.Options{})
		if r.Stop != limit.Found {
			t.Errorf("n = %d, %d stones: %v, %s", c.n, c.stones, r.Stop, r.Reason)
			continue
		}
		for _, s := range r.Starts {
			if len(s.Actions) != c.rounds+1 || s.Open[0] != c.stones {
				t.Errorf("n = %d: %d moves with %d stones, want %d with %d", c.n, len(s.Actions), s.Open[0], c.rounds+1, c.stones)
			}
			replay(t, sys, s)
		}
	}
}

// TestDosePredecessors: the paper omits s17, s22 and s23 for an invalid reason (D1 is about states
// after a round), and lists s18, from which the round loses.
func TestDosePredecessors(t *testing.T) {
	sys := dose(6)
	p := func(selected int, seeds map[int]int) rules.State { return position(sys, selected, seeds) }
	s10, s14 := p(1, map[int]int{1: 1}), p(2, map[int]int{2: 2})
	s16, s19 := p(1, map[int]int{1: 1, 2: 1}), p(3, map[int]int{3: 3})
	s17 := p(3, map[int]int{2: 1, 3: 1})
	s22, s23 := p(2, map[int]int{2: 1, 3: 2}), p(4, map[int]int{3: 2, 4: 1})
	for _, c := range []struct {
		name   string
		target rules.State
		want   []rules.State
	}{
		{"s10", s10, []rules.State{s14}},
		{"s14", s14, []rules.State{s16, s17}},
		{"s16", s16, []rules.State{s19}},
		{"s17", s17, nil},
		{"s19", s19, []rules.State{s22, s23}},
		{"s22", s22, nil},
		{"s23", s23, nil},
	} {
		if got := rounds(t, sys, c.target); !slices.EqualFunc(got, c.want, rules.State.Equal) {
			t.Errorf("P(%s) = %v, want %v", c.name, got, c.want)
		}
	}
}

// rounds lists the predecessors by a round.
func rounds(t *testing.T, sys *rules.System, target rules.State) []rules.State {
	t.Helper()
	keep := rules.Kept{Parts: rules.Parts{Pits: set(len(sys.Pits), span(0, len(sys.Pits)-2)...)}}
	preds, err := backward.Predecessors(context.Background(), interp.New(sys), keep, target)
	if err != nil {
		t.Fatal(err)
	}
	var states []rules.State
	for _, p := range preds {
		if sys.Actions[p.Action].Move == 1 {
			states = append(states, p.State)
		}
	}
	return states
}
