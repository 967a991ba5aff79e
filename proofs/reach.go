package proofs

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/rules/space"
)

// firstTry is how many states the backward search may take before the forward search has its turn, where both
// are possible. A backward set that closes is most often small.
const firstTry = 20_000

// yes is the verdict of a reachability claim when a trace to its target was found, no when there is none.
func verdicts(p *resolve.Reach) (yes, no Status) {
	if p.Reachable {
		return Proved, Refuted
	}
	return Refuted, Proved
}

// reach decides reachability for one System. The direction is the one that can answer: first backward as long as that is
// cheap, since a closed backward set needs no look at the starts; then forward as long as that is; then by induction, which the number of
// states does not bother, if the solver is quick; then forward and backward to the end; then by induction with all the time that there is.
func (d *decision) reach(p *resolve.Reach) (*Result, error) {
	switch d.opt.Engine {
	case Forward:
		return d.reachForward(p, d.opt.MaxStates)
	case Backward:
		return d.reachBackward(p, d.opt.MaxStates)
	case BMC:
		return d.reachBMC(p)
	case Induction:
		return d.reachInduction(p)
	case SMT:
		return d.reachSMT(p)
	}
	engines := []func() (*Result, error){
		func() (*Result, error) { return d.orFault(d.reachBackward(p, d.few())) },
		func() (*Result, error) { return d.reachForward(p, d.upTo(tryStates)) },
		func() (*Result, error) { return d.shortly().reachInduction(p) },
	}
	if d.upTo(tryStates) != d.opt.MaxStates {
		engines = append(engines, func() (*Result, error) { return d.reachForward(p, d.opt.MaxStates) })
	}
	engines = append(engines, func() (*Result, error) { return d.reachBackward(p, d.opt.MaxStates) })
	if d.shortly() != d {
		engines = append(engines, func() (*Result, error) { return d.reachInduction(p) })
	}
	return d.firstOf(engines...)
}

// orFault gives a closed set as the verdict only after a look whether play comes to a fault of the rules, if the construction of the set has
// met one: that is to be reported, and not proved round.
func (d *decision) orFault(r *Result, err error) (*Result, error) {
	if err != nil || r.Trace != nil || r.Status == Unknown || *d.fault == nil {
		return r, err
	}
	search := d.counterexample
	if p, ok := d.asReach(); ok && len(d.sys.OpenParams()) == 0 {
		search = func() (*Result, error) { return d.reachForward(p, d.upTo(tryStates)) }
	}
	if f, err := search(); err != nil || f.Status != Unknown {
		return f, err
	}
	return r, nil
}

// met notes a fault of the rules.
func (d *decision) met(fault error) {
	if *d.fault == nil {
		*d.fault = fault
	}
}

// shortTime is how long the solver may take for a question while there are searches to come that may be done in seconds.
const shortTime = 5 * time.Second

// shortly is the decision with little time for each question to the solver. Where its work is limited instead, verdicts must not depend on time.
func (d *decision) shortly() *decision {
	if d.opt.SolverSteps > 0 || d.opt.SolverTimeout > 0 && d.opt.SolverTimeout <= shortTime {
		return d
	}
	short := *d
	short.opt.SolverTimeout = shortTime
	return &short
}

// firstOf tries engines in turn until one decides. If none does, the forward search has the word, since its limits mean most
// to people, or else the last; what the others met is noted.
func (d *decision) firstOf(engines ...func() (*Result, error)) (*Result, error) {
	var word *Result
	var notes []string
	for _, try := range engines {
		r, err := d.within(Forward, try)
		if err != nil || r.Status != Unknown {
			return r, err
		}
		if word == nil || r.Engine == Forward || word.Engine != Forward {
			word = r
		}
		notes = append(notes, string(r.Engine)+": "+r.Reason)
		if d.ctx.Err() != nil {
			break
		}
	}
	if len(notes) > 1 {
		word.Notes = append(word.Notes, notes...)
	}
	return word, nil
}

func (d *decision) few() int64 { return d.upTo(firstTry) }

