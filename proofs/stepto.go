package proofs

import (
	"context"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/rules/space"
	"github.com/mancheck/mancheck/smt/engine"
)

// stepTo claims that there is a single step, or that there is none.
type stepTo struct {
	usual
	*resolve.StepTo
}

func (k stepTo) about() verdict.Claim {
	if k.Not {
		return verdict.Claim{Kind: verdict.NoStep}
	}
	return verdict.Claim{Kind: verdict.Step}
}

// exists reports whether a conclusive verdict says that there is such a step.
func (k stepTo) exists(r *Result) bool { return (r.Status == Proved) != k.Not }

func (k stepTo) ofPlays() bool { return false }

func (k stepTo) shows(r *Result) func(context.Context) error {
	if !k.exists(r) || r.Engine == Backward { // some parts of states before may be open
		return nil
	}
	return func(ctx context.Context) error {
		return replayOf(ctx, r.Trace).lastStep(false, k.Actions, k.From, k.To)
	}
}

func (k stepTo) again(q question) (*enumerate.Opinion, error) {
	n, _, err := q.near(k.From, k.To)
	if err != nil {
		return nil, err
	}
	holds, err := n.StepTo(k.StepTo)
	return &enumerate.Opinion{Holds: holds}, err
}

// decide looks for a step from a state of From to a state of To: forward from the states of From,
// or, if those are not finitely many, backward from those of To.
func (k stepTo) decide(d *decision) (*Result, error) {
	keep := slice.Keep(d.ctx, d.sys, k.From, k.To).Kept
	forth := func() (*Result, error) { return k.forward(d, keep) }
	back := func() (*Result, error) { return k.backward(d, keep) }
	solve := func() (*Result, error) { return k.smt(d) }
	r, err := d.byEngine(verdict.AboutSteps, map[Engine][]attempt{
		Auto: {forth, back, solve}, Forward: {forth}, Backward: {back}, SMT: {solve},
	})
	if err == nil && k.Not && r.Status != Unknown {
		r.Status = map[Status]Status{Proved: Refuted, Refuted: Proved}[r.Status]
	}
	return r, err
}

func (k stepTo) forward(d *decision, keep space.Kept) (*Result, error) {
	from, err := d.matching(k.From, keep)
	if err != nil {
		return nil, d.beyond(Forward, err)
	}
	var instead *rules.Trace
	for _, s := range from {
		steps, err := d.legal(s, k.Actions)
		if err != nil {
			return nil, err
		}
		for _, st := range steps {
			ok, err := d.in.Holds(k.To, st.To, nil)
			if err != nil {
				return nil, err
			}
			if ok {
				return d.stepFound(Forward, s, st.Action, len(from))
			}
			if instead != nil {
				continue
			}
			if instead, err = d.play(s, []int{st.Action}); err != nil {
				return nil, err
			}
		}
	}
	r := d.noStep(Forward, len(from))
	if instead != nil { // a step that leads elsewhere
		r.Trace = instead
		r.Found = verdict.StepThere{Elsewhere: true}
	}
	if !r.Vacuous {
		d.subject(r, shape.Of(d.ctx, d.in), k.To)
	}
	return r, nil
}

// stepFound plays the step that was found. If it was found backward, only what matters to the
// claim was kept.
func (d *decision) stepFound(engine Engine, s rules.State, action, states int) (*Result, error) {
	r := d.result(Proved, engine, verdict.StepThere{Found: true})
	r.Stats.States = int64(states)
	var err error
	r.Trace, err = d.play(s, []int{action})
	return r, err
}

func (d *decision) noStep(engine Engine, states int) *Result {
	r := d.result(Refuted, engine, verdict.StepThere{})
	r.Stats.States, r.Vacuous = int64(states), states == 0
	return r
}

func (k stepTo) backward(d *decision, keep space.Kept) (*Result, error) {
	to, err := d.matching(k.To, keep)
	if err != nil {
		return nil, d.beyond(Backward, err)
	}
	for _, t := range to {
		preds, err := backward.Predecessors(d.ctx, d.in, keep, t)
		if err != nil {
			return nil, d.beyond(Backward, err)
		}
		for _, q := range preds {
			ok, err := d.in.HoldsOn(k.From, q.State, keep.PartsOf(q.State))
			if err != nil {
				return nil, d.beyond(Backward, err)
			}
			if ok && counts(k.Actions, q.Action) {
				r, err := d.stepFound(Backward, q.State, q.Action, len(to))
				if err != nil {
					return nil, d.beyond(Backward, err)
				}
				return r, nil
			}
		}
	}
	r := d.noStep(Backward, len(to))
	if !r.Vacuous {
		d.subject(r, shape.Of(d.ctx, d.in), k.From)
	}
	return r, nil
}

// smt asks for a state of From with a step to a state of To.
func (k stepTo) smt(d *decision) (*Result, error) {
	res, t, err := d.badStep(&resolve.EveryStep{From: k.From, Gives: rules.Not{X: k.To}, Actions: k.Actions})
	if err != nil {
		return nil, err
	}
	if res.Status == engine.Holds {
		r := d.noStep(SMT, 1)
		d.subject(r, shape.Of(d.ctx, d.in), k.From, k.To)
		return r, nil
	}
	r := d.result(Proved, SMT, verdict.StepThere{Found: true})
	r.Trace, r.Stats.States = t, 1
	return r, nil
}
