package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/mancheck/mancheck/internal/tier"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
	"github.com/mancheck/mancheck/smt/engine"
)

// deep is how many moves the plays of random rules are followed.
const deep = 3

// few is a game with five starts in which most boards are reached by more than one move.
const few = `
variant Few {
  player South, North
  board { a | b | c | d | e  ring lap = a, b, c, d, e  group store = c }
  state at : pit = none
  setup { any where total(pit) = 4, c = 0, d = 0, e = 0 }
  move {
    choose at in { a, b, d, e } where seeds(at) > 0
    sow at along lap, store takes only the last
    if last = c { again }
  }
  South wins when c = 4
}
`

// TestReachAgrees: a bounded search finds a play to a condition, or to a step that satisfies one,
// after as many moves as a search with the interpreter does, and none if there is none. The rules
// are random, and most have several starts; those of few have plays to more distant states.
func TestReachAgrees(t *testing.T) {
	needSolver(t)
	n := 240 / tier.Every(8, 3)
	systems, count := rulestest.Kernel(), map[string]int{}
	known, _ := property(t, few, "unreachable false")
	for i := range n {
		sys := systems.Example(i + 1)
		if i%4 == 0 {
			sys = known
		}
		q := question{in: interp.New(sys), step: i%3 == 0, from: rules.Const{Value: 1}}
		if i%2 == 0 {
			q.goal = q.seen(t.Context(), rand.New(rand.NewPCG(1, uint64(i))))
		} else {
			q.from = rulestest.Claim(sys, false).Example(i + 1)
			q.goal = rulestest.Claim(sys, q.step).Example(i + 2)
		}
		result, err := q.compare(t.Context())
		if err != nil {
			t.Fatalf("rules %d: %v\n%s", i, err, sys.Canonical())
		}
		count[result]++
	}
	t.Logf("%d rule sets: %v", n, count)
	for _, kind := range []string{"found at once", "found later", "not found"} {
		if count[kind] < n/20 {
			t.Errorf("only %d are of the kind: %s", count[kind], kind)
		}
	}
}

// question asks for a state that satisfies goal or, with step, for a step from one that satisfies
// from to one that satisfies goal.
type question struct {
	in         *interp.Interp
	step       bool
	from, goal rules.Expr
}

// seen is a condition that describes the board after some random moves.
func (q question) seen(ctx context.Context, rnd *rand.Rand) rules.Expr {
	var s rules.State
	n := 0
	_ = space.Starts(ctx, q.in, func(x rules.State) error { // rules with a fault are left out later
		if n++; rnd.IntN(n) == 0 {
			s = x.Clone()
		}
		return nil
	})
	for range 1 + rnd.IntN(deep) {
		if steps, err := q.in.Steps(s); err == nil && len(steps) > 0 {
			s = steps[rnd.IntN(len(steps))].To
		}
	}
	var x rules.Expr = rules.Const{Value: 1}
	for p, n := range s.Seeds {
		is := rules.Binary{Op: rules.Eq, L: rules.PitAt(p), R: rules.Const{Value: n}}
		x = rules.Binary{Op: rules.And, L: x, R: is}
	}
	return x
}

// compare says how the question was decided, or "" if one of the searches cannot decide it.
func (q question) compare(ctx context.Context) (string, error) {
	want, err := q.shortest(ctx)
	if err != nil {
		return "", nil //nolint:nilerr // the interpreter cannot decide it
	}
	got, err := q.ask(ctx)
	if undecided := engine.Undecided(err); undecided || err == nil && got.Status == engine.Unknown {
		return "", nil
	}
	switch {
	case err != nil:
		return "", err
	case got.Status == engine.Holds && (want >= 0 || got.Depth != deep):
		return "", fmt.Errorf("nothing within %d moves, but there is a play of %d", got.Depth, want)
	case got.Status == engine.Holds:
		return "not found", nil
	case len(got.Play.Actions) != want:
		return "", fmt.Errorf("a play of %d moves, want %d", len(got.Play.Actions), want)
	}
	if want == 0 || q.step && want == 1 {
		return "found at once", q.replay(ctx, got.Play)
	}
	return "found later", q.replay(ctx, got.Play)
}

func (q question) ask(ctx context.Context) (*engine.Reached, error) {
	opt := engine.Options{Steps: 1_000_000, Unroll: 1, MaxCases: 64}
	if q.step {
		return engine.ReachStep(ctx, q.in.System(), q.from, q.goal, nil, deep, opt)
	}
	return engine.Reach(ctx, q.in.System(), q.goal, deep, opt)
}

// holds reports whether a play that ends with the step from old, which is nil at the start, ends as
// required.
func (q question) holds(old *rules.State, s rules.State) (bool, error) {
	if !q.step {
		return q.in.Holds(q.goal, s, nil)
	}
	if old == nil {
		return false, nil
	}
	if is, err := q.in.Holds(q.from, *old, nil); err != nil || !is {
		return false, err
	}
	return q.in.Holds(q.goal, s, old)
}

// shortest returns the number of moves of a shortest play, or -1.
func (q question) shortest(ctx context.Context) (int, error) {
	level := map[string]rules.State{}
	found := false
	add := func(into map[string]rules.State, old *rules.State, s rules.State) error {
		is, err := q.holds(old, s)
		found = found || is
		into[fmt.Sprint(s)] = s.Clone()
		return err
	}
	if err := space.Starts(ctx, q.in, func(s rules.State) error { return add(level, nil, s) }); err != nil || found {
		return 0, err
	}
	for depth := 1; depth <= deep; depth++ {
		next := map[string]rules.State{}
		for _, s := range level {
			steps, err := q.in.Steps(s)
			if err != nil {
				return 0, err
			}
			for _, st := range steps {
				if err := add(next, &s, st.To); err != nil {
					return 0, err
				}
			}
		}
		if found {
			return depth, nil
		}
		level = next
	}
	return -1, nil
}

// replay plays what the solver found.
func (q question) replay(ctx context.Context, p engine.Play) error {
	s, starts := p.State, false
	if err := space.Starts(ctx, q.in, func(x rules.State) error {
		starts = starts || x.Equal(s)
		return nil
	}); err != nil {
		return err
	}
	if !starts {
		return fmt.Errorf("the play begins in %v, which is no start", s)
	}
	var old *rules.State
	for _, a := range p.Actions {
		to, legal, err := q.in.Do(s, a)
		if err != nil {
			return err
		}
		if !legal {
			return fmt.Errorf("action %d of the play is not legal in %v", a, s)
		}
		before := s
		old, s = &before, to
	}
	is, err := q.holds(old, s)
	if err == nil && !is {
		err = fmt.Errorf("the play ends in %v, which is not what it is for", s)
	}
	return err
}
