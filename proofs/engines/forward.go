package engines

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/space"
)

// ForwardOptions returns the limits of a forward search, which reports under the claim's name.
func (run *Run) ForwardOptions() forward.Options {
	return forward.Options{Bounds: run.Opt.Bounds, Whole: run.Opt.Whole, Spill: run.Opt.Disk, Observer: run.Observer(verdict.Forward)}
}

// Starts streams all starts.
func (run *Run) Starts() forward.Starts {
	return func(ctx context.Context, yield func(rules.State) error) error {
		return space.Starts(ctx, run.In, yield)
	}
}

// Search runs a forward search from the starts on parts of the states. One that ends early leaves
// the question open.
func (run *Run) Search(parts rules.Parts, q forward.Query, opt forward.Options) (*forward.Result, error) {
	played := game.Keeping(game.Of(run.Ctx, run.Sys), parts)
	res, err := forward.SearchGame(run.Ctx, played, run.Starts(), q, opt)
	switch {
	case err != nil:
		return nil, run.Startless(err)
	case res.Stop != limit.Found && res.Stop != limit.Complete && res.Stop != limit.DepthLimit:
		return nil, run.Ended(res.End, res.Stats)
	}
	return res, nil
}

// Found is the verdict that the play of a search shows.
func (run *Run) Found(s verdict.Status, res *forward.Result) (*result.Result, error) {
	r, err := run.Shown(s, verdict.Forward, nil, res.Trace.Start, res.Trace.Actions)
	if err == nil {
		r.Stats = ForwardStats(res.Stats)
	}
	return r, err
}

// Ended says where a forward search ended early.
func (run *Run) Ended(end limit.End, stats forward.Stats) error {
	r := run.Unknown(verdict.Forward, verdict.Ended{Work: verdict.ForwardSearch, Limit: end.Hit, States: stats.States, Depth: stats.Examined})
	r.Stats, r.more = ForwardStats(stats), end.Hits(limit.States)
	return r
}

// Startless says that there are infinitely many starts; other errors are failures.
func (run *Run) Startless(err error) error {
	if errors.As(err, new(*space.InfiniteError)) {
		return run.Unknown(verdict.Forward, verdict.InfiniteStarts.Says(err.Error()))
	}
	return err
}

// ForwardStats are the figures of a forward search.
func ForwardStats(s forward.Stats) verdict.Stats {
	return verdict.Stats{States: s.States, Transitions: s.Transitions, Depth: max(s.Depth, 0), Bytes: s.Bytes}
}
