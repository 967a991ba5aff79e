package proofs

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/rules/space"
	"github.com/mancheck/mancheck/smt/solver"
)

// Decide finds the verdict on one instance of a claim. An error is a failure of the input (a rule that breaks in play, a setup without
// a start) or of the tool; a limit that is hit, a question beyond the engines, or the end of the context is an Unknown verdict with its
// reason. What the engines find is a verdict only after Confirm.
func Decide(ctx context.Context, inst *resolve.Instance, opt Options) (*Result, error) {
	begin := time.Now()
	d := &decision{ctx: ctx, inst: inst, opt: opt.For(inst).withEvidence(), fault: new(error), missing: new(*solver.NotInstalled)}
	d.on(inst.System, inst.Property)
	r, err := d.within(opt.Engine, d.decide)
	if err == nil {
		if opt.Claimed != nil {
			opt.Claimed(r)
		}
		r, err = Confirm(ctx, inst, r, opt.For(inst))
	}
	if ctx.Err() != nil && (err != nil || r.Status != Unknown) {
		d.on(inst.System, inst.Property)
		r, err = d.unknown(d.opt.Engine, "interrupted"), nil // whatever it was, it may rest on work that was not finished
	}
	if err != nil {
		return nil, err
	}
	if *d.fault != nil && r.Status != Unknown {
		r.Notes = append(r.Notes, "an action that meets a fault of the rules has no step; in some state of the right shape one does: "+(*d.fault).Error())
	}
	if m := *d.missing; m != nil && r.Status == Unknown && !strings.Contains(r.Reason, m.Error()) {
		r.Reason += fmt.Sprintf("; a solver may decide it, but %s: %s", m, m.Help())
	}
	r.Stats.Elapsed = time.Since(begin)
	return r, nil
}

// within carries out a part of a decision. Where that needs more than is computed with, the verdict is Unknown.
func (d *decision) within(engine Engine, part func() (*Result, error)) (*Result, error) {
	r, err := part()
	var limit *rules.LimitError
	if errors.As(err, &limit) {
		return d.unknown(engine, "%s", limit.Diag.Message), nil
	}
	return r, err
}

// decision is a Decide under way. sys, in and property change when `for some` tries a value.
type decision struct {
	ctx      context.Context
	inst     *resolve.Instance
	opt      Options
	sys      *rules.System
	in       *interp.Interp
	property resolve.Property
	missing  **solver.NotInstalled // the solver that was to be asked, if it is not there
	fault    *error                // of the rules, that an action has met in some state of the right shape
}

func (d *decision) on(sys *rules.System, p resolve.Property) {
	d.sys, d.in, d.property = sys, interp.New(sys), p
}

func (d *decision) decide() (*Result, error) {
	if len(d.sys.OpenParams()) > 0 {
		return d.quantified()
	}
	starts, err := d.anyStart(d.in)
	if err != nil {
		return nil, err
	}
	if starts == none {
		return nil, noStart(d.sys)
	}
	r, err := d.single()
	if err != nil || starts == some || !ofPlays(d.property) || r.Trace != nil || r.Status != Proved && r.Status != Refuted {
		return r, err
	}
	switch starts, err = d.startsOfAny(); {
	case err != nil:
		return nil, err
	case starts == none:
		return nil, noStart(d.sys)
	case starts == unsure:
		r.Notes = append(r.Notes, noteStart)
	}
	return r, nil
}

// single decides the property for one System.
func (d *decision) single() (*Result, error) {
	switch p := d.property.(type) {
	case *resolve.Reach:
		return d.reach(p)
	case *resolve.NeverStuck:
		return d.reach(&resolve.Reach{Target: Holes(d.sys), Within: -1})
	case *resolve.Terminates:
		return d.terminates(p)
	case *resolve.Neighbours:
		return d.neighbours(p)
	case *resolve.StepTo:
		return d.stepTo(p)
	case *resolve.EveryStep:
		return d.everyStep(p)
	case *resolve.Count:
		return d.count(p)
	case *resolve.WinningStarts:
		return d.winningStarts(p)
	case *resolve.StrategyWins:
		return d.strategyWins(p)
	case *resolve.Relation:
		return d.relation(p)
	}
	return nil, fmt.Errorf("internal error: no way to decide a %T", d.property)
}

// Holes is the condition that the rules do not say how to go on.
func Holes(sys *rules.System) rules.Expr {
	return rules.Binary{Op: rules.Or, L: rules.IsStuck, R: rules.HasOutcome(sys.Endless())}
}

// result begins a verdict about the System in hand.
func (d *decision) result(s Status, engine Engine, reason string) *Result {
	return &Result{Instance: d.inst, System: d.sys, Status: s, Engine: engine, Reason: reason, Scope: ScopeOf(d.sys), Bound: 0}
}

func (d *decision) unknown(engine Engine, format string, args ...any) *Result {
	return d.result(Unknown, engine, fmt.Sprintf(format, args...))
}

// ScopeOf lists the parameters that a verdict about sys holds for.
func ScopeOf(sys *rules.System) Scope {
	var s Scope
	for _, p := range sys.Params {
		switch {
		case p.Open && !p.HasHi:
			s.Unbounded = append(s.Unbounded, p.Name)
		case p.Open:
			s.Params = append(s.Params, ScopeParam{Name: p.Name, Text: fmt.Sprintf("%d..%d", p.Lo, p.Hi), All: true})
		default:
			s.Params = append(s.Params, ScopeParam{Name: p.Name, Text: text(p), N: p.Value, Bool: p.Bool})
		}
	}
	return s
}

func text(p rules.Param) string {
	return resolve.Value{N: p.Value, Bool: p.Bool}.String()
}

// forwardOptions are the limits of a forward search, which reports under the claim's name.
func (d *decision) forwardOptions() forward.Options {
	o := forward.Options{MaxStates: d.opt.MaxStates, MaxMemory: d.opt.MaxMemory, Threads: d.opt.Threads}
	if d.opt.Observer != nil {
		o.Observer = func(p forward.Progress) {
			d.opt.Observer(Progress{
				Claim: d.inst.Claim.Name, Engine: Forward, Depth: p.Depth,
				States: p.States, Frontier: p.Open, Elapsed: p.Elapsed,
			})
		}
	}
	return o
}

// starts streams all starts.
func (d *decision) starts() forward.Starts {
	return func(ctx context.Context, yield func(rules.State) error) error {
		return space.Starts(ctx, d.in, yield)
	}
}

// wants reports whether the engine is asked for, or left to the tool.
func (d *decision) wants(engine Engine) bool { return d.opt.Engine == Auto || d.opt.Engine == engine }

// none is the verdict when the engine asked for cannot decide this kind of claim.
func (d *decision) none(what string) *Result {
	return d.unknown(d.opt.Engine, "the engine %s does not decide %s", d.opt.Engine, what)
}

// errStop ends an enumeration early.
var errStop = errors.New("stop")