func (d *decision) reachForward(p *resolve.Reach, maxStates int64) (*Result, error) {
	yes, no := verdicts(p)
	opt := d.forwardOptions()
	opt.MaxStates = maxStates
	keep, dropped := d.keepForward(p.Target)
	opt.Keep = keep
	if p.Within == 0 {
		return d.atStart(p)
	}
	if p.Within > 0 {
		opt.MaxDepth = p.Within
	}
	res, err := forward.Search(d.ctx, d.sys, d.starts(), forward.Query{Goal: p.Target, States: d.opt.Certify, MostListed: d.opt.MaxEvidence}, opt)
	if err != nil {
		return d.startless(err)
	}
	switch res.Stop {
	case forward.GoalFound:
		return d.found(yes, res, p.Target)
	case forward.Exhausted, forward.DepthLimit:
		r := d.result(no, Forward, fmt.Sprintf("all %s from %s", count(int(res.Stats.States), "reachable state"),
			count(int(res.Stats.Starts), "start")))
		if res.Stop == forward.DepthLimit {
			r.Reason = fmt.Sprintf("not within %s", count(p.Within, "move"))
		}
		r.Stats = forwardStats(res.Stats)
		r.Notes = append(d.leftOut(dropped), d.neverFired(res)...)
		r.Vacuous = d.shapeless(p.Target)
		if res.States != nil && res.Stop == forward.Exhausted {
			e := cert.NewForward(d.sys, cert.Parts{Pits: keep.Pits, Vars: keep.Vars}, res.States)
			r.Evidence = &e
		}
		return r, nil
	}
	return d.limit(res.Reason, res.Stats), nil
}

// keepForward leaves out of a forward search what nothing reads. What the starts set stays, so that a trace begins with a whole start;
// and with it all that its seeds come from, or what is kept would not be what play makes of it.
func (d *decision) keepForward(goals ...rules.Expr) (rules.Parts, []string) {
	var set []int
	for p, free := range d.sys.Start.Free {
		if free {
			set = append(set, p)
		}
	}
	sl := slice.Keep(d.ctx, d.sys, append(slices.Clone(goals), rules.Sum{Pits: set})...)
	return sl.Parts, sl.Dropped
}

func (d *decision) leftOut(dropped []string) []string {
	var notes []string
	for _, why := range dropped {
		notes = append(notes, "left out: "+why)
	}
	return notes
}

// neverFired names the moves that no reachable state allows.
func (d *decision) neverFired(res *forward.Result) []string {
	fired := map[string]bool{}
	var notes []string
	for i, a := range d.sys.Actions {
		fired[a.Label] = fired[a.Label] || res.Fired[i]
	}
	for _, a := range d.sys.Actions {
		if on, ok := fired[a.Label]; ok && !on {
			notes = append(notes, fmt.Sprintf("`%s` is never legal in a reachable state", a.Label))
			delete(fired, a.Label)
		}
	}
	return notes
}

// atStart decides reachability within no move at all: some start satisfies the target.
func (d *decision) atStart(p *resolve.Reach) (*Result, error) {
	yes, no := verdicts(p)
	var at *rules.State
	err := d.starts()(d.ctx, func(s rules.State) error {
		ok, err := d.in.Holds(p.Target, s, nil)
		if err == nil && ok {
			c := s.Clone()
			at, err = &c, errStop
		}
		return err
	})
	if err != nil && !errors.Is(err, errStop) {
		return d.beyond(Forward, err)
	}
	if at == nil {
		r := d.result(no, Forward, "no start is such a state")
		r.Vacuous = d.shapeless(p.Target)
		return r, nil
	}
	r := d.result(yes, Forward, "a start is such a state")
	r.Trace, err = replay(d.in, d.inst.Claim.Name, *at, nil)
	return r, err
}

// startless turns an infinite set of starts into an Unknown verdict.
func (d *decision) startless(err error) (*Result, error) {
	var infinite *space.InfiniteError
	if errors.As(err, &infinite) {
		return d.unknown(Forward, "the starts are not finitely many: %s", err), nil
	}
	return nil, err
}

// found replays the trace of a forward search.
func (d *decision) found(s Status, res *forward.Result, goal rules.Expr) (*Result, error) {
	t, err := replay(d.in, d.inst.Claim.Name, res.Trace.Start, res.Trace.Actions)
	if err != nil {
		return nil, err
	}
	if err := reaches(d.in, t, goal); err != nil {
		return nil, err
	}
	r := d.result(s, Forward, fmt.Sprintf("shortest play: %s", count(len(t.Steps), "move")))
	r.Trace, r.Stats = t, forwardStats(res.Stats)
	return r, nil
}

// shapeless reports whether no state at all satisfies the target: the claim is true for want of a subject.
func (d *decision) shapeless(target rules.Expr) bool { return d.anyState(target, nil) == none }

