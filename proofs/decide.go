package proofs

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/mancheck/mancheck/checker/step"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/rules/space"
	"github.com/mancheck/mancheck/smt/solver"
)

// Decide finds the verdict on one instance of a claim. An error is a failure of the input (a rule
// that breaks in play, a setup without a start) or of the tool. A limit that is reached, a question
// beyond the engines, or the end of the context is an Unknown verdict with its reason. The engines'
// result is a verdict only after Confirm.
func Decide(ctx context.Context, inst *resolve.Instance, opt Options) (*Result, error) {
	begin := time.Now()
	d := &decision{ctx: ctx, inst: inst, opt: opt.For(inst).withEvidence(), fault: new(error), missing: new(*solver.NotInstalled), trusted: new([]Table)}
	if d.opt.Common == nil {
		d.opt.Common = new(Common)
	}
	d.on(inst.System, inst.Property)
	r, err := d.try(opt.Engine, d.decide)
	if err == nil {
		r.Trusted = *d.trusted
		if opt.Claimed != nil {
			opt.Claimed(r)
		}
		r, err = d.try(opt.Engine, func() (*Result, error) { return Confirm(ctx, inst, r, opt.For(inst)) })
	}
	if err == nil && len(*d.trusted) > 0 {
		err = d.opt.Tables.Err()
	}
	if ctx.Err() != nil && (err != nil || r.Status != Unknown) {
		d.on(inst.System, inst.Property)
		r, err = d.unknown(d.opt.Engine, verdict.Ended{Limit: limit.Ending(ctx)}).Result, nil // whatever it was, it may rest on work that was not finished
	}
	if err != nil {
		return nil, err
	}
	if *d.fault != nil && r.Status != Unknown {
		r.Notes = append(r.Notes, verdict.FaultMet{Fault: verdict.Words((*d.fault).Error())})
	}
	if *d.missing != nil && r.Status == Unknown && !verdict.LacksSolver(r.Open) {
		m := missingSolver(*d.missing)
		r.Missing = &m
	}
	r.Stats.Elapsed = time.Since(begin)
	return r, nil
}

// open is the error of a question that is left open, with the Unknown verdict that says why.
type open struct {
	*Result
	more bool // the limit on states ended a search: with a greater one it may decide
}

func (o *open) Error() string { return o.Sentence() }

// attempt is a way to try to decide a claim.
type attempt func() (*Result, error)

// settled is the Unknown verdict where a question was left open.
func settled(r *Result, err error) (*Result, error) {
	var left *open
	if errors.As(err, &left) {
		return left.Result, nil
	}
	return r, err
}

// try executes a part of a decision. If that leaves the question open, or exceeds a limit of
// computation, the verdict is Unknown.
func (d *decision) try(name Engine, part attempt) (*Result, error) {
	r, err := settled(part())
	var limit *rules.LimitError
	if errors.As(err, &limit) {
		return d.unknown(name, verdict.Computation{Words: verdict.Words(limit.Diag.Message)}).Result, nil
	}
	return r, err
}

// firstOf tries engines in turn until one decides.
func (d *decision) firstOf(engines ...attempt) (*Result, error) {
	var words []*Result
	for _, part := range engines {
		r, err := d.try(Forward, part)
		if err != nil || r.Status != Unknown {
			return r, err
		}
		words = append(words, r)
		if d.ctx.Err() != nil {
			break
		}
	}
	return lastWord(words), nil
}

// lastWord is the result where engines have left a question open: the forward search's, whose
// limits mean most to people, or else the last one. The reasons of all are notes.
func lastWord(words []*Result) *Result {
	var word *Result
	var notes []verdict.Note
	for _, r := range words {
		if word == nil || r.Engine == Forward || word.Engine != Forward {
			word = r
		}
		notes = append(notes, verdict.EngineOpen{Engine: r.Engine, Why: verdict.Because(r.Open)})
	}
	if len(notes) > 1 {
		word.Notes = append(word.Notes, notes...)
	}
	return word
}

// byEngine runs the attempts of the requested engine, or with Auto those listed for Auto in turn.
func (d *decision) byEngine(what verdict.Question, engines map[Engine][]attempt) (*Result, error) {
	list := engines[d.opt.Engine]
	if list == nil {
		return nil, d.refuses(what)
	}
	if len(list) == 1 {
		return list[0]()
	}
	return d.firstOf(list...)
}

