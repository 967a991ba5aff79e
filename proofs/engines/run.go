// Package engines runs engines for a decision, and turns what they find into claimed
// verdicts with evidence. It knows Systems and questions and no kinds of claims: package claim
// says which engine is asked what.
package engines

import (
	"context"

	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/smt/solver"
)

// Run is a running decision. Its System is that of the instance, or one with values of the open
// parameters, or another one that the claim is about.
type Run struct {
	Ctx        context.Context
	Inst       *build.Instance
	Opt        Options
	Sys        *rules.System
	In         *interp.Interp
	*Incidents // of the whole decision, whatever the System
	about      verdict.Claim
	player     *residual.Player // nil until it is needed
}

// Incidents are what a decision comes across besides its result.
type Incidents struct {
	Fault   error                // of the rules, in an action from some state of the right shape
	Missing *solver.NotInstalled // the solver that was to be asked, if it is not there
	Trusted []verdict.Table      // tables in which something was looked up
}

// New begins a decision about an instance, whose verdicts are about this claim.
func New(ctx context.Context, inst *build.Instance, about verdict.Claim, opt Options) *Run {
	if opt.Common == nil {
		opt.Common = new(Common)
	}
	run := &Run{Ctx: ctx, Inst: inst, Opt: opt, Incidents: new(Incidents), about: about}
	return run.On(inst.System)
}

// On returns the decision about another System.
func (run *Run) On(sys *rules.System) *Run {
	c := *run
	c.Sys, c.In, c.player = sys, interp.New(sys).Within(run.Ctx), nil
	return &c
}

// With returns the decision with values of the open parameters, in their order.
func (run *Run) With(values []int) (*Run, error) {
	if len(values) == 0 {
		return run, nil
	}
	sys, _, err := run.Inst.WithValues(values)
	if err != nil {
		return nil, err
	}
	return run.On(sys), nil
}

// Limited returns the decision with another limit on states; 0: none.
func (run *Run) Limited(maxStates int64) *Run {
	c := *run
	c.Opt.MaxStates = maxStates
	return &c
}

// Result begins a verdict about the current System.
func (run *Run) Result(s verdict.Status, engine verdict.Engine, found verdict.Finding) *result.Result {
	return &result.Result{
		Verdict:  verdict.Verdict{Claim: run.about, Status: s, Engine: engine, Found: found, Scope: verdict.ScopeOf(run.Sys)},
		Instance: run.Inst, System: run.Sys,
	}
}

// Unknown is the verdict of an engine that leaves the question open.
func (run *Run) Unknown(engine verdict.Engine, why verdict.Reason) *Open {
	r := run.Result(verdict.Unknown, engine, nil)
	r.Open = why
	return &Open{Result: r}
}

// Refuses says that the requested engine cannot decide this kind of claim.
func (run *Run) Refuses(what verdict.Kind) error {
	return run.Unknown(run.Opt.Engine, verdict.Refused{Engine: run.Opt.Engine, What: what})
}

// Observer reports the progress of an engine on the claim. It is nil if nobody listens.
func (run *Run) Observer(engine verdict.Engine) func(limit.Progress) {
	if run.Opt.Observer == nil {
		return nil
	}
	return func(p limit.Progress) { run.Opt.Observer(Progress{run.Inst.Claim.Name, engine, p}) }
}

// Wants reports whether the engine is requested, or the choice left to the tool.
func (run *Run) Wants(engine verdict.Engine) bool {
	return run.Opt.Engine == verdict.Auto || run.Opt.Engine == engine
}

// UpTo returns the limit on states, or a lower one.
func (run *Run) UpTo(limit int64) int64 {
	if run.Opt.MaxStates > 0 && run.Opt.MaxStates < limit {
		return run.Opt.MaxStates
	}
	return limit
}

// firstTry is how many states a search may take that comes before a more expensive one.
const firstTry = 20_000

// Few is the limit on states of a search that comes before a more expensive one.
func (run *Run) Few() int64 { return run.UpTo(firstTry) }

// noteFault remembers a fault of the rules.
func (run *Run) noteFault(fault error) {
	if run.Fault == nil {
		run.Fault = fault
	}
}
