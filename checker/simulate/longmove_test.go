package simulate

import (
	"context"
	"testing"
	"time"

	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
)

// TestLongMoves: games end with the context in the middle of a move, and those are not counted. If
// they did not, this test would take too long.
func TestLongMoves(t *testing.T) {
	for _, body := range []string{
		"sow from along ccw, each drop { odd = not odd }",
		"while from > 0 { take 1 from from into next(from along ccw) }",
	} {
		sys := buildtest.System(t, buildtest.Text(t, buildtest.LongMove(body, "")), nil)
		st := buildtest.FirstStart(t, interp.New(sys))
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		if r, err := Run(ctx, sys, st, Options{Games: 3, MaxMoves: 10}); err != nil || r.Complete || r.Games != 0 {
			t.Errorf("%s: %+v, %v", body, r, err)
		}
		cancel()
	}
}
