package engines

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/hunt"
	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/cert/abstraction"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
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

// huntSeed determines all choices of a hunt.
const huntSeed = 1

// hunt looks for a play, in games and in searches from them. None found leaves the question open.
func (run *Run) hunt(sys *rules.System, starts forward.Starts, aim hunt.Aim) (*hunt.Result, error) {
	if len(sys.OpenParams()) > 0 {
		return nil, run.Unknown(verdict.Hunt, verdict.Refused{Engine: verdict.Hunt, What: verdict.AllValues})
	}
	bounds := run.Opt.Bounds
	bounds.MaxStates = cmp.Or(bounds.MaxStates, lastHunt) // it has no end by itself
	res, err := hunt.Search(run.Ctx, sys, starts, aim, hunt.Options{Bounds: bounds, Seed: huntSeed, Observer: run.Observer(verdict.Hunt)})
	switch {
	case errors.Is(err, hunt.ErrStarts):
		return nil, run.Unknown(verdict.Hunt, verdict.Refused{Engine: verdict.Hunt, What: verdict.OfStarts})
	case err != nil:
		return nil, run.Startless(err)
	case res.Stop != limit.Found:
		r := run.Unknown(verdict.Hunt, verdict.Ended{Work: verdict.Games, Limit: res.Hit, States: res.Looked})
		r.more = res.Hits(limit.States)
		return nil, r
	}
	return res, nil
}

// Hunting returns an attempt that hunts for a play which decides, and then gives the verdict s.
func Hunting(s verdict.Status, aim hunt.Aim) Attempt {
	return func(run *Run) (*result.Result, error) {
		res, err := run.hunt(run.Sys, run.Starts(), aim)
		if err != nil {
			return nil, err
		}
		return anyPlay(run, s, verdict.Hunt, res.Trace.Start, res.Trace.Actions, res.Looked)
	}
}

// anyPlay is the verdict that a play shows which need not be a shortest one.
func anyPlay(run *Run, s verdict.Status, engine verdict.Engine, start rules.State, actions []int, looked int64) (*result.Result, error) {
	r, err := run.Shown(s, engine, nil, start, actions)
	if err == nil {
		r.Found, r.Stats.States = verdict.Play{Moves: len(actions)}, looked
	}
	return r, err
}

// HuntLasso hunts for a play that comes back, or for one of more than so many moves unless that is
// negative. One of the two is nil.
func (run *Run) HuntLasso(sys *rules.System, starts forward.Starts, within int) (*forward.Lasso, *forward.Trace, verdict.Stats, error) {
	res, err := run.hunt(sys, starts, hunt.Aim{Returns: true, Within: -1, Beyond: within})
	switch {
	case err != nil:
		return nil, nil, verdict.Stats{}, err
	case res.Cycle == 0:
		return nil, res.Trace, verdict.Stats{States: res.Looked}, nil
	}
	n := len(res.Trace.Actions) - res.Cycle
	stem := forward.Trace{Start: res.Trace.Start, Actions: res.Trace.Actions[:n]}
	return &forward.Lasso{Stem: stem, Cycle: res.Trace.Actions[n:]}, nil, verdict.Stats{States: res.Looked}, nil
}

// Each partly known state takes as long as hundreds of states of a search. Roots are starts.
const mostPartly, mostRoots = 20_000, 10_000

// roots lists the starts, if no parameter is open.
func roots(run *Run) (starts []rules.State, err error) {
	if len(run.Sys.OpenParams()) > 0 {
		return nil, nil
	}
	err = run.Starts()(run.Ctx, func(s rules.State) error {
		if starts = append(starts, s.Clone()); len(starts) > mostRoots {
			return space.ErrStop
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, run.Startless(err)
	case len(starts) > mostRoots:
		return nil, run.Unknown(verdict.Abstraction, verdict.ManyStarts.Of(mostRoots))
	}
	return starts, nil
}

// Abstracting returns an attempt that knows of states only what decides, and gives the verdict yes
// if a play comes to the aim, or no if none does.
func Abstracting(yes, no verdict.Status, aim abstraction.Aim) Attempt {
	return func(run *Run) (*result.Result, error) {
		starts, err := roots(run)
		if err != nil {
			return nil, err
		}
		res, err := abstraction.Search(run.Ctx, run.Sys, starts, aim, run.UpTo(mostPartly))
		if left, is := errors.AsType[*abstraction.OpenError](err); is {
			return nil, run.Unknown(verdict.Abstraction, verdict.Unfit.Says(left.Reason))
		}
		if err != nil {
			return nil, err
		}
		if res.States == nil {
			return anyPlay(run, yes, verdict.Abstraction, res.Start, res.Actions, res.Looked)
		}
		r := run.Result(no, verdict.Abstraction, verdict.PartlyKnown.Of(len(res.States)))
		r.Stats.States = res.Looked
		if aim.Step == nil {
			r.Vacuous = Shapeless(run, aim.Bad)
		} else if r.Vacuous = !res.Concerned; res.Concerned {
			r.Notes = append(r.Notes, verdict.ReachedUnknown)
		}
		e := cert.NewForward(run.Sys, res.Kept, res.States)
		if known := slices.Concat(e.Kept.Vars, e.Kept.Pits); len(known) > 0 {
			r.Notes = append(r.Notes, verdict.KnownParts.Of(known...))
		}
		if r.Evidence = e; res.Doubted {
			r.Notes = append(r.Notes, verdict.MayFault)
		}
		return r, nil
	}
}
