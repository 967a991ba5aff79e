package claim

import (
	"cmp"
	"context"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/hunt"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/cert/abstraction"
	"github.com/mancheck/mancheck/proofs/confirm"
	"github.com/mancheck/mancheck/proofs/engines"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/smt/engine"
)

// everyStep is a claim about all steps from some states: reachable ones, or all of the right shape.
type everyStep struct {
	usual
	*build.EveryStep
}

func (k everyStep) about() verdict.Claim {
	if k.All {
		return verdict.Claim{Kind: verdict.EveryShapeStep}
	}
	return verdict.Claim{Kind: verdict.EveryStep}
}

// OfPlays reports whether only steps from reachable states count.
func (k everyStep) OfPlays() bool { return !k.All }

// Shows checks that the last step of the trace breaks the claim. Only a refutation has a trace.
func (k everyStep) Shows(r *result.Result) func(context.Context) error {
	if r.Status == verdict.Proved {
		return nil
	}
	return func(ctx context.Context) error {
		return confirm.ReplayOf(ctx, r.Trace).LastStep(!k.All, k.Actions, k.From, rules.Not{X: k.Gives})
	}
}

// Again tries all steps, of all plays or from every state of the right shape.
func (k everyStep) Again(q confirm.Question) (*enumerate.Opinion, error) {
	if !k.All {
		return q.Plays().EveryStep(k.EveryStep)
	}
	n, _, err := q.Near(k.From, k.Gives)
	if err != nil {
		return nil, err
	}
	holds, err := n.EveryStep(k.EveryStep)
	return &enumerate.Opinion{Holds: holds}, err
}

// decide looks for a step that breaks the claim, if no law decides it. The solver comes last,
// because it proves the claim for all states of the right shape, which may fail although no
// reachable step breaks it.
func (k everyStep) decide(run *engines.Run) (*result.Result, error) {
	explicit, both, hunts := k.ofReachable, engines.InRounds(nil, k.ofReachable, first(k.byCases, k.abstraction), k.hunt), []engines.Attempt{k.hunt}
	if k.All {
		explicit, both, hunts = k.ofAll, k.ofAll, nil
	}
	return run.ByEngine(verdict.EveryStep, map[verdict.Engine][]engines.Attempt{
		verdict.Auto: {first(k.laws, engines.InTurn(both, first(k.byCases, k.smt)))}, verdict.Laws: {k.laws},
		verdict.Forward: {explicit}, verdict.SMT: {k.smt}, verdict.Induction: {k.smt}, verdict.Hunt: hunts, verdict.Abstraction: {k.abstraction},
		verdict.Cases: {k.byCases},
	})
}

// decideAll asks the solver before it tries single values, unless these have few states: the solver
// decides all values of the open parameters at once, but it may take long to put the rules into
// formulas.
func (k everyStep) decideAll(run *engines.Run) (*result.Result, error) {
	switch run.Opt.Engine {
	case verdict.Auto:
		if r, err := engines.Settled(first(k.laws, k.byCases, counterexample)(run.Limited(run.Few()))); err != nil || r.Status != verdict.Unknown {
			return r, err
		}
		return first(k.abstraction, k.smt, k.usual.decideAll)(run)
	case verdict.SMT, verdict.Induction:
		return k.smt(run)
	case verdict.Cases:
		return k.byCases(run)
	case verdict.Laws:
		return k.laws(run)
	case verdict.Abstraction:
		return k.abstraction(run)
	}
	return k.usual.decideAll(run)
}

// ofReachable plays all moves from the reachable states in which From holds.
func (k everyStep) ofReachable(run *engines.Run) (*result.Result, error) {
	res, err := run.Search(rules.Parts{}, forward.Query{
		BadStep: &forward.BadStep{From: k.From, Actions: k.Actions, Bad: rules.Not{X: k.Gives}}, Count: []rules.Expr{k.From},
		States: true, MostListed: run.Opt.MaxEvidence,
	}, run.ForwardOptions())
	if err != nil {
		return nil, err
	}
	if res.Stop == limit.Found {
		return run.Found(verdict.Refuted, res)
	}
	r := run.Result(verdict.Proved, verdict.Forward, verdict.StepsOfReachable.Of(int(res.Counts[0])))
	r.Stats = engines.ForwardStats(res.Stats)
	// Vacuous if no legal move out of such a state is one that the claim is about.
	r.Vacuous = res.Checked == 0
	if res.States != nil {
		r.Evidence = cert.NewForward(run.Sys, rules.Kept{}, res.States)
	}
	return r, nil
}

// abstraction looks for a closed set of states that are known in part. It has no states that play
// does not come to.
func (k everyStep) abstraction(run *engines.Run) (*result.Result, error) {
	if k.All {
		return nil, run.Refuses(verdict.EveryStep)
	}
	aim := abstraction.Aim{Bad: rules.Not{X: k.Gives}, Step: k.EveryStep}
	return engines.Abstracting(verdict.Refuted, verdict.Proved, aim)(run)
}

