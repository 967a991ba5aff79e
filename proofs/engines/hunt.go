package engines

import (
	"cmp"
	"errors"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/hunt"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
)

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
