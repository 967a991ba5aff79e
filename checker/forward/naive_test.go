package forward

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/store"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

// naive is the straightforward search with the reference interpreter, a Go map and all edges.
type naive struct {
	in     *interp.Interp
	number map[string]int
	states []rules.State
	steps  [][]interp.Step
	dist   []int
	starts int
}

func (n *naive) add(s rules.State, dist int) {
	key := fmt.Sprint(s)
	if _, known := n.number[key]; !known {
		n.number[key] = len(n.states)
		n.states = append(n.states, s)
		n.dist = append(n.dist, dist)
	}
}

var errTooMany = errors.New("too many states for the naive search")

// naiveSearch explores everything. It fails on errors in the rules and after most states.
func naiveSearch(sys *rules.System, most int) (*naive, error) {
	n := &naive{in: interp.New(sys), number: map[string]int{}}
	err := space.Starts(context.Background(), n.in, func(s rules.State) error {
		n.add(s.Clone(), 0)
		return nil
	})
	n.starts = len(n.states)
	for i := 0; err == nil && i < len(n.states); i++ {
		if len(n.states) > most {
			return nil, errTooMany
		}
		var steps []interp.Step
		if steps, err = n.in.Steps(n.states[i]); err != nil {
			return nil, err
		}
		for _, st := range steps {
			n.add(st.To, n.dist[i]+1)
		}
		n.steps = append(n.steps, steps)
	}
	return n, err
}

func (n *naive) stuck(i int) bool { return n.states[i].Live() && len(n.steps[i]) == 0 }

// stats counts as Search does.
func (n *naive) stats(sys *rules.System) Stats {
	st := Stats{
		Starts: int64(n.starts), States: int64(len(n.states)), Stored: int64(len(n.states)),
		Finished: map[string]int64{}, TransitionsByOutcome: map[string]int64{},
	}
	for i, s := range n.states {
		st.Depth = max(st.Depth, n.dist[i])
		switch {
		case n.stuck(i):
			st.Stuck++
			st.Finished[rules.StuckLabel]++
		case s.Live():
			st.Live++
		default:
			st.Finished[sys.OutcomeName(s.Outcome)]++
		}
		for _, t := range n.steps[i] {
			st.Transitions++
			if !t.To.Live() {
				st.TransitionsByOutcome[sys.OutcomeName(t.To.Outcome)]++
			} else if n.stuck(n.number[fmt.Sprint(t.To)]) {
				st.TransitionsByOutcome[rules.StuckLabel]++
			}
		}
	}
	st.Examined = st.Depth
	return st
}

// drawSmall draws a System with few states and its naive search. It skips Systems with more states,
// and those with a reachable error in their rules, once a search has found one too.
func drawSmall(t *rapid.T) (*rules.System, Starts, *naive) {
	sys := rulestest.System().Draw(t, "system")
	n, err := naiveSearch(sys, 400)
	starts := startsOf(sys)
	if err != nil {
		if _, found := Search(context.Background(), sys, starts, Query{}, Options{}); found == nil && !errors.Is(err, errTooMany) {
			t.Fatalf("a search does not meet the error %v", err)
		}
		t.Skip(err)
	}
	return sys, starts, n
}

// replay plays a trace with the reference interpreter and returns its states.
func replay(t *rapid.T, n *naive, tr *Trace) []rules.State {
	s := tr.Start
	if i, ok := n.number[fmt.Sprint(s)]; !ok || i >= n.starts {
		t.Fatalf("%v is not a start", s)
	}
	list := []rules.State{s}
	for _, a := range tr.Actions {
		to, legal, err := n.in.Do(s, a)
		if err != nil || !legal {
			t.Fatalf("action %d is not legal in %v: %v", a, s, err)
		}
		s = to
		list = append(list, s)
	}
	return list
}

// anyOptions draws a kind of set and a number of threads.
func anyOptions(t *rapid.T) Options {
	return Options{
		Bounds: limit.Bounds{Threads: rapid.IntRange(1, 3).Draw(t, "threads")}, set: rapid.SampledFrom(kinds).Draw(t, "set"), tiny: rapid.Bool().Draw(t, "tiny"),
	}
}

var kinds = []store.Kind{store.Fitting, store.InBits, store.InHash, store.InKeys}

