package choose

import (
	"context"
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
)

// TestExact: two that choose by values come to the value of the start, and one of them to at least
// as much against any other play.
func TestExact(t *testing.T) {
	margin := value.Payoff{Kind: value.Margin}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 3).Draw(t, "n")
		sys := rulestest.Kalah(2, n, rapid.Bool().Draw(t, "empty capture"))
		in, st := interp.New(sys), rulestest.KalahStart(sys, n)
		all, err := value.Solve(context.Background(), sys, forward.From(st), margin, forward.Options{})
		if err != nil {
			t.Fatal(err)
		}
		choosing := rapid.IntRange(0, 2).Draw(t, "who chooses") // 2: both
		want, _, _ := all.Value(st)
		for st.Live() {
			if choosing == 2 || choosing == st.Mover {
				c, err := Choose(context.Background(), sys, st, Options{Payoff: margin, Games: 10})
				if err != nil || c.How != Exact && c.How != Only {
					t.Fatalf("%+v, %v", c, err)
				}
				st = c.Step.To
				continue
			}
			steps, err := in.Steps(st)
			if err != nil {
				t.Fatal(err)
			}
			st = rapid.SampledFrom(steps).Draw(t, "move").To
		}
		got, _, _ := all.Value(st)
		switch {
		case choosing == 2 && got != want, choosing == value.First && got < want, choosing == value.Second && got > want:
			t.Fatalf("the game ends with %d, its value is %d", got, want)
		}
	})
}

// TestGuess: where values are not found the move that does best in random games is chosen, and
// nothing is said to be known.
func TestGuess(t *testing.T) {
	sys := rulestest.Kalah(3, 4, false)
	st := rulestest.KalahStart(sys, 4)
	opts := Options{Payoff: value.Payoff{Kind: value.Margin}, Bounds: limit.Bounds{MaxStates: 1}, Games: 200}
	c, err := Choose(context.Background(), sys, st, opts)
	if err != nil {
		t.Fatal(err)
	}
	if c.How != Guessed || c.Reason == "" || len(c.Moves) != 3 {
		t.Errorf("%+v", c)
	}
	for _, m := range c.Moves {
		if m.Standing != Unsure || m.Games != opts.Games || m.Value.Lo > value.NoLower || m.Value.Hi < value.NoUpper {
			t.Errorf("%+v", m)
		}
		if m.Average > c.average() {
			t.Errorf("a move with %.2f on average is not chosen", m.Average)
		}
	}
}

// TestEstimated: in a given time the best move by an estimate is chosen where values are not found,
// and what is said to be known is.
func TestEstimated(t *testing.T) {
	sys := rulestest.Kalah(3, 4, false)
	st := rulestest.KalahStart(sys, 4)
	payoff := value.Payoff{Kind: value.Margin}
	all, err := value.Solve(context.Background(), sys, forward.From(st), payoff, forward.Options{})
	if err != nil {
		t.Fatal(err)
	}
	opts := Options{Payoff: payoff, Time: time.Millisecond, Memory: &Memory{}}
	large := rulestest.Kalah(6, 6, false)
	if c, err := Choose(context.Background(), large, rulestest.KalahStart(large, 6), opts); err != nil || c.How != Estimated || c.Reason == "" || len(c.Moves) != 6 {
		t.Errorf("%+v, %v", c, err)
	}
	for st.Live() {
		c, err := Choose(context.Background(), sys, st, opts)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range c.Moves {
			v, _, _ := all.Value(m.To)
			if v < m.Value.Lo || v > m.Value.Hi {
				t.Errorf("%v is worth %d, and not %d to %d", m.To, v, m.Value.Lo, m.Value.Hi)
			}
			if chosen := c.chosen(); c.How == Estimated && m.Standing == chosen.Standing && side(st.Mover)*(m.Estimate-chosen.Estimate) > 0 {
				t.Errorf("%v: a move of %v is chosen, and not one of %v", st, chosen.Estimate, m.Estimate)
			}
		}
		st = c.Step.To
	}
}

func side(mover int) float64 { return float64(1 - 2*mover) }

// chosen is the move chosen.
func (c *Choice) chosen() *Move {
	for i := range c.Moves {
		if c.Moves[i].Action == c.Step.Action {
			return &c.Moves[i]
		}
	}
	return nil
}

// average is that of the move chosen.
func (c *Choice) average() float64 {
	return c.chosen().Average
}

// TestNoWorth: where the rules do not say what plays are worth, a move is chosen all the same.
func TestNoWorth(t *testing.T) {
	sys := rulestest.Kalah(3, 2, false)
	sys.Scores = nil
	c, err := Choose(context.Background(), sys, rulestest.KalahStart(sys, 2), Options{Games: 5})
	if err != nil {
		t.Fatal(err)
	}
	if c.How != Guessed || c.Found == nil || c.Found.Known() || c.Reason == "" {
		t.Errorf("%+v", c)
	}
}

// TestOnly: the only move takes no search, and without one there is an error.
func TestOnly(t *testing.T) {
	sys := rulestest.Kalah(3, 2, false)
	st := rulestest.KalahStart(sys, 2)
	for p := range st.Seeds {
		if sys.Pits[p].Owner == st.Mover && sys.Pits[p].Group != "store" && p != 0 {
			st.Seeds[p] = 0
		}
	}
	steps, err := interp.New(sys).Steps(st)
	if err != nil || len(steps) != 1 {
		t.Fatalf("%d moves, %v", len(steps), err)
	}
	c, err := Choose(context.Background(), sys, st, Options{})
	if err != nil || c.How != Only || c.Step.Action != steps[0].Action || c.Moves[0].Standing != Best {
		t.Errorf("%+v, %v", c, err)
	}
	over := rules.State{Seeds: st.Seeds, Mover: rules.None, Outcome: 0}
	if _, err := Choose(context.Background(), sys, over, Options{}); !errors.Is(err, errNoMove) {
		t.Errorf("%v", err)
	}
}

// TestInterrupted: an interrupt is no choice.
func TestInterrupted(t *testing.T) {
	sys := rulestest.Kalah(6, 4, false)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if c, err := Choose(ctx, sys, rulestest.KalahStart(sys, 4), Options{Games: 1000}); !errors.Is(err, context.Canceled) {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestBeyondLimits: a move is chosen by an estimate, or by random games, where play may come to a
// move that takes too many turns of a loop.
func TestBeyondLimits(t *testing.T) {
	sys := buildtest.System(t, buildtest.Text(t, `
variant Spin {
  player A, B
  board { a | b }
  setup { a = 9 }
  move "go" { choose k in 1..2  require a >= k  take k from a into b }
  move "spin" { require a = 2  let k = 0  while k < 1000000000 { k = k + 1 }  take 1 from a into b }
  opponent wins when a = 0
}`), nil)
	st := buildtest.FirstStart(t, interp.New(sys))
	for _, opts := range []Options{{Time: time.Second, Games: 3}, {Games: 3}} {
		opts.Payoff = value.Payoff{Kind: value.KindOf(sys)}
		c, err := Choose(context.Background(), sys, st, opts)
		if err != nil || c.Reason == "" || (c.How == Estimated) != (opts.Time > 0) || c.How == Exact {
			t.Errorf("%+v: %+v, %v", opts, c, err)
		}
	}
}
