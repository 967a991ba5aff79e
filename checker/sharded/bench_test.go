package sharded_test

import (
	"context"
	"testing"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/sharded"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/rulestest"
	"github.com/mancheck/mancheck/rules/space"
)

// unchecked is a search without its check, for comparison with a search that has no check.
type unchecked struct{ *sharded.Search }

func (u unchecked) Next(ctx context.Context, last *phase.Phase, results []phase.Result) (*phase.Phase, error) {
	p, err := u.Search.Next(ctx, last, results)
	if err == nil && u.Checks(p) {
		p.Tasks = nil
	}
	return p, err
}

// BenchmarkSearch explores all of Kalah(4,3) in phases, without the check, and with --disk in one
// process. Phases may take twice as long.
func BenchmarkSearch(b *testing.B) {
	sys := rulestest.Kalah(4, 3, false)
	b.Run("disk", func(b *testing.B) {
		for b.Loop() {
			starts := func(ctx context.Context, yield func(rules.State) error) error {
				return space.Starts(ctx, interp.New(sys).Within(ctx), yield)
			}
			o := forward.Options{Bounds: limit.Bounds{Threads: 1, MaxMemory: 256 << 20}, Whole: true, Disk: temporary(b).String() + "/levels"}
			if _, err := forward.Search(b.Context(), sys, starts, forward.Query{}, o); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("8 shards", func(b *testing.B) {
		for b.Loop() {
			j, s := begin(b, temporary(b), sys, sharded.Options{Shards: 8, Least: sharded.DefaultLeast})
			if _, err := j.Alone(b.Context(), unchecked{s}, 1, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}
