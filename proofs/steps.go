package proofs

import (
	"fmt"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/rules/space"
)

// by reports whether an action counts.
func by(actions []bool, a int) bool { return actions == nil || actions[a] }

// stepTo looks for a step from a state of From to a state of To: forward from the states of From, or, if those are not finitely
// many, backward from those of To.
func (d *decision) stepTo(p *resolve.StepTo) (*Result, error) {
	keep := slice.Keep(d.ctx, d.sys, p.From, p.To).Kept
	forth := func() (*Result, error) { return d.stepsForward(p, keep) }
	back := func() (*Result, error) { return d.stepsBackward(p, keep) }
	solve := func() (*Result, error) { return d.stepToSMT(p) }
	engines := map[Engine][]func() (*Result, error){
		Auto: {forth, back, solve}, Forward: {forth}, Backward: {back}, SMT: {solve},
	}[d.opt.Engine]
	if engines == nil {
		return d.none("claims about single steps"), nil
	}
	r, err := d.firstOf(engines...)
	if err != nil {
		return nil, err
	}
	return d.negateStep(p, r), nil
}

// negateStep turns "there is such a step" into the verdict on `not E -> F`.
func (d *decision) negateStep(p *resolve.StepTo, r *Result) *Result {
	if p.Not && r.Status != Unknown {
		r.Status = map[Status]Status{Proved: Refuted, Refuted: Proved}[r.Status]
	}
	return r
}

func (d *decision) stepsForward(p *resolve.StepTo, keep space.Kept) (*Result, error) {
	from, err := d.matching(p.From, keep)
	if err != nil {
		return d.beyond(Forward, err)
	}
	var nearest *rules.Trace
	for _, s := range from {
		steps, err := d.legal(s)
		if err != nil {
			return nil, err
		}
		for _, st := range steps {
			if !by(p.Actions, st.Action) {
				continue
			}
			ok, err := d.in.Holds(p.To, st.To, nil)
			if err != nil {
				return nil, err
			}
			t := oneStep(d.in, d.inst.Claim.Name, s, st)
			if ok {
				return d.stepFound(t, len(from)), nil
			}
			if nearest == nil {
				nearest = t
			}
		}
	}
	r := d.noStep(nearest, len(from))
	if !r.Vacuous {
		d.subject(r, shape.Of(d.ctx, d.in), p.To)
	}
	return r, nil
}

func (d *decision) stepFound(t *rules.Trace, states int) *Result {
	r := d.result(Proved, Forward, "there is such a step")
	r.Trace, r.Stats.States = t, int64(states)
	return r
}

// noStep shows, as a trace, what the step leads to instead, if there is a step.
func (d *decision) noStep(instead *rules.Trace, states int) *Result {
	r := d.result(Refuted, Forward, "there is no such step")
	r.Trace, r.Stats.States, r.Vacuous = instead, int64(states), states == 0
	if instead != nil {
		r.Reason += "; this is where it leads"
	}
	return r
}

func (d *decision) stepsBackward(p *resolve.StepTo, keep space.Kept) (*Result, error) {
	to, err := d.matching(p.To, keep)
	if err != nil {
		return d.beyond(Backward, err)
	}
	for _, t := range to {
		preds, err := backward.Predecessors(d.ctx, d.in, keep, t)
		if err != nil {
			return d.beyond(Backward, err)
		}
		for _, q := range preds {
			ok, err := d.in.HoldsOn(p.From, q.State, keep.PartsOf(q.State))
			if err != nil {
				return d.beyond(Backward, err)
			}
			if ok && by(p.Actions, q.Action) {
				return d.stepBack(q, len(to))
			}
		}
	}
	r := d.noStep(nil, len(to))
	r.Engine = Backward
	if !r.Vacuous {
		d.subject(r, shape.Of(d.ctx, d.in), p.From)
	}
	return r, nil
}

// stepBack shows a step that was found from its end, of which only what matters to the claim was kept.
func (d *decision) stepBack(q backward.Pred, states int) (*Result, error) {
	to, legal, err := d.in.Do(q.State, q.Action)
	switch {
	case err != nil:
		return d.beyond(Backward, err)
	case !legal:
		return nil, fmt.Errorf("internal error: the step shown for %s is not legal", d.inst.Claim.Name)
	}
	r := d.stepFound(oneStep(d.in, d.inst.Claim.Name, q.State, interp.Step{Action: q.Action, To: to}), states)
	r.Engine = Backward
	return r, nil
}

// everyStep looks for a step that breaks the claim.
func (d *decision) everyStep(p *resolve.EveryStep) (*Result, error) {
	explicit := func() (*Result, error) { return d.everyStepOfReachable(p) }
	if p.All {
		explicit = func() (*Result, error) { return d.everyStepOfAll(p) }
	}
	solve := func() (*Result, error) { return d.everyStepSMT(p) }
	switch d.opt.Engine {
	case Auto:
		return d.firstOf(explicit, solve)
	case Forward:
		return explicit()
	case SMT, Induction:
		return solve()
	}
	return d.none("claims about every step"), nil
}

func (d *decision) everyStepOfReachable(p *resolve.EveryStep) (*Result, error) {
	bad := &forward.BadStep{From: p.From, Actions: p.Actions, Bad: rules.Not{X: p.Gives}}
	res, err := forward.Search(d.ctx, d.sys, d.starts(), forward.Query{BadStep: bad, Count: []rules.Expr{p.From}, States: d.opt.Certify, MostListed: d.opt.MaxEvidence}, d.forwardOptions())
	if err != nil {
		return d.startless(err)
	}
	switch res.Stop {
	case forward.GoalFound:
		return d.found(Refuted, res, rules.True)
	case forward.Exhausted:
		r := d.result(Proved, Forward, fmt.Sprintf("every step of the %s concerned", count(int(res.Counts[0]), "reachable state")))
		r.Stats = forwardStats(res.Stats)
		r.Vacuous = res.Checked == 0
		if res.States != nil {
			e := cert.NewForward(d.sys, cert.Parts{}, res.States)
			r.Evidence = &e
		}
		return r, nil
	}
	return d.limit(res.Reason, res.Stats), nil
}

// everyStepOfAll checks every state of the right shape, if those that matter are finitely many.
func (d *decision) everyStepOfAll(p *resolve.EveryStep) (*Result, error) {
	keep := slice.Keep(d.ctx, d.sys, p.From, p.Gives).Kept
	from, err := d.matching(p.From, keep)
	if err != nil {
		return d.beyond(Forward, err)
	}
	n := 0
	for _, s := range from {
		steps, err := d.legal(s)
		if err != nil {
			return nil, err
		}
		for _, st := range steps {
			if !by(p.Actions, st.Action) {
				continue
			}
			n++
			ok, err := d.in.Holds(p.Gives, st.To, &s)
			if err != nil {
				return nil, err
			}
			if !ok {
				r := d.result(Refuted, Forward, "a step that breaks it, from a state that need not be reachable")
				r.Trace = oneStep(d.in, d.inst.Claim.Name, s, st)
				return r, nil
			}
		}
	}
	r := d.result(Proved, Forward, fmt.Sprintf("all %d steps of the %d states of the right shape", n, len(from)))
	r.Stats = Stats{States: int64(len(from)), Transitions: int64(n)}
	r.Vacuous = n == 0
	return r, nil
}
