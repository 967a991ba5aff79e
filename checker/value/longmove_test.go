package value

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/resolve/resolvetest"
)

// longMove is a game whose first move takes days, if seeds are dropped one by one.
const longMove = `
variant Long {
  player South, North
  board {
    north[2..1]
    south[1..2]
  }
  state odd : bool = false
  setup { each house = 1000000000000 }
  move {
    choose from in my house where from > 0
    SOW
  }
  end when total(south) = 0
  score South = total(south), North = total(north)
}`

// TestLongMoves: every analysis ends with its context in the middle of a move, and says so. If one
// did not, this test would take too long.
func TestLongMoves(t *testing.T) {
	for _, body := range []string{
		"sow from along ccw, each drop { odd = not odd }",
		"while from > 0 { take 1 from from into next(from along ccw) }",
	} {
		sys := resolvetest.System(t, resolvetest.Text(t, strings.ReplaceAll(longMove, "SOW", body)), nil)
		st := resolvetest.FirstStart(t, interp.New(sys))
		for name, stop := range map[string]func(ctx context.Context) (forward.Stop, error){
			"find": func(ctx context.Context) (forward.Stop, error) {
				f, err := Find(ctx, sys, st, Payoff{Kind: Margin}, Options{Moves: true, MaxMemory: 64 << 20})
				if f == nil {
					return 0, err
				}
				return f.Stop, err
			},
			"analysed": func(ctx context.Context) (forward.Stop, error) {
				f, err := analysed(ctx, sys, st, Payoff{Kind: Margin}, Options{Moves: true})
				if f == nil {
					return 0, err
				}
				return f.Stop, err
			},
			"force": func(ctx context.Context) (forward.Stop, error) {
				f, err := Force(ctx, sys, forward.From(st), First, rules.IsStart, forward.Options{})
				if f == nil {
					return 0, err
				}
				return f.Stop, err
			},
		} {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			if got, err := stop(ctx); err != nil || got != forward.Cancelled {
				t.Errorf("%s: %s ends as %v with %v", body, name, got, err)
			}
			cancel()
		}
	}
}
