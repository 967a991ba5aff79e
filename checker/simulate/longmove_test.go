package simulate

import (
	"context"
	"strings"
	"testing"
	"time"

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

// TestLongMoves: games end with the context in the middle of a move, and those are not counted. If
// they did not, this test would take too long.
func TestLongMoves(t *testing.T) {
	for _, body := range []string{
		"sow from along ccw, each drop { odd = not odd }",
		"while from > 0 { take 1 from from into next(from along ccw) }",
	} {
		sys := resolvetest.System(t, resolvetest.Text(t, strings.ReplaceAll(longMove, "SOW", body)), nil)
		st := resolvetest.FirstStart(t, interp.New(sys))
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		if r, err := Run(ctx, sys, st, Options{Games: 3, MaxMoves: 10}); err != nil || r.Complete || r.Games != 0 {
			t.Errorf("%s: %+v, %v", body, r, err)
		}
		cancel()
	}
}
