package engines

import (
	"errors"

	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/cert/abstraction"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
)

const (
	// mostPartly is how many partly known states are looked at by default. Each takes as long as
	// hundreds of states of a search.
	mostPartly = 20_000
	// mostRoots is how many starts may be told apart.
	mostRoots = 10_000
)

var errRoots = errors.New("there are too many starts")

// Abstracting returns an attempt that knows of states only what decides, and gives the verdict yes
// if a play reaches the target, or no if none does.
func Abstracting(yes, no verdict.Status, target rules.Expr) Attempt {
	return func(run *Run) (*result.Result, error) {
		if len(run.Sys.OpenParams()) > 0 {
			return nil, run.Unknown(verdict.Abstraction, verdict.Refused{Engine: verdict.Abstraction, What: verdict.AllValues})
		}
		var starts []rules.State
		err := run.Starts()(run.Ctx, func(s rules.State) error {
			if starts = append(starts, s.Clone()); len(starts) > mostRoots {
				return errRoots
			}
			return nil
		})
		if errors.Is(err, errRoots) {
			return nil, run.Unknown(verdict.Abstraction, verdict.ManyStarts.Of(mostRoots))
		}
		if err != nil {
			return nil, run.Startless(err)
		}
		res, err := abstraction.Search(run.Ctx, run.Sys, starts, target, run.UpTo(mostPartly))
		if left, is := errors.AsType[*abstraction.OpenError](err); is {
			return nil, run.Unknown(verdict.Abstraction, verdict.Unfit.Says(left.Reason))
		}
		if err != nil {
			return nil, err
		}
		if res.States == nil {
			r, err := run.Shown(yes, verdict.Abstraction, nil, res.Start, res.Actions)
			if err == nil {
				r.Found = verdict.Play{Moves: len(res.Actions)}
				r.Stats.States = res.Looked
			}
			return r, err
		}
		r := run.Result(no, verdict.Abstraction, verdict.PartlyKnown.Of(len(res.States)))
		r.Stats.States = res.Looked
		r.Vacuous = Shapeless(run, target)
		if res.Doubted {
			r.Notes = append(r.Notes, verdict.MayFault)
		}
		r.Evidence = cert.NewForward(run.Sys, res.Kept, res.States)
		return r, nil
	}
}
