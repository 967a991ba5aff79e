package engines

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/space"
)

// ForwardOptions returns the limits of a forward search, which reports under the claim's name.
func (run *Run) ForwardOptions() forward.Options {
	o := forward.Options{MaxStates: run.Opt.MaxStates, MaxMemory: run.Opt.MaxMemory, Threads: run.Opt.Threads, Whole: run.Opt.Whole, Spill: run.Opt.Disk}
	if run.Opt.Observer != nil {
		o.Observer = func(p forward.Progress) {
			run.Observe(Progress{Engine: verdict.Forward, Depth: p.Depth, States: p.States, Frontier: p.Open, Elapsed: p.Elapsed})
		}
	}
	return o
}

// Starts streams all starts.
func (run *Run) Starts() forward.Starts {
	return func(ctx context.Context, yield func(rules.State) error) error {
		return space.Starts(ctx, run.In, yield)
	}
}

// Search runs a forward search from the starts. One that ends early leaves the question open.
func (run *Run) Search(q forward.Query, opt forward.Options) (*forward.Result, error) {
	res, err := forward.Search(run.Ctx, run.Sys, run.Starts(), q, opt)
	switch {
	case err != nil:
		return nil, run.Startless(err)
	case res.Stop != forward.GoalFound && res.Stop != forward.Exhausted && res.Stop != forward.DepthLimit:
		return nil, run.Ended(res.Stop, res.Hit, res.Stats)
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
func (run *Run) Ended(stop forward.Stop, hit limit.Hit, stats forward.Stats) error {
	r := run.Unknown(verdict.Forward, verdict.SearchEnded{Limit: hit, States: stats.States, Depth: stats.Examined})
	r.Stats, r.more = ForwardStats(stats), stop == forward.StateLimit
	return r
}

// Startless says that there are infinitely many starts; other errors are failures.
func (run *Run) Startless(err error) error {
	if errors.As(err, new(*space.InfiniteError)) {
		return run.Unknown(verdict.Forward, verdict.Obstacle{Is: verdict.InfiniteStarts, Words: verdict.Words(err.Error())})
	}
	return err
}

// ForwardStats are the figures of a forward search.
func ForwardStats(s forward.Stats) verdict.Stats {
	return verdict.Stats{States: s.States, Transitions: s.Transitions, Depth: s.Depth, Bytes: s.Bytes}
}
