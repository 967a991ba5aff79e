package proofs

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/space"
)

// forwardOptions returns the limits of a forward search, which reports under the claim's name.
func (d *decision) forwardOptions(maxStates int64) forward.Options {
	o := forward.Options{MaxStates: maxStates, MaxMemory: d.opt.MaxMemory, Threads: d.opt.Threads, Whole: d.opt.Whole, Spill: d.opt.Disk}
	if d.opt.Observer != nil {
		o.Observer = func(p forward.Progress) {
			d.observe(Progress{Engine: Forward, Depth: p.Depth, States: p.States, Frontier: p.Open, Elapsed: p.Elapsed})
		}
	}
	return o
}

// starts streams all starts.
func (d *decision) starts() forward.Starts {
	return func(ctx context.Context, yield func(rules.State) error) error {
		return space.Starts(ctx, d.in, yield)
	}
}

// search runs a forward search from the starts. One that ends early leaves the question open.
func (d *decision) search(q forward.Query, opt forward.Options) (*forward.Result, error) {
	res, err := forward.Search(d.ctx, d.sys, d.starts(), q, opt)
	switch {
	case err != nil:
		return nil, d.startless(err)
	case res.Stop != forward.GoalFound && res.Stop != forward.Exhausted && res.Stop != forward.DepthLimit:
		return nil, d.limit(res.Stop, res.Hit, res.Stats)
	}
	return res, nil
}

// limit says where a forward search ended early.
func (d *decision) limit(stop forward.Stop, hit limit.Hit, stats forward.Stats) error {
	r := d.unknown(Forward, verdict.SearchEnded{Limit: hit, States: stats.States, Depth: stats.Examined})
	r.Stats, r.more = forwardStats(stats), stop == forward.StateLimit
	return r
}

// startless says that there are infinitely many starts; other errors are failures.
func (d *decision) startless(err error) error {
	if errors.As(err, new(*space.InfiniteError)) {
		return d.unknown(Forward, verdict.Obstacle{Is: verdict.InfiniteStarts, Words: verdict.Words(err.Error())})
	}
	return err
}

func forwardStats(s forward.Stats) verdict.Stats {
	return verdict.Stats{States: s.States, Transitions: s.Transitions, Depth: s.Depth, Bytes: s.Bytes}
}
