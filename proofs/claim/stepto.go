package claim

import (
	"context"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/proofs/confirm"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/smt/engine"
)

// stepTo claims that a single step leads from a state of From to a state of To, or that none does.
// The states need not be reachable.
type stepTo struct {
	usual
	*build.StepTo
}

func (k stepTo) about() verdict.Claim {
	if k.Not {
		return verdict.Claim{Kind: verdict.NoStep}
	}
	return verdict.Claim{Kind: verdict.Step}
}

// exists reports whether a conclusive verdict says that there is such a step.
func (k stepTo) exists(r *result.Result) bool { return (r.Status == verdict.Proved) != k.Not }

// OfPlays reports false: the claim is about all states of the right shape.
func (k stepTo) OfPlays() bool { return false }

// Shows checks that the step leads from From to To.
func (k stepTo) Shows(r *result.Result) func(context.Context) error {
	if !k.exists(r) || r.Engine == verdict.Backward { // a predecessor may have parts without a value, so it cannot be replayed
		return nil
	}
	return func(ctx context.Context) error {
		return confirm.ReplayOf(ctx, r.Trace).LastStep(false, k.Actions, k.From, k.To)
	}
}

// Again steps from every state of the right shape that satisfies From.
func (k stepTo) Again(q confirm.Question) (*enumerate.Opinion, error) {
	n, _, err := q.Near(k.From, k.To)
	if err != nil {
		return nil, err
	}
	holds, err := n.StepTo(k.StepTo)
	return &enumerate.Opinion{Holds: holds}, err
}

// decide looks for a step from a state of From to a state of To: forward from the states of From,
// or, if these are infinitely many, backward from those of To.
func (k stepTo) decide(run *engines.Run) (*result.Result, error) {
	r, err := run.ByEngine(verdict.Step, map[verdict.Engine][]engines.Attempt{
		verdict.Auto: {k.forward, k.backward, k.smt}, verdict.Forward: {k.forward}, verdict.Backward: {k.backward}, verdict.SMT: {k.smt},
	})
	// The engines decide whether there is a step; for a negated claim their answer is turned round.
	if err == nil && k.Not {
		r.Status = r.Status.Denied()
	}
	return r, err
}

// forward tries all steps from the states of From. If none leads to To, the first one found is
// shown as an example of where steps lead.
func (k stepTo) forward(run *engines.Run) (*result.Result, error) {
	t, err := trySteps(run, k.From, k.To, k.Actions)
	if err != nil {
		return nil, err
	}
	if t.found != nil {
		return stepFound(run, verdict.Forward, t.found, t.states), nil
	}
	r := noStep(run, verdict.Forward, t.states)
	if t.instead != nil {
		r.Found, r.Trace = verdict.StepElsewhere, t.instead
	}
	// The claim is also vacuous if no state satisfies To.
	if !r.Vacuous {
		engines.Subject(run, r, shape.Of(run.Ctx, run.In), k.To)
	}
	return r, nil
}

// stepFound returns the verdict for the step that was found. A step found backward has only the
// parts of the state that matter to the claim.
func stepFound(run *engines.Run, engine verdict.Engine, step *rules.Trace, states int) *result.Result {
	r := run.Result(verdict.Proved, engine, verdict.StepThere)
	r.Trace, r.Stats.States = step, int64(states)
	return r
}

// noStep returns the verdict if there is no step, and the given number of states was examined. With
// no states to look at, it is vacuous.
func noStep(run *engines.Run, engine verdict.Engine, states int) *result.Result {
	r := run.Result(verdict.Refuted, engine, verdict.StepNotThere)
	r.Stats.States, r.Vacuous = int64(states), states == 0
	return r
}

// backward constructs the predecessors of the states of To.
func (k stepTo) backward(run *engines.Run) (*result.Result, error) {
	keep := slice.Keep(run.Ctx, run.Sys, k.From, k.To).Kept
	to, err := engines.Matching(run, k.To, keep)
	if err != nil {
		return nil, run.Beyond(verdict.Backward, err)
	}
	for _, t := range to {
		preds, err := backward.Predecessors(run.Ctx, run.In, keep, t)
		if err != nil {
			return nil, run.Beyond(verdict.Backward, err)
		}
		for _, q := range preds {
			ok, err := run.In.HoldsOn(k.From, q.State, keep.PartsOf(q.State))
			if err != nil {
				return nil, run.Beyond(verdict.Backward, err)
			}
			if ok && rules.Counts(k.Actions, q.Action) {
				step, err := run.Play(q.State, []int{q.Action})
				if err != nil {
					return nil, run.Beyond(verdict.Backward, err)
				}
				return stepFound(run, verdict.Backward, step, len(to)), nil
			}
		}
	}
	r := noStep(run, verdict.Backward, len(to))
	if !r.Vacuous {
		engines.Subject(run, r, shape.Of(run.Ctx, run.In), k.From)
	}
	return r, nil
}

// smt asks for a state of From with a step to a state of To, which is a step that breaks the claim
// that all steps from From avoid To.
func (k stepTo) smt(run *engines.Run) (*result.Result, error) {
	res, t, err := engines.Solver{Run: run}.BadStep(&build.EveryStep{From: k.From, Gives: rules.Not{X: k.To}, Actions: k.Actions})
	if err != nil {
		return nil, err
	}
	if res.Status == engine.Holds {
		r := noStep(run, verdict.SMT, 1) // what was asked is about all states; they are not counted
		engines.Subject(run, r, shape.Of(run.Ctx, run.In), k.From, k.To)
		return r, nil
	}
	return stepFound(run, verdict.SMT, t, 1), nil
}
