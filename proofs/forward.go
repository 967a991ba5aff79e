package proofs

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/checker/forward"
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
		return nil, d.limit(res.Stop, res.Reason, res.Stats)
	}
	return res, nil
}

// limit says where a forward search ended early.
func (d *decision) limit(stop forward.Stop, reason string, stats forward.Stats) error {
	r := d.unknown(Forward, "%s: %s, complete to depth %d", reason, count(int(stats.States), "state"), stats.Examined)
	if stats.Examined < 0 {
		r.Reason = reason + ", before all starts were examined"
	}
	r.Stats, r.more = forwardStats(stats), stop == forward.StateLimit
	return r
}

// startless says that there are infinitely many starts; other errors are failures.
func (d *decision) startless(err error) error {
	if errors.As(err, new(*space.InfiniteError)) {
		return d.unknown(Forward, "the starts are not finitely many: %s", err)
	}
	return err
}

func forwardStats(s forward.Stats) Stats {
	return Stats{States: s.States, Transitions: s.Transitions, Depth: s.Depth, Bytes: s.Bytes}
}
