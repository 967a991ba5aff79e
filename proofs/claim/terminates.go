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
	"github.com/mancheck/mancheck/rules/build"
)

// terminates claims that no play is infinite, or that none has more than Within moves.
type terminates struct {
	usual
	*build.Terminates
}

func (terminates) about() verdict.Claim { return verdict.Claim{Kind: verdict.Terminates} }

// Shows checks that the play goes on for ever, or longer than claimed. A proof has no play.
func (k terminates) Shows(r *result.Result) func(context.Context) error {
	if r.Status == verdict.Proved {
		return nil
	}
	return func(ctx context.Context) error { return confirm.ReplayOf(ctx, r.Trace).GoesOn(k.Within) }
}

// Certified compares the length of the longest play with that in the certificate, which a rank does
// not tell.
func (k terminates) Certified(q confirm.Question, report *cert.Report) error {
	switch q.Result.Evidence.(type) {
	case *cert.SizesRank:
		if all, is := q.Result.Found.(verdict.EverySize); is && all.Law == verdict.RankFalls {
			return nil
		}
	case *cert.Ranked:
		if q.Result.Found == verdict.Finding(verdict.RankFalls) {
			return nil
		}
	}
	if k.ByRepetition {
		return nil
	}
	if !verdict.Same(q.Result.Found, verdict.Longest.Of(report.Longest)) {
		return confirm.Refuse("by the certificate the longest play has %d moves", report.Longest)
	}
	return nil
}

// Again plays all plays.
func (k terminates) Again(q confirm.Question) (*enumerate.Opinion, error) {
	if k.ByRepetition {
		return q.Plays().TerminatesByRule()
	}
	return q.Plays().Terminates(k.Within)
}

// decideAll first looks for a rank, which does not depend on the starts.
func (k terminates) decideAll(run *engines.Run) (*result.Result, error) {
	if k.ByRepetition {
		return k.byRepetition(run)
	}
	if run.Wants(verdict.Laws) {
		if r, err := engines.Settled(k.laws(run)); err != nil || r.Status != verdict.Unknown || run.Opt.Engine == verdict.Laws {
			return r, err
		}
	}
	return k.usual.decideAll(run)
}

// decide looks for an infinite play, or for one that is too long.
func (k terminates) decide(run *engines.Run) (*result.Result, error) {
	switch {
	case k.ByRepetition:
		return k.byRepetition(run)
	case run.Opt.Engine == verdict.Laws:
		return k.laws(run)
	case run.Opt.Engine == verdict.Hunt:
		return k.hunt(run)
	case !run.Wants(verdict.Forward):
		return nil, run.Refuses(verdict.Terminates)
	}
	t, err := forward.Terminates(run.Ctx, run.Sys, run.Starts(), run.Limited(run.Few()).ForwardOptions())
	if err != nil {
		return nil, run.Startless(err)
	}
	if t.Hits(limit.States) && run.Opt.Engine == verdict.Auto {
		// A few states are explored first, since that gives the longest play as well.
		if r, err := engines.Settled(k.laws(run)); err != nil || r.Status != verdict.Unknown {
			return r, err
		}
	}
	if t.Hits(limit.States) && !run.Opt.Shortest {
		r, err := engines.Settled(k.hunt(run.Limited(run.UpTo(lassoPositions))))
		if err != nil || r.Status != verdict.Unknown {
			return r, err
		}
	}
	if t, err = further(run, run.Sys, run.Starts(), t); err != nil {
		return nil, run.Startless(err)
	}
	var r *result.Result
	switch longest := t.Longest; {
	case t.Lasso != nil:
		return k.repeats(run, verdict.Forward, t.Lasso, engines.ForwardStats(t.Stats))
	case t.Stop != limit.Complete:
		return nil, run.Ended(t.End, t.Stats)
	case k.Within >= 0 && len(longest.Actions) > k.Within:
		if r, err = run.Shown(verdict.Refuted, verdict.Forward, nil, longest.Start, longest.Actions); err == nil {
			r.Found = verdict.TooLong.Of(len(longest.Actions))
		}
	default:
		r = run.Result(verdict.Proved, verdict.Forward, verdict.Longest.Of(len(longest.Actions)))
		if states, moves := t.Moves(run.Opt.MaxEvidence); states != nil {
			r.Evidence = &cert.Falling{Packed: cert.NewNumbered(run.Sys, states, moves)}
		}
	}
	if err != nil {
		return nil, err
	}
	r.Stats = engines.ForwardStats(t.Stats)
	return r, nil
}

// lassoPositions is how many positions a hunt looks at before all states are explored.
const lassoPositions = 2_000_000

// hunt looks for a play that comes back, or for one that is too long. A search forward begins with
// it where there are many states.
func (k terminates) hunt(run *engines.Run) (*result.Result, error) {
	by := verdict.Hunt
	if run.Opt.Engine == verdict.Forward {
		by = verdict.Forward
	}
	lasso, long, stats, err := run.HuntLasso(run.Sys, run.Starts(), k.Within)
	if err != nil {
		return nil, err
	}
	if lasso != nil {
		return k.repeats(run, by, lasso, stats)
	}
	r, err := run.Shown(verdict.Refuted, by, nil, long.Start, long.Actions)
	if err == nil {
		r.Found, r.Stats = verdict.Play{Moves: len(long.Actions)}, stats
	}
	return r, err
}

// repeats is the verdict that an infinite play shows.
func (k terminates) repeats(run *engines.Run, by verdict.Engine, lasso *forward.Lasso, stats verdict.Stats) (r *result.Result, err error) {
	r = run.Result(verdict.Refuted, by, verdict.Repeats.Of(len(lasso.Cycle)))
	r.Stats = stats
	r.Trace, err = run.ReplayLasso(lasso)
	return r, err
}

// plays finds an infinite play of sys, or else a longest one. It first explores few states
// completely, which gives a shortest infinite play. If there are more, a hunt comes next. Only then
// are all states explored.
func plays(run *engines.Run, sys *rules.System, starts forward.Starts) (*forward.Termination, *forward.Lasso, error) {
	t, err := forward.Terminates(run.Ctx, sys, starts, run.Limited(run.Few()).ForwardOptions())
	if err != nil || !t.Hits(limit.States) {
		return t, lassoOf(t), err
	}
	if !run.Opt.Shortest {
		if lasso, _, _, err := run.Limited(run.UpTo(lassoPositions)).HuntLasso(sys, starts, -1); err == nil {
			return t, lasso, nil
		}
	}
	t, err = further(run, sys, starts, t)
	return t, lassoOf(t), err
}

// further explores all states if few did not suffice, and a greater limit is left.
func further(run *engines.Run, sys *rules.System, starts forward.Starts, few *forward.Termination) (*forward.Termination, error) {
	if !few.Hits(limit.States) || run.Few() == run.Opt.MaxStates {
		return few, nil
	}
	return forward.Terminates(run.Ctx, sys, starts, run.ForwardOptions())
}

// lassoOf returns the infinite play that was found; t may be nil after an error.
func lassoOf(t *forward.Termination) *forward.Lasso { return cmp.Or(t, &forward.Termination{}).Lasso }

// byRepetition is the verdict where the rules end a play in which a position comes back. It needs
// no search.
func (k terminates) byRepetition(run *engines.Run) (*result.Result, error) {
	if !run.Wants(verdict.Laws) {
		return nil, run.Refuses(verdict.Terminates)
	}
	r := run.Result(verdict.Proved, verdict.Laws, verdict.NoneComesBack)
	r.Evidence = &cert.Finite{}
	return r, nil
}
