package proofs

import (
	"context"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/smt/engine"
)

// everyStep is a claim about all steps from some states: reachable ones, or all of the right shape.
type everyStep struct {
	usual
	*resolve.EveryStep
}

func (k everyStep) about() verdict.Claim {
	if k.All {
		return verdict.Claim{Kind: verdict.EveryShapeStep}
	}
	return verdict.Claim{Kind: verdict.EveryStep}
}

func (k everyStep) ofPlays() bool { return !k.All }

func (k everyStep) shows(r *Result) func(context.Context) error {
	if r.Status == Proved {
		return nil
	}
	return func(ctx context.Context) error {
		return replayOf(ctx, r.Trace).lastStep(!k.All, k.Actions, k.From, rules.Not{X: k.Gives})
	}
}

func (k everyStep) again(q question) (*enumerate.Opinion, error) {
	if !k.All {
		return q.plays().EveryStep(k.EveryStep)
	}
	n, _, err := q.near(k.From, k.Gives)
	if err != nil {
		return nil, err
	}
	holds, err := n.EveryStep(k.EveryStep)
	return &enumerate.Opinion{Holds: holds}, err
}

// decide looks for a step that breaks the claim.
func (k everyStep) decide(d *decision) (*Result, error) {
	explicit := func() (*Result, error) { return k.ofReachable(d) }
	if k.All {
		explicit = func() (*Result, error) { return k.ofAll(d) }
	}
	solve := func() (*Result, error) { return k.smt(d) }
	return d.byEngine(verdict.AboutEveryStep, map[Engine][]attempt{
		Auto: {explicit, solve}, Forward: {explicit}, SMT: {solve}, Induction: {solve},
	})
}

// decideAll asks a solver about all values first.
func (k everyStep) decideAll(d *decision) (*Result, error) {
	if d.opt.Engine != Forward {
		if r, err := settled(k.smt(d)); err != nil || r.Status != Unknown || d.opt.Engine == SMT {
			return r, err
		}
	}
	return k.usual.decideAll(d)
}

func (k everyStep) ofReachable(d *decision) (*Result, error) {
	res, err := d.search(forward.Query{
		BadStep: &forward.BadStep{From: k.From, Actions: k.Actions, Bad: rules.Not{X: k.Gives}}, Count: []rules.Expr{k.From},
		States: true, MostListed: d.opt.MaxEvidence,
	}, d.forwardOptions(d.opt.MaxStates))
	if err != nil {
		return nil, err
	}
	if res.Stop == forward.GoalFound {
		r, err := d.shown(Refuted, Forward, nil, res.Trace.Start, res.Trace.Actions)
		if err != nil {
			return nil, err
		}
		r.Stats = forwardStats(res.Stats)
		return r, nil
	}
	r := d.result(Proved, Forward, verdict.StepsOfReachable{States: res.Counts[0]})
	r.Stats = forwardStats(res.Stats)
	r.Vacuous = res.Checked == 0
	if res.States != nil {
		e := cert.NewForward(d.sys, cert.Parts{}, res.States)
		r.Evidence = &e
	}
	return r, nil
}

// ofAll checks every state of the right shape, if those that matter are finitely many.
func (k everyStep) ofAll(d *decision) (*Result, error) {
	keep := slice.Keep(d.ctx, d.sys, k.From, k.Gives).Kept
	from, err := d.matching(k.From, keep)
	if err != nil {
		return nil, d.beyond(Forward, err)
	}
	n := 0
	for _, s := range from {
		steps, err := d.legal(s, k.Actions)
		if err != nil {
			return nil, err
		}
		for _, st := range steps {
			n++
			ok, err := d.in.Holds(k.Gives, st.To, &s)
			if err != nil {
				return nil, err
			}
			if !ok {
				r := d.result(Refuted, Forward, verdict.BadStep{})
				r.Trace, err = d.play(s, []int{st.Action})
				return r, err
			}
		}
	}
	r := d.result(Proved, Forward, verdict.AllSteps{Steps: n, States: len(from)})
	r.Stats = verdict.Stats{States: int64(len(from)), Transitions: int64(n)}
	r.Vacuous = n == 0
	return r, nil
}

// smt decides the claim for all states of the right shape, and if that fails for a claim about
// reachable states, by a bounded search for a reachable step that breaks it.
func (k everyStep) smt(d *decision) (*Result, error) {
	res, t, err := d.badStep(k.EveryStep)
	if err != nil {
		return nil, err
	}
	switch {
	case res.Status == engine.Holds:
		r := d.result(Proved, SMT, verdict.StepsOfShape{})
		r.Notes = append(r.Notes, asked(res.Solver))
		r.Vacuous = res.Empty
		if !k.All && !res.Empty {
			r.Notes = append(r.Notes, verdict.SubjectUnknown{Of: verdict.StepReached})
		}
		return r, nil
	case k.All:
		r := d.result(Refuted, SMT, verdict.BadStep{})
		r.Trace = t
		return r, nil
	}
	return k.bmc(d, t)
}

// bmc looks for a reachable step like one that breaks the claim from a possibly unreachable state.
func (k everyStep) bmc(d *decision, unreached *rules.Trace) (*Result, error) {
	bound := d.opt.Bound
	if bound == 0 {
		bound = defaultBound
	}
	res, err := engine.ReachStep(d.ctx, d.sys, k.From, rules.Not{X: k.Gives}, k.Actions, bound, d.smtOptions())
	if err != nil {
		return nil, d.undecided(BMC, err)
	}
	if res.Status == engine.Fails {
		return d.played(Refuted, BMC, res.Play)
	}
	r := d.bounded(res)
	r.StepCounterexample = unreached
	return r, nil
}
