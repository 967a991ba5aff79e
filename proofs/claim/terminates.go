package claim

import (
	"cmp"
	"context"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/confirm"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

// terminates claims that no play is infinite, or none too long.
type terminates struct {
	usual
	*resolve.Terminates
}

func (terminates) about() verdict.Claim { return verdict.Claim{Kind: verdict.Terminates} }

func (k terminates) Shows(r *result.Result) func(context.Context) error {
	if r.Status == verdict.Proved {
		return nil
	}
	return func(ctx context.Context) error { return confirm.ReplayOf(ctx, r.Trace).GoesOn(k.Within) }
}

// Certified compares the longest play with that of the certificate.
func (k terminates) Certified(q confirm.Question, report *cert.Report) error {
	if l, is := q.Result.Found.(verdict.Longest); !is || l != (verdict.Longest{Moves: report.Longest}) {
		return confirm.Refuse("by the certificate the longest play has %d moves", report.Longest)
	}
	return nil
}

func (k terminates) Again(q confirm.Question) (*enumerate.Opinion, error) {
	return q.Plays().Terminates(k.Within)
}

// lassoStates is how many states may be walked in search of an infinite play, before all of them
// are explored.
const lassoStates = 1_000_000

// decide looks for an infinite play, or for one that is too long. Few states are explored
// completely, which gives the shortest play. With more states, a walk that ends at the first cycle
// comes first: it may need a small part of them.
func (k terminates) decide(run *engines.Run) (*result.Result, error) {
	if !run.Wants(verdict.Forward) {
		return nil, run.Refuses(verdict.AboutTermination)
	}
	t, lasso, err := plays(run, run.Sys, run.Starts())
	if err != nil {
		return nil, run.Startless(err)
	}
	var r *result.Result
	switch longest := t.Longest; {
	case lasso != nil:
		r = run.Result(verdict.Refuted, verdict.Forward, verdict.Repeats{Moves: len(lasso.Cycle)})
		r.Trace, err = run.ReplayLasso(lasso)
	case t.Stop != limit.Complete:
		return nil, run.Ended(t.End, t.Stats)
	case k.Within >= 0 && len(longest.Actions) > k.Within:
		if r, err = run.Shown(verdict.Refuted, verdict.Forward, nil, longest.Start, longest.Actions); err == nil {
			r.Found = verdict.Longest{Moves: len(longest.Actions), Beyond: true}
		}
	default:
		r = run.Result(verdict.Proved, verdict.Forward, verdict.Longest{Moves: len(longest.Actions)})
		if states, moves := t.Moves(run.Opt.MaxEvidence); states != nil {
			r.Evidence = new(cert.NewFalling(run.Sys, states, moves))
		}
	}
	if err != nil {
		return nil, err
	}
	r.Stats = engines.ForwardStats(t.Stats)
	return r, nil
}

// plays finds an infinite play of sys, or everything about its plays within
// the limits.
func plays(run *engines.Run, sys *rules.System, starts forward.Starts) (*forward.Termination, *forward.Lasso, error) {
	t, err := forward.Terminates(run.Ctx, sys, starts, run.Limited(run.Few()).ForwardOptions())
	if err != nil || !t.Hits(limit.States) {
		return t, lassoOf(t), err
	}
	lasso, err := forward.FindLasso(run.Ctx, sys, starts, run.Limited(run.UpTo(lassoStates)).ForwardOptions())
	if lasso != nil || err != nil || run.Few() == run.Opt.MaxStates {
		return t, lasso, err
	}
	t, err = forward.Terminates(run.Ctx, sys, starts, run.ForwardOptions())
	return t, lassoOf(t), err
}

func lassoOf(t *forward.Termination) *forward.Lasso { return cmp.Or(t, &forward.Termination{}).Lasso }
