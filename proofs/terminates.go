package proofs

import (
	"fmt"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/resolve"
)

// lassoStates is how many states may be walked in search of an infinite play, before all of them are explored.
const lassoStates = 1_000_000

// terminates looks for an infinite play, or for one that is too long. Few states are explored at once, which gives the shortest
// play. Where there are more, a walk that ends at the first cycle comes first: it may need a small part of them.
func (d *decision) terminates(p *resolve.Terminates) (*Result, error) {
	if !d.wants(Forward) {
		return d.none("termination"), nil
	}
	starts := d.starts()
	t, lasso, err := d.plays(d.in, starts)
	if err != nil {
		return d.startless(err)
	}
	switch {
	case lasso != nil:
		return d.goesOn(lasso, t.Stats)
	case t.Stop != forward.Exhausted:
		return d.limit(t.Reason, t.Stats), nil
	}
	longest := count(len(t.Longest.Actions), "move")
	r := d.result(Proved, Forward, "no play has more than "+longest)
	if p.Within >= 0 && len(t.Longest.Actions) > p.Within {
		r = d.result(Refuted, Forward, "the longest play has "+longest)
		if r.Trace, err = replay(d.in, d.inst.Claim.Name, t.Longest.Start, t.Longest.Actions); err != nil {
			return nil, err
		}
	}
	r.Stats = forwardStats(t.Stats)
	return r, nil
}

// plays finds an infinite play of the System that in plays, or else all about its plays as far as the limits allow.
func (d *decision) plays(in *interp.Interp, starts forward.Starts) (*forward.Termination, *forward.Lasso, error) {
	opt := d.forwardOptions()
	opt.MaxStates = d.few()
	t, err := forward.Terminates(d.ctx, in.System(), starts, opt)
	if err != nil || t.Stop != forward.StateLimit {
		return t, lassoOf(t), err
	}
	opt.MaxStates = d.upTo(lassoStates)
	lasso, err := forward.FindLasso(d.ctx, in.System(), starts, opt)
	if lasso != nil || err != nil || d.few() == d.opt.MaxStates {
		return t, lasso, err
	}
	t, err = forward.Terminates(d.ctx, in.System(), starts, d.forwardOptions())
	return t, lassoOf(t), err
}

func lassoOf(t *forward.Termination) *forward.Lasso {
	if t == nil {
		return nil
	}
	return t.Lasso
}

func goesRound(l *forward.Lasso) string {
	if len(l.Cycle) == 1 {
		return "the last move repeats for ever"
	}
	return fmt.Sprintf("the last %d moves repeat for ever", len(l.Cycle))
}

// goesOn is the verdict that an infinite play gives: its trace goes once round the cycle.
func (d *decision) goesOn(l *forward.Lasso, stats forward.Stats) (*Result, error) {
	r := d.result(Refuted, Forward, goesRound(l))
	var err error
	r.Trace, err = replayLasso(d.in, d.inst.Claim.Name, l)
	r.Stats = forwardStats(stats)
	return r, err
}