// decision is a running Decide. sys, in, property and kind change when `for some` tries a value.
type decision struct {
	ctx     context.Context
	inst    *resolve.Instance
	opt     Options
	sys     *rules.System
	in      *interp.Interp
	stepper *step.Machine // nil until it is needed
	kind    Kind
	missing **solver.NotInstalled // the solver that was to be asked, if it is not there
	fault   *error                // of the rules, that an action has met in some state of the right shape
	trusted *[]Table              // tables in which something was looked up
}

func (d *decision) on(sys *rules.System, p resolve.Property) {
	d.sys, d.in, d.stepper, d.kind = sys, interp.New(sys).Within(d.ctx), nil, KindOf(sys, p)
}

// with returns the decision with values of the open parameters, in their order.
func (d *decision) with(values []int) (*decision, error) {
	if len(values) == 0 {
		return d, nil
	}
	sys, p, err := d.inst.WithValues(values)
	if err != nil {
		return nil, err
	}
	c := *d
	c.on(sys, p)
	return &c, nil
}

func (d *decision) decide() (*Result, error) {
	if len(d.sys.OpenParams()) > 0 {
		return d.quantified()
	}
	starts, err := d.anyStart()
	if err != nil {
		return nil, err
	}
	if starts == space.None {
		return nil, noStart(d.sys)
	}
	r, err := d.single()
	if err != nil || starts == space.Some || !d.kind.ofPlays() || r.Trace != nil || !r.Conclusive() {
		return r, err
	}
	switch starts, err = d.startsOfAny(); {
	case err != nil:
		return nil, err
	case starts == space.None:
		return nil, noStart(d.sys)
	case starts == space.Unsure:
		r.Notes = append(r.Notes, verdict.SubjectUnknown{Of: verdict.StartOfSetup})
	}
	return r, nil
}

// single decides the claim for one System.
func (d *decision) single() (*Result, error) { return settled(d.kind.decide(d)) }

// result begins a verdict about the current System.
func (d *decision) result(s Status, engine Engine, found verdict.Finding) *Result {
	about := d.kind.about()
	about.Some = d.inst.Some
	return &Result{
		Verdict:  verdict.Verdict{Claim: about, Status: s, Engine: engine, Found: found, Scope: verdict.ScopeOf(d.sys)},
		Instance: d.inst, System: d.sys,
	}
}

func (d *decision) unknown(engine Engine, why verdict.Reason) *open {
	r := d.result(Unknown, engine, nil)
	r.Open = why
	return &open{Result: r}
}

// refuses says that the requested engine cannot decide this kind of claim.
func (d *decision) refuses(what verdict.Question) error {
	return d.unknown(d.opt.Engine, verdict.Refused{Engine: d.opt.Engine, What: what})
}

// shown returns a verdict with the play that shows it, replayed in the System with these values of
// its open parameters.
func (d *decision) shown(s Status, engine Engine, values []int, start rules.State, actions []int) (*Result, error) {
	on, err := d.with(values)
	if err != nil {
		return nil, err
	}
	r := on.result(s, engine, verdict.Play{Moves: len(actions), Shortest: true})
	r.Trace, err = on.replay(start, actions)
	return r, err
}

// met records a fault of the rules.
func (d *decision) met(fault error) {
	if *d.fault == nil {
		*d.fault = fault
	}
}

func (d *decision) observe(p Progress) {
	p.Claim = d.inst.Claim.Name
	d.opt.Observer(p)
}

// wants reports whether the engine is requested, or the choice left to the tool.
func (d *decision) wants(engine Engine) bool { return d.opt.Engine == Auto || d.opt.Engine == engine }

// upTo returns the limit on states, or a lower one.
func (d *decision) upTo(limit int64) int64 {
	if d.opt.MaxStates > 0 && d.opt.MaxStates < limit {
		return d.opt.MaxStates
	}
	return limit
}

// firstTry is how many states a search may take that comes before a more expensive one.
const firstTry = 20_000

func (d *decision) few() int64 { return d.upTo(firstTry) }

// errStop ends an enumeration early.
var errStop = errors.New("stop")

func noStart(sys *rules.System) error {
	var l diag.List
	var params []string
	for _, p := range sys.Params {
		params = append(params, p.Name+" = "+say.Value(verdict.ParamOf(p)))
	}
	l.Errorf(diag.NoStart, sys.Start.At, "no distribution of seeds satisfies this setup").
		WithHelp("with %s", strings.Join(params, ", "))
	return l
}
