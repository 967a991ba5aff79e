package backward_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

func TestLimits(t *testing.T) {
	depth := 3
	for _, c := range []struct {
		opt    backward.Options
		want   limit.Stop
		hit    limit.Kind
		states int
	}{
		{backward.Options{Bounds: limit.Bounds{MaxStates: 100}}, limit.Reached, limit.States, 100},
		{backward.Options{MaxDepth: &depth}, limit.DepthLimit, limit.None, 1 + 4 + 4 + 8},
		{backward.Options{MaxDepth: new(int)}, limit.DepthLimit, limit.None, 1},
		{backward.Options{Bounds: limit.Bounds{MaxStates: 5000}, All: true}, limit.Reached, limit.States, 5000},
	} {
		r := searchWin(t, dose(2), c.opt)
		if r.Stop != c.want || r.Hit.Kind != c.hit || r.Len() != c.states || (len(r.Starts) > 0) != c.opt.All {
			t.Errorf("%+v: %v with %d states, %d starts; want %v with %d", c.opt, r.Stop, r.Len(), len(r.Starts), c.want, c.states)
		}
	}
}

// TestTries: a search that looks for targets in vain ends at its limit on states. No board of 29
// beads is a start of 30, and nothing narrows the condition start.
func TestTries(t *testing.T) {
	sys := tchoukaillon(40, 30)
	goal := rules.Conjunction(rules.IsStart, equal(all(span(0, 41)...), number(29)))
	r, err := backward.Search(t.Context(), interp.New(sys), goal, backward.Options{Bounds: limit.Bounds{MaxStates: 10}})
	if err != nil || !r.Hits(limit.States) || r.Len() > 0 {
		t.Errorf("%v with %d states, error %v", r.Stop, r.Len(), err)
	}
}

// TestMemoryLimit: a limit on memory ends the search below it, and more memory holds more states.
func TestMemoryLimit(t *testing.T) {
	for _, holes := range []int{1, 2} {
		last := 0
		for _, most := range []int64{1 << 18, 1 << 19, 1 << 20} {
			r := searchWin(t, dose(holes), backward.Options{Bounds: limit.Bounds{MaxMemory: most}, All: true, Blind: true})
			if !r.Hits(limit.Memory) || r.Bytes > most || r.Len() < last || most == 1<<20 && r.Len() < 30_000 {
				t.Errorf("%d holes, %d bytes: %v with %d states in %d bytes; %d with less", holes, most, r.Stop, r.Len(), r.Bytes, last)
			}
			last = r.Len()
		}
	}
}

// TestManyBeads: the boards that can be won, one for each number of beads, are those made by
// unplaying: the nearest empty cup takes a bead from each nearer one and from the basket. Their
// keys have several words, which become too narrow for the beads more than once.
func TestManyBeads(t *testing.T) {
	const cups, beads = 40, 300
	most := beads
	r := searchWin(t, tchoukaillon(cups, beads), backward.Options{All: true, MaxSeeds: &most})
	if r.Stop != limit.Complete || r.Len() != beads+1 || len(r.Starts) != 1 {
		t.Fatalf("%v, %s: %d states, %d starts", r.Stop, r.Reason, r.Len(), len(r.Starts))
	}
	board := make([]int, cups+1)
	for n := range beads + 1 {
		if got := r.State(n); !slices.Equal(got.Seeds, board) {
			t.Fatalf("%d beads: %v, want %v", n, got, board)
		}
		unplay(board)
	}
	if play, err := r.Play(r.Starts[0].Index); err != nil || len(play) != beads {
		t.Errorf("%v, a play of %d moves", err, len(play))
	}
	full := backward.Options{All: true, MaxSeeds: &most, Bounds: limit.Bounds{MaxMemory: r.Bytes / 2}}
	if r := searchWin(t, tchoukaillon(cups, beads), full); !r.Hits(limit.Memory) || r.Bytes > full.MaxMemory {
		t.Errorf("%v with %d of %d bytes", r.Stop, r.Bytes, full.MaxMemory)
	}
}

