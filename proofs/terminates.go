package proofs

import (
	"cmp"
	"context"
	"errors"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/resolve"
)

// terminates claims that no play is infinite, or none too long.
type terminates struct {
	usual
	*resolve.Terminates
}

func (terminates) about() verdict.Claim { return verdict.Claim{Kind: verdict.Terminates} }

func (k terminates) shows(r *Result) func(context.Context) error {
	if r.Status == Proved {
		return nil
	}
	return func(ctx context.Context) error { return replayOf(ctx, r.Trace).goesOn(k.Within) }
}

// goesOn fails unless the play returns to one of its states, or is longer than within.
func (t *replayed) goesOn(within int) error {
	if _, _, err := t.states(true); err != nil {
		return err
	}
	if t.trace.Loop() < 0 && (within < 0 || len(t.trace.Steps) <= within) {
		return errors.New("the play ends")
	}
	return nil
}

func (k terminates) again(q question) (*enumerate.Opinion, error) {
	return q.plays().Terminates(k.Within)
}

// lassoStates is how many states may be walked in search of an infinite play, before all of them
// are explored.
const lassoStates = 1_000_000

// decide looks for an infinite play, or for one that is too long. Few states are explored
// completely, which gives the shortest play. With more states, a walk that ends at the first cycle
// comes first: it may need a small part of them.
func (k terminates) decide(d *decision) (*Result, error) {
	if !d.wants(Forward) {
		return nil, d.refuses(verdict.AboutTermination)
	}
	t, lasso, err := d.plays(d.in, d.starts())
	if err != nil {
		return nil, d.startless(err)
	}
	var r *Result
	switch longest := t.Longest; {
	case lasso != nil:
		r = d.result(Refuted, Forward, verdict.Repeats{Moves: len(lasso.Cycle)})
		r.Trace, err = d.replayLasso(lasso)
	case t.Stop != forward.Exhausted:
		return nil, d.limit(t.Stop, t.Hit, t.Stats)
	case k.Within >= 0 && len(longest.Actions) > k.Within:
		if r, err = d.shown(Refuted, Forward, nil, longest.Start, longest.Actions); err == nil {
			r.Found = verdict.Longest{Moves: len(longest.Actions), Beyond: true}
		}
	default:
		r = d.result(Proved, Forward, verdict.Longest{Moves: len(longest.Actions)})
	}
	if err != nil {
		return nil, err
	}
	r.Stats = forwardStats(t.Stats)
	return r, nil
}

// plays finds an infinite play of the System that in plays, or everything about its plays within
// the limits.
func (d *decision) plays(in *interp.Interp, starts forward.Starts) (*forward.Termination, *forward.Lasso, error) {
	t, err := forward.Terminates(d.ctx, in.System(), starts, d.forwardOptions(d.few()))
	if err != nil || t.Stop != forward.StateLimit {
		return t, lassoOf(t), err
	}
	lasso, err := forward.FindLasso(d.ctx, in.System(), starts, d.forwardOptions(d.upTo(lassoStates)))
	if lasso != nil || err != nil || d.few() == d.opt.MaxStates {
		return t, lasso, err
	}
	t, err = forward.Terminates(d.ctx, in.System(), starts, d.forwardOptions(d.opt.MaxStates))
	return t, lassoOf(t), err
}

func lassoOf(t *forward.Termination) *forward.Lasso { return cmp.Or(t, &forward.Termination{}).Lasso }