// TestSearchRandom compares all figures of a search on random rule sets with the naive one.
func TestSearchRandom(t *testing.T) {
	rulestest.Check(t, func(t *rapid.T) {
		sys, starts, n := drawSmall(t)
		r, err := Search(context.Background(), sys, starts, Query{StuckTransitions: true}, anyOptions(t))
		if err != nil {
			t.Fatal(err)
		}
		got, want := r.Stats, n.stats(sys)
		got.Bytes, got.Seconds = 0, 0
		if got.Symmetries > 0 && got.Stored <= want.Stored { // a tiny search that was reduced
			got.Stored, got.Symmetries = want.Stored, 0
		}
		if len(n.states) == 0 {
			want.Examined = got.Examined
		}
		if r.Stop != limit.Complete || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v\n got %+v\nwant %+v", r.Stop, got, want)
		}
	})
}

// startsOf lists the starts that the setup allows.
func startsOf(sys *rules.System) Starts {
	in := interp.New(sys)
	return func(ctx context.Context, yield func(rules.State) error) error { return space.Starts(ctx, in, yield) }
}

// anyQuery draws a question about random rules.
func anyQuery(t *rapid.T, sys *rules.System) Query {
	q := Query{StuckTransitions: true, States: true}
	switch rapid.IntRange(0, 3).Draw(t, "query") {
	case 1:
		q.Goal = rulestest.Claim(sys, false).Draw(t, "goal")
	case 2:
		q.BadStep = &BadStep{Bad: rulestest.Claim(sys, true).Draw(t, "bad")}
	case 3:
		q.Count = []rules.Expr{rulestest.Claim(sys, false).Draw(t, "count")}
	}
	return q
}

// TestSameRandom checks that results depend neither on the kind of set nor on the number of
// threads, also at limits and if the rules are at fault.
func TestSameRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sys := rulestest.System().Draw(t, "system")
		starts, q := startsOf(sys), anyQuery(t, sys)
		most := rapid.Int64Range(1, 600).Draw(t, "states")
		depth := rapid.IntRange(0, 9).Draw(t, "depth")
		whole := rapid.Bool().Draw(t, "whole") // otherwise tiny searches are reduced by symmetries
		search := func(o Options) (*Result, error) {
			o.MaxStates, o.MaxDepth, o.Whole = most, depth, whole
			r, err := Search(context.Background(), sys, starts, q, o)
			if r != nil {
				r.Stats.Seconds = 0
			}
			return r, err
		}
		for _, set := range kinds {
			want, wantErr := search(Options{Bounds: limit.Bounds{Threads: 1}, set: set, tiny: !whole})
			if set != store.Fitting {
				fit, fitErr := search(Options{Bounds: limit.Bounds{Threads: 1}, tiny: !whole})
				if want != nil && fit != nil {
					fit.Stats.Bytes = want.Stats.Bytes
				}
				if !reflect.DeepEqual(fit, want) || fmt.Sprint(fitErr) != fmt.Sprint(wantErr) {
					t.Fatalf("%+v %v,\nand with set %d %+v %v", fit, fitErr, set, want, wantErr)
				}
			}
			for threads := 1; threads <= 3; threads++ {
				got, err := search(Options{Bounds: limit.Bounds{Threads: threads}, set: set, tiny: true})
				if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(err, wantErr) {
					t.Fatalf("set %d, %d threads: %+v %v,\nwant %+v %v", set, threads, got, err, want, wantErr)
				}
			}
		}
	})
}