func (d *decision) reachBackward(p *resolve.Reach, maxStates int64) (*Result, error) {
	yes, no := verdicts(p)
	if p.Within == 0 {
		return d.atStart(p)
	}
	opt := d.backwardOptions(maxStates)
	if p.Within > 0 {
		opt.MaxDepth = &p.Within
	}
	res, err := backward.Search(d.ctx, d.in, rules.OrValueless(p.Target), opt) // a claim without a value is no claim that does not hold
	if err != nil {
		return d.beyond(Backward, err)
	}
	d.met(res.Fault)
	switch res.Stop {
	case backward.StartFound:
		return d.foundBackward(yes, p, res)
	case backward.Closed:
		r := d.result(no, Backward, fmt.Sprintf("closed set of %s", count(res.Others(), "state")))
		d.backwardStats(r, res)
		r.Vacuous = res.Vacuous()
		if d.opt.Certify && (d.opt.MaxEvidence == 0 || int64(len(res.Nodes)) <= d.opt.MaxEvidence) {
			r.Evidence = d.certifyBackward(res)
		}
		return r, nil
	case backward.DepthLimit:
		r := d.result(no, Backward, fmt.Sprintf("not within %s", count(p.Within, "move")))
		r.Vacuous = d.shapeless(p.Target)
		d.backwardStats(r, res)
		return r, nil
	}
	return d.limitBackward(res), nil
}

// backwardOptions are the limits of a backward search, which reports under the claim's name.
func (d *decision) backwardOptions(maxStates int64) backward.Options {
	opt := backward.Options{MaxStates: maxStates, MaxMemory: d.opt.MaxMemory}
	if d.opt.Observer != nil {
		opt.Observer = func(q backward.Progress) {
			d.opt.Observer(Progress{
				Claim: d.inst.Claim.Name, Engine: Backward, Depth: q.Depth,
				States: q.States, Frontier: q.Frontier,
			})
		}
	}
	return opt
}

// limitBackward is the verdict of a backward search that ended early.
func (d *decision) limitBackward(res *backward.Result) *Result {
	r := d.unknown(Backward, "%s", res.Reason)
	d.backwardStats(r, res)
	return r
}

func (d *decision) backwardStats(r *Result, res *backward.Result) {
	r.Stats = statsBackward(res)
	r.Notes = append(r.Notes, d.leftOut(res.Kept.Dropped)...)
}

func statsBackward(res *backward.Result) Stats {
	return Stats{
		States: int64(len(res.Nodes)), Transitions: res.Steps, Depth: len(res.Levels) - 1,
		Closed: res.Others(), Bytes: res.Bytes,
	}
}

// foundBackward replays the play that the backward search found, in the System with its open parameters set.
func (d *decision) foundBackward(s Status, p *resolve.Reach, res *backward.Result) (*Result, error) {
	sys, target := d.sys, p.Target
	in := d.in
	start := res.Starts[0]
	if len(start.Open) > 0 {
		closed, q, err := d.close(start.Open)
		if err != nil {
			return nil, err
		}
		sys, target = closed.sys, goalOf(closed.sys, q)
		in = closed.in
	}
	t, err := replay(in, d.inst.Claim.Name, start.State, start.Actions)
	if err != nil {
		return nil, err
	}
	if err := reaches(in, t, target); err != nil {
		return nil, err
	}
	r := d.result(s, Backward, fmt.Sprintf("shortest play: %s", count(len(t.Steps), "move")))
	r.System, r.Trace = sys, t
	r.Scope = ScopeOf(sys)
	d.backwardStats(r, res)
	return r, nil
}

// goalOf is the target of a claim that reach decides.
func goalOf(sys *rules.System, p resolve.Property) rules.Expr {
	if r, ok := p.(*resolve.Reach); ok {
		return r.Target
	}
	return Holes(sys)
}

// close sets the open parameters to values, in their order.
func (d *decision) close(values []int) (*decision, resolve.Property, error) {
	given := resolve.Settings{}
	for i, p := range d.sys.OpenParams() {
		given[d.sys.Params[p].Name] = resolve.Value{N: values[i], At: d.inst.Claim.At}
	}
	sys, p, diags := d.inst.With(given)
	if diags.HasErrors() {
		return nil, nil, diags
	}
	c := *d
	c.on(sys, p)
	return &c, p, nil
}

func noStart(sys *rules.System) error {
	var l diag.List
	l.Errorf(diag.NoStart, sys.Start.At, "no distribution of seeds satisfies this setup").
		WithHelp("with %s", params(sys))
	return l
}

func params(sys *rules.System) string {
	s := ""
	for i, p := range sys.Params {
		if i > 0 {
			s += ", "
		}
		s += p.Name + " = " + text(p)
	}
	return s
}