func unplay(board []int) {
	for p := 1; p < len(board); p++ {
		if board[p] == 0 {
			board[p] = p
			return
		}
		board[p]--
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	opt := backward.Options{Observer: func(p limit.Progress) {
		if p.Depth == 2 {
			cancel()
		}
	}}
	r, err := backward.Search(ctx, interp.New(dose(6)), rules.HasOutcome(win), opt)
	if err != nil || !r.Hits(limit.Interrupt) || len(r.Levels) != 3 {
		t.Errorf("%v, %+v", err, r)
	}
}

// TestPlays: every state leads to the goal by a play as long as its level says.
func TestPlays(t *testing.T) {
	sys := dose(6)
	r := searchWin(t, sys, backward.Options{})
	in := interp.New(sys)
	i := 0
	for moves, states := range r.Levels {
		for range states {
			play, err := r.Play(i)
			if err != nil || len(play) != moves {
				t.Fatalf("state %d: %v, %d moves, want %d", i, err, len(play), moves)
			}
			now := r.State(i)
			for _, a := range play {
				to, legal, err := in.Do(now, a)
				if err != nil || !legal {
					t.Fatalf("state %d, %v: action %d is legal: %v, %v", i, now, a, legal, err)
				}
				now = to
			}
			if now.Outcome != win {
				t.Errorf("the play of state %d ends in %v", i, now)
			}
			i++
		}
	}
	if i != r.Len() || r.Levels[0] != r.Targets {
		t.Errorf("levels %v for %d states, %d targets", r.Levels, r.Len(), r.Targets)
	}
}

func TestVacuous(t *testing.T) {
	goal := rules.Conjunction(rules.HasOutcome(win), equal(seedsIn(0), number(1)))
	r, err := backward.Search(context.Background(), interp.New(dose(2)), goal, backward.Options{})
	if err != nil || !r.Vacuous() || len(r.Starts) > 0 {
		t.Errorf("%v, %+v", err, r)
	}
}

// TestFinishedStart: a start may be over at once, and then is a target itself.
func TestFinishedStart(t *testing.T) {
	sys := dose(2)
	sys.Params, sys.Start.Cond = nil, equal(all(span(0, 6)...), number(0))
	r := searchWin(t, sys, backward.Options{})
	if r.Stop != limit.Found || len(r.Starts) != 1 || len(r.Starts[0].Actions) != 0 || r.Starts[0].State.Outcome != win {
		t.Errorf("%v, %s, %+v", r.Stop, r.Reason, r.Starts)
	}
}

func TestHard(t *testing.T) {
	vague := dose(2)
	odd := equal(rules.Binary{Op: rules.Mod, L: seedsIn(5), R: number(2)}, number(1))
	vague.Start.Cond = rules.Conjunction(equal(all(span(0, 4)...), rules.OpenParam{}), odd)
	undefined := dose(2)
	undefined.Start.Cond = rules.Binary{Op: rules.Ge, L: rules.OpenParam{}, R: number(1)}
	kalah := rulestest.Kalah(2, 2, false)
	for _, c := range []struct {
		sys    *rules.System
		goal   rules.Expr
		reason string
	}{
		{vague, rules.HasOutcome(win), "depends on `store2`"},
		{undefined, rules.HasOutcome(win), "does not say what `stones` is"},
		{dose(2), rules.HasOutcome(lose), "infinitely many states"},
		{kalah, noSeeds(kalah, rules.Live), "move `sow` captures"},
		{kalah, noSeeds(kalah, 0), "ending `end` moves seeds"},
	} {
		r, err := backward.Search(context.Background(), interp.New(c.sys), c.goal, backward.Options{})
		if err != nil || r.Stop != limit.Undecided || !strings.Contains(r.Reason, c.reason) {
			t.Errorf("%v, %v; want one with %q", err, r, c.reason)
		}
	}
}

// noSeeds is a goal without seeds on the board.
func noSeeds(sys *rules.System, outcome int) rules.Expr {
	return rules.Conjunction(rules.HasOutcome(outcome), equal(all(span(0, len(sys.Pits))...), number(0)))
}

// TestEndlessFamily: a sowing that drops all its seeds into ignored pits may have had any number of
// seeds.
func TestEndlessFamily(t *testing.T) {
	sys := dose(2)
	sys.Reactions = nil
	sys.Laps = []rules.Lap{rulestest.NewLap("stores", true, 6, 4, 5)}
	sys.Actions = []rules.Action{{Move: 1, Body: []rules.Stmt{rules.Sow{Source: number(0), StartAt: number(4)}}}}
	_, err := backward.Predecessors(context.Background(), interp.New(sys), slice.Keep(context.Background(), sys).Kept, sys.EmptyStart())
	if hard := new(backward.HardError); !errors.As(err, &hard) || !strings.Contains(hard.Reason, "any number of seeds") {
		t.Error(err)
	}
}

// TestHardWaysThatDoNotCount: an action that ends in a loss did not capture on the way to a live
// state.
func TestHardWaysThatDoNotCount(t *testing.T) {
	sys := dose(2)
	capture := rules.Transfer{From: rules.Last, Into: number(4)}
	end := sys.Actions[4].Body[1].(rules.If).Else[0].(rules.If)
	end.Then = append([]rules.Stmt{capture}, end.Then...)
	sys.Actions[4].Body[1].(rules.If).Else[0] = end
	if r := searchWin(t, sys, backward.Options{}); r.Stop != limit.Found {
		t.Error(r.Stop, r.Reason)
	}
}

// TestForeign: a body with an unknown statement has no ways.
func TestForeign(t *testing.T) {
	for place, sys := range rulestest.Foreign() {
		keep := rules.Kept{}
		if rulestest.Silent(func() error {
			_, err := backward.Predecessors(context.Background(), interp.New(sys), keep, sys.EmptyStart())
			return err
		}) {
			t.Errorf("%s: Predecessors returns no error", place)
		}
	}
}
