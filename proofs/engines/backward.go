package engines

import (
	"errors"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/space"
)

// SearchBack runs a backward search with the limits of the decision. One that ends early leaves the
// question open.
func (run *Run) SearchBack(goal rules.Expr, opt backward.Options) (*backward.Result, error) {
	opt.Bounds, opt.Observer = run.Opt.Bounds, run.Observer(verdict.Backward)
	res, err := backward.Search(run.Ctx, run.In, goal, opt)
	if err != nil {
		return nil, run.Beyond(verdict.Backward, err)
	}
	run.noteFault(res.Fault)
	switch res.Stop {
	case limit.Complete, limit.Found, limit.DepthLimit:
		return res, nil
	}
	r := run.Unknown(verdict.Backward, backwardEnded(res))
	r.more = res.Hits(limit.States)
	TellBackward(r.Result, res)
	return nil, r
}

// TellBackward adds to a verdict what a backward search examined, and what it ignored.
func TellBackward(r *result.Result, res *backward.Result) {
	r.Stats = verdict.Stats{
		States: int64(res.Len()), Transitions: res.Steps, Depth: len(res.Levels) - 1,
		Closed: res.Others(), Bytes: res.Bytes,
	}
	r.Notes = append(r.Notes, LeftOut(res.Kept.Dropped)...)
}

// backwardEnded says why a backward search has no answer.
func backwardEnded(res *backward.Result) verdict.Reason {
	if res.Stop == limit.Reached {
		return verdict.Ended{Work: verdict.BackwardSearch, Limit: res.Hit}
	}
	return verdict.Unfit.Says(res.Reason)
}

// LeftOut are notes of what a search ignored.
func LeftOut(dropped []string) []verdict.Note {
	return lists.Map(dropped, func(why string) verdict.Note { return verdict.LeftOut.Says(why) })
}

// ClosedSet keeps the set closed by a backward search as evidence, unless it is too large.
func (run *Run) ClosedSet(r *result.Result, res *backward.Result) {
	if run.Opt.MaxEvidence > 0 && int64(res.Len()) > run.Opt.MaxEvidence {
		return
	}
	r.Evidence = run.ClosedUnderPredecessors(res.Kept.Kept, lists.Map(num.Run(0, res.Len()), res.State))
}

// ClosedUnderPredecessors returns the evidence of a set of states closed under predecessors.
func (run *Run) ClosedUnderPredecessors(keep rules.Kept, states []rules.State) cert.Evidence {
	return cert.NewBackward(run.Sys, keep, shape.Of(run.Ctx, run.In).Lemmas, states)
}

// Beyond says why an enumeration or a pre-image leaves the question open; other errors are
// failures.
func (run *Run) Beyond(engine verdict.Engine, err error) error {
	var fault *interp.RuleError
	switch {
	case errors.As(err, &fault) && engine != verdict.Forward: // perhaps in a state that no play reaches
		return run.Unknown(engine, verdict.RulesFault.Says(fault.Diag.Message))
	case errors.As(err, new(*space.InfiniteError)), errors.As(err, new(*backward.HardError)), errors.As(err, new(*interp.HiddenError)),
		errors.As(err, new(*shape.VagueError)), errors.As(err, new(*interp.UndefinedError)), errors.Is(err, limit.ErrLooks):
		return run.Unknown(engine, verdict.Unfit.Says(err.Error()))
	case errors.Is(err, errManyShapes):
		return run.Unknown(engine, verdict.ManyShapes.Of(int(maxShapes)))
	case limit.Ended(err):
		return run.Unknown(engine, verdict.Ended{Limit: limit.Ending(run.Ctx)})
	}
	return err
}
