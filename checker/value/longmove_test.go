package value

import (
	"context"
	"testing"
	"time"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build/buildtest"
	"github.com/mancheck/mancheck/rules/interp"
)

// TestLongMoves: every analysis ends with its context in the middle of a move, and says so. If one
// did not, this test would take too long.
func TestLongMoves(t *testing.T) {
	for _, body := range []string{
		"sow from along ccw, each drop { odd = not odd }",
		"while from > 0 { take 1 from from into next(from along ccw) }",
	} {
		sys := buildtest.System(t, buildtest.Text(t, buildtest.LongMove(body, "")), nil)
		st := buildtest.FirstStart(t, interp.New(sys))
		for name, stop := range map[string]func(ctx context.Context) (limit.Stop, error){
			"find": func(ctx context.Context) (limit.Stop, error) {
				f, err := Find(ctx, sys, st, Payoff{Kind: Margin}, Options{Moves: true, Bounds: limit.Bounds{MaxMemory: 64 << 20}})
				if f == nil {
					return 0, err
				}
				return f.Stop, err
			},
			"analysed": func(ctx context.Context) (limit.Stop, error) {
				f, err := analysed(ctx, sys, st, Payoff{Kind: Margin}, Options{Moves: true})
				if f == nil {
					return 0, err
				}
				return f.Stop, err
			},
			"force": func(ctx context.Context) (limit.Stop, error) {
				f, err := Force(ctx, sys, forward.From(st), First, rules.IsStart, forward.Options{})
				if f == nil {
					return 0, err
				}
				return f.Stop, err
			},
		} {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
			if got, err := stop(ctx); err != nil || got != limit.Reached {
				t.Errorf("%s: %s ends as %v with %v", body, name, got, err)
			}
			cancel()
		}
	}
}