// TestGoalRandom looks for random goals. It compares the number of states, and the length and end
// of the play.
func TestGoalRandom(t *testing.T) {
	rulestest.Check(t, func(t *rapid.T) {
		sys, starts, n := drawSmall(t)
		goal := rulestest.Claim(sys, false).Draw(t, "goal")
		want, count := -1, int64(0)
		for i, s := range n.states {
			yes, err := n.in.Holds(goal, s, nil)
			if err != nil {
				t.Skip(err)
			}
			if yes && want < 0 {
				want = n.dist[i]
			}
			count += int64(truth(yes))
		}
		counted, err := Search(context.Background(), sys, starts, Query{Count: []rules.Expr{goal}}, anyOptions(t))
		if err != nil || counted.Counts[0] != count {
			t.Fatalf("%d states, %v, want %d", counted.Counts[0], err, count)
		}
		r, err := Search(context.Background(), sys, starts, Query{Goal: goal}, anyOptions(t))
		if err != nil || (r.Stop == limit.Found) != (want >= 0) {
			t.Fatalf("%v, %v, want distance %d", r.Stop, err, want)
		}
		if want >= 0 {
			play := replay(t, n, r.Trace)
			if yes, _ := n.in.Holds(goal, play[len(play)-1], nil); !yes || len(play)-1 != want {
				t.Fatalf("play of %d moves to goal: %v, want %d moves", len(play)-1, yes, want)
			}
		}
	})
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestBadStepRandom looks for random kinds of steps.
func TestBadStepRandom(t *testing.T) {
	rulestest.Check(t, func(t *rapid.T) {
		sys, starts, n := drawSmall(t)
		from, bad := rulestest.Claim(sys, false).Draw(t, "from"), rulestest.Claim(sys, true).Draw(t, "bad")
		actions := rapid.SliceOfN(rapid.Bool(), len(sys.Actions), len(sys.Actions)).Draw(t, "actions")
		isBad := func(s rules.State, st interp.Step) bool {
			before, err := n.in.Holds(from, s, nil)
			after, err2 := n.in.Holds(bad, st.To, &s)
			if err != nil || err2 != nil {
				t.Skip(err, err2)
			}
			return before && after && actions[st.Action]
		}
		want := -1
		for i, s := range n.states {
			for _, st := range n.steps[i] {
				if isBad(s, st) && want < 0 {
					want = n.dist[i]
				}
			}
		}
		r, err := Search(context.Background(), sys, starts, Query{BadStep: &BadStep{from, actions, bad}}, anyOptions(t))
		if err != nil || (r.Stop == limit.Found) != (want >= 0) {
			t.Fatalf("%v, %v, want distance %d", r.Stop, err, want)
		}
		if want >= 0 {
			play := replay(t, n, r.Trace)
			k := len(play) - 1
			if k != want+1 || !isBad(play[k-1], interp.Step{Action: r.Trace.Actions[k-1], To: play[k]}) {
				t.Fatalf("play of %d moves, want %d and a bad step", k, want+1)
			}
		}
	})
}

// TestTerminatesRandom compares with a longest path computed by repeated relaxation.
func TestTerminatesRandom(t *testing.T) {
	rulestest.Check(t, func(t *rapid.T) {
		sys, starts, n := drawSmall(t)
		got, err := Terminates(context.Background(), sys, starts, anyOptions(t))
		if err != nil {
			t.Fatal(err)
		}
		longest, ends := n.longest()
		if got.Ends != ends {
			t.Fatalf("ends %v, want %v", got.Ends, ends)
		}
		if !ends {
			play := replay(t, n, &got.Lasso.Stem)
			whole := Trace{Start: got.Lasso.Stem.Start, Actions: append(got.Lasso.Stem.Actions, got.Lasso.Cycle...)}
			round := replay(t, n, &whole)
			if len(got.Lasso.Cycle) == 0 || !round[len(round)-1].Equal(play[len(play)-1]) {
				t.Fatal("the cycle does not close")
			}
		} else if n.starts > 0 {
			if replay(t, n, got.Longest); len(got.Longest.Actions) != longest {
				t.Fatalf("longest play %d, want %d", len(got.Longest.Actions), longest)
			}
		}
	})
}

// longest returns the length of the longest play, if every play ends.
func (n *naive) longest() (int, bool) {
	length := make([]int, len(n.states))
	for range len(n.states) + 1 {
		changed := false
		for i := range n.states {
			for _, st := range n.steps[i] {
				if l := length[n.number[fmt.Sprint(st.To)]] + 1; l > length[i] {
					length[i], changed = l, true
				}
			}
		}
		if !changed {
			most := 0
			for i := range n.starts {
				most = max(most, length[i])
			}
			return most, true
		}
	}
	return 0, false
}

// TestWinningRandom compares with a search from each start.
func TestWinningRandom(t *testing.T) {
	rulestest.Check(t, func(t *rapid.T) {
		sys, starts, n := drawSmall(t)
		outcome := rapid.IntRange(0, len(sys.Outcomes)-1).Draw(t, "outcome")
		var want []WinningStart
		for _, s := range n.states[:n.starts] {
			r, err := Search(context.Background(), sys, From(s), Query{Goal: rules.HasOutcome(outcome)}, Options{Bounds: limit.Bounds{Threads: 1}})
			if err != nil {
				t.Fatal(err)
			}
			if r.Stop == limit.Found {
				want = append(want, WinningStart{State: s, Moves: len(r.Trace.Actions)})
			}
		}
		got, err := WinningStarts(context.Background(), sys, starts, rules.HasOutcome(outcome), anyOptions(t))
		if err != nil || !reflect.DeepEqual(got.Starts, want) {
			t.Fatalf("%v %v, want %v", got.Starts, err, want)
		}
	})
}
