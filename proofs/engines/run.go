// Package engines runs engines for a decision, and turns what they find into claimed
// verdicts with evidence. It knows Systems and questions and no kinds of claims: package claim
// says which engine is asked what.
package engines

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mancheck/mancheck/checker/endgame"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/smt/engine"
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

// Options are the limits of one decision. The zero value means no limit but the machine's memory.
type Options struct {
	limit.Bounds
	Engine        verdict.Engine // "" or Auto: the claim's hint, or else the tool's choice
	Bound         int
	Solver        string               // as for smt/solver.Open
	SolverTimeout time.Duration        // for each question to the solver; 0: a minute, or no limit if SolverSteps is set
	SolverSteps   uint32               // for each question, in the solver's own unit; 0: no limit
	Shortest      bool                 // plays are to be shortest ones: no hunt
	Whole         bool                 // forward search stores every state, also where the rules have symmetries
	Disk          string               // folder for the states of forward searches that do not fit in memory; empty: none
	Certify       bool                 // keep all evidence for certificates, whatever its size
	CheckAll      bool                 // check all evidence, whatever it costs: there is no budget
	Strict        bool                 // an unchecked verdict is inconclusive, and a vacuous one a failure
	MaxEvidence   int64                // states: no evidence with more states is kept; 0: no limit
	Tables        *endgame.Library     // for values; believed. nil: none
	Common        *Common              // with other decisions; nil: nothing
	Claimed       func(*result.Result) // called with an engine's result before it is checked; may be nil. Tests falsify it
	Observer      func(Progress)       // may be nil; called from one goroutine at a time
}

// Common is what decisions about the same games share, to do it once. They may go on at the same
// time. No verdict depends on it. The zero value is ready for use.
type Common struct {
	encodings engine.Encodings
	Positions value.Recall
}

// For returns the options for one instance: options that are not set come from its claim.
func (o Options) For(inst *build.Instance) Options {
	if o.Engine == "" || o.Engine == verdict.Auto {
		o.Engine = verdict.Engine(inst.Claim.Engine)
	}
	o.Engine = cmp.Or(o.Engine, verdict.Auto)
	o.Bound = cmp.Or(o.Bound, inst.Claim.Bound)
	return o
}

// Progress reports on a running search.
type Progress struct {
	Claim  string
	Engine verdict.Engine
	limit.Progress
}

var errNoStart = errors.New("the setup does not allow it")

// Replay makes a trace of the actions found by an engine, by playing them with the reference
// interpreter. If the interpreter does not allow the play, the engine is at fault: that is an error
// and not a verdict.
func (run *Run) Replay(start rules.State, actions []int) (*rules.Trace, error) {
	switch ok, err := run.In.IsStart(start); {
	case errors.As(err, new(*interp.RuleError)):
		return nil, err
	case err != nil || !ok:
		return nil, fmt.Errorf("internal error: a trace for %s begins with no start (%w)", run.Inst.Claim.Name, cmp.Or(err, errNoStart))
	}
	return run.Play(start, actions)
}

// Play is replay from a possibly unreachable state.
func (run *Run) Play(from rules.State, actions []int) (*rules.Trace, error) {
	t := &rules.Trace{System: run.Sys, Claim: run.Inst.Claim.Name, Start: from}
	for i, a := range actions {
		at := t.End()
		to, legal, err := run.In.Do(at, a)
		if err != nil {
			return nil, err
		}
		if !legal {
			return nil, fmt.Errorf("internal error: move %d of a trace for %s does not replay", i+1, t.Claim)
		}
		t.Steps = append(t.Steps, run.In.TraceStep(at, interp.Step{Action: a, To: to}))
	}
	return t, nil
}

// ReplayLasso makes a trace of an infinite play: its stem and one round of the cycle, which must
// lead back to where it began.
func (run *Run) ReplayLasso(l *forward.Lasso) (*rules.Trace, error) {
	t, err := run.Replay(l.Stem.Start, slices.Concat(l.Stem.Actions, l.Cycle))
	if err != nil {
		return nil, err
	}
	if states := t.States(); len(l.Cycle) == 0 || !states[len(l.Stem.Actions)].Equal(t.End()) {
		return nil, fmt.Errorf("internal error: a cycle for %s does not close", t.Claim)
	}
	return t, nil
}

// Shown returns a verdict with the play that shows it, replayed in the System with these values of
// its open parameters.
func (run *Run) Shown(s verdict.Status, engine verdict.Engine, values []int, start rules.State, actions []int) (*result.Result, error) {
	on, err := run.With(values)
	if err != nil {
		return nil, err
	}
	r := on.Result(s, engine, verdict.Play{Moves: len(actions), Shortest: true})
	r.Trace, err = on.Replay(start, actions)
	return r, err
}
