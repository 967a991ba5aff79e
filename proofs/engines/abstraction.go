package engines

import (
	"errors"
	"slices"

	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/cert/abstraction"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/space"
)

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