// byCases shows that every step from any state is as claimed. It leaves open a claim of which it
// does not know whether it is about any step.
func (k everyStep) byCases(run *engines.Run) (*result.Result, error) {
	r, report, err := byCases(run, verdict.Proved, verdict.StepsOfShape, 1, mostDecisions)
	if err != nil {
		return nil, err
	}
	if report.Subject == cert.SubjectUnknown {
		return nil, run.Unknown(verdict.Cases, verdict.NotInductive.Of(1))
	}
	if r.Vacuous = report.Subject == cert.NoSubject; !r.Vacuous && !k.All && !k.begun(run) {
		r.Notes = append(r.Notes, verdict.ReachedUnknown)
	}
	return r, nil
}

// hunt looks for a step that breaks the claim where there are too many states to examine all of
// them.
func (k everyStep) hunt(run *engines.Run) (*result.Result, error) {
	bad := forward.BadStep{From: k.From, Actions: k.Actions, Bad: rules.Not{X: k.Gives}}
	return engines.Hunting(verdict.Refuted, hunt.Aim{BadStep: bad, Within: -1, Beyond: -1})(run)
}

// ofAll checks every state of the right shape. It leaves the claim open if there are infinitely
// many that differ in the parts that matter.
func (k everyStep) ofAll(run *engines.Run) (*result.Result, error) {
	t, err := trySteps(run, k.From, rules.Not{X: k.Gives}, k.Actions)
	if err != nil {
		return nil, err
	}
	if t.found != nil {
		r := run.Result(verdict.Refuted, verdict.Forward, verdict.BadStep)
		r.Trace = t.found
		return r, nil
	}
	r := run.Result(verdict.Proved, verdict.Forward, verdict.AllSteps{Steps: t.steps, States: t.states})
	r.Stats = verdict.Stats{States: int64(t.states), Transitions: int64(t.steps)}
	r.Vacuous = t.steps == 0
	return r, nil
}

// tried is what came of trying steps: how many there are, from how many states, and the first that
// leads to a target and to another state. Nothing is tried after the first to a target.
type tried struct {
	states, steps  int
	found, instead *rules.Trace
}

// trySteps tries the steps by these actions from all states of the right shape that satisfy from,
// until one leads to a state that satisfies to.
func trySteps(run *engines.Run, from, to rules.Expr, actions []bool) (*tried, error) {
	states, err := engines.Matching(run, from, slice.Keep(run.Ctx, run.Sys, from, to).Kept)
	if err != nil {
		return nil, run.Beyond(verdict.Forward, err)
	}
	t := &tried{states: len(states)}
	for _, s := range states {
		steps, err := run.Legal(s, actions)
		if err != nil {
			return nil, err
		}
		for _, st := range steps {
			t.steps++
			is, err := run.In.Holds(to, st.To, &s)
			if err != nil {
				return nil, err
			}
			if is {
				t.found, err = run.Play(s, []int{st.Action})
				return t, err
			}
			if t.instead == nil {
				if t.instead, err = run.Play(s, []int{st.Action}); err != nil {
					return nil, err
				}
			}
		}
	}
	return t, nil
}

// smt asks the solver about all states of the right shape. If some step breaks the claim there, a
// claim about reachable states goes on with a bounded search, because that step may start in a
// state that no play reaches.
func (k everyStep) smt(run *engines.Run) (*result.Result, error) {
	solver := engines.Solver{Run: run}
	res, t, err := solver.BadStep(k.EveryStep)
	if err != nil {
		return nil, err
	}
	switch {
	case res.Status == engine.Holds:
		r := run.Result(verdict.Proved, verdict.SMT, verdict.StepsOfShape)
		r.Notes = append(r.Notes, verdict.Asked{Solver: res.Solver})
		if r.Vacuous = res.Empty; solver.HoldsBare(k.EveryStep) { // a certificate would have to prove what else was used
			r.Evidence = &cert.Inductive{K: 1}
		}
		// The solver considered all states. Whether play reaches one that the claim speaks of is
		// not known.
		if !k.All && !res.Empty {
			r.Notes = append(r.Notes, verdict.ReachedUnknown)
		}
		return r, nil
	case k.All:
		r := run.Result(verdict.Refuted, verdict.SMT, verdict.BadStep)
		r.Trace = t
		return r, nil
	}
	return k.bmc(run, t)
}

// bmc looks for a reachable step that breaks the claim, in plays up to the bound. If there is none,
// the step from a possibly unreachable state is shown instead.
func (k everyStep) bmc(run *engines.Run, unreached *rules.Trace) (*result.Result, error) {
	solver, bound := engines.Solver{Run: run}, cmp.Or(run.Opt.Bound, engines.DefaultBound)
	res, err := engine.ReachStep(run.Ctx, run.Sys, k.From, rules.Not{X: k.Gives}, k.Actions, bound, solver.Options())
	r, err := solver.Bounded(res, err, verdict.Refuted)
	if err == nil && r.Status != verdict.Refuted {
		r.StepCounterexample = unreached
	}
	return r, err
}
