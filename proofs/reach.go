package proofs

import (
	"context"
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/backward"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/internal/enumerate"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/smt/engine"
)

// reach is a claim about reachability.
type reach struct {
	usual
	*resolve.Reach
}

func (k reach) about() verdict.Claim {
	if k.Reachable {
		return verdict.Claim{Kind: verdict.Reachable}
	}
	return verdict.Claim{Kind: verdict.Unreachable}
}

// verdicts returns the verdict of a play to the target, and that of none.
func (k reach) verdicts() (yes, no Status) {
	if k.Reachable {
		return Proved, Refuted
	}
	return Refuted, Proved
}

func (k reach) shows(r *Result) func(context.Context) error {
	if yes, _ := k.verdicts(); r.Status != yes {
		return nil
	}
	return func(ctx context.Context) error { return replayOf(ctx, r.Trace).reaches(k.Target, k.Within) }
}

func (k reach) closes() (goal, where rules.Expr) {
	if k.Within >= 0 {
		return nil, nil
	}
	return k.Target, nil
}

func (k reach) again(q question) (*enumerate.Opinion, error) {
	return q.plays().Reach(k.Target, k.Within, k.Reachable)
}

// decide decides reachability for one System. A closed backward set needs no starts, and induction
// does not depend on the number of states.
func (k reach) decide(d *decision) (*Result, error) {
	most := d.opt.MaxStates
	switch d.opt.Engine {
	case Forward:
		return k.forward(d, most)
	case Backward:
		return k.backward(d, most)
	case BMC:
		return k.bmc(d)
	case Induction:
		return k.induction(d)
	case SMT:
		return k.smt(d)
	case Auto:
	default:
		return nil, d.refuses(verdict.AboutReachability)
	}
	forth := func(most int64) (*Result, error) { return k.forward(d, most) }
	return d.inRounds(k.backwardFirst(d, forth), forth, most, k.induction)
}

// decideAll decides that the target is unreachable for every value of the open parameters at once.
// It does not decide that the target is reachable for every value.
func (k reach) decideAll(d *decision) (*Result, error) {
	switch {
	case k.Reachable:
		return k.usual.decideAll(d)
	case d.opt.Engine == Forward:
		return d.counterexample(d.upTo(tryStates))
	case d.opt.Engine != Auto:
		return k.decide(d)
	}
	return d.inRounds(k.backwardFirst(d, d.counterexample), d.counterexample, d.upTo(tryStates), k.inductionOrLeast)
}

// decideSome searches backward from a target to be reached, for any value, before values are tried.
func (k reach) decideSome(d *decision) (*Result, error) {
	if !k.Reachable || !d.wants(Backward) {
		return d.leastValue(nil)
	}
	b, err := settled(k.backward(d, d.few()))
	if err != nil || b.Status == Refuted || d.opt.Engine == Backward && b.Status == Unknown {
		return b, err
	}
	return d.leastValue(b)
}

// inductionOrLeast is induction; but if that finds a counterexample, with arbitrary values, one for
// the least values is searched.
func (k reach) inductionOrLeast(d *decision) (*Result, error) {
	r, err := k.induction(d)
	if err != nil || r.Status != Refuted {
		return r, err
	}
	if c, err := d.counterexample(d.upTo(tryStates)); err == nil && c.Status == Refuted {
		return c, nil
	}
	return r, nil
}

// backwardFirst is a backward search that comes before one forward. If its construction has met a
// fault of the rules, it returns a closed set as the verdict only if play meets no fault, since a
// fault in play must be reported.
func (k reach) backwardFirst(d *decision, play search) search {
	return func(most int64) (*Result, error) {
		r, err := k.backward(d, most)
		if err != nil || r.Trace != nil || *d.fault == nil {
			return r, err
		}
		if f, err := settled(play(d.upTo(tryStates))); err != nil || f.Status != Unknown {
			return f, err
		}
		return r, nil
	}
}

func (k reach) forward(d *decision, maxStates int64) (*Result, error) {
	if k.Within == 0 {
		return k.atStart(d)
	}
	opt := d.forwardOptions(maxStates)
	opt.MaxDepth = max(k.Within, 0)
	keep, dropped := d.keepForward(k.Target)
	opt.Keep = keep
	res, err := d.search(forward.Query{Goal: k.Target, States: true, MostListed: d.opt.MaxEvidence}, opt)
	if err != nil {
		return nil, err
	}
	yes, no := k.verdicts()
	if res.Stop == forward.GoalFound {
		r, err := d.shown(yes, Forward, nil, res.Trace.Start, res.Trace.Actions)
		if err != nil {
			return nil, err
		}
		r.Stats = forwardStats(res.Stats)
		return r, nil
	}
	r := d.result(no, Forward, verdict.AllReachable{States: res.Stats.States, Starts: res.Stats.Starts})
	if res.Stop == forward.DepthLimit {
		r.Found = verdict.NotWithin{Moves: k.Within}
	}
	r.Stats = forwardStats(res.Stats)
	r.Notes = append(leftOut(dropped), d.neverFired(res)...)
	r.Vacuous = d.shapeless(k.Target)
	if res.States != nil && res.Stop == forward.Exhausted {
		e := cert.NewForward(d.sys, cert.Parts{Pits: keep.Pits, Vars: keep.Vars}, res.States)
		r.Evidence = &e
	}
	return r, nil
}

// keepForward finds what a forward search can ignore because nothing reads it. What the starts set
// is kept, so that a trace begins with a whole start; and so is all that its seeds come from, or
// the kept parts would not be what play makes of them.
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

// neverFired names the moves that no reachable state allows.
func (d *decision) neverFired(res *forward.Result) []verdict.Note {
	fired := map[string]bool{}
	var notes []verdict.Note
	for i, a := range d.sys.Actions {
		fired[a.Label] = fired[a.Label] || res.Fired[i]
	}
	for _, a := range d.sys.Actions {
		if on, ok := fired[a.Label]; ok && !on {
			notes = append(notes, verdict.NeverLegal{Move: a.Label})
			delete(fired, a.Label)
		}
	}
	return notes
}

// atStart decides reachability in no moves: whether some start satisfies the target.
func (k reach) atStart(d *decision) (*Result, error) {
	yes, no := k.verdicts()
	var at *rules.State
	err := d.starts()(d.ctx, func(s rules.State) error {
		ok, err := d.in.Holds(k.Target, s, nil)
		if err == nil && ok {
			c := s.Clone()
			at, err = &c, errStop
		}
		return err
	})
	if err != nil && !errors.Is(err, errStop) {
		return nil, d.beyond(Forward, err)
	}
	if at == nil {
		r := d.result(no, Forward, verdict.StartIs{})
		r.Vacuous = d.shapeless(k.Target)
		return r, nil
	}
	r, err := d.shown(yes, Forward, nil, *at, nil)
	if err != nil {
		return nil, err
	}
	r.Found = verdict.StartIs{Target: true}
	return r, nil
}

func (k reach) backward(d *decision, maxStates int64) (*Result, error) {
	if k.Within == 0 {
		return k.atStart(d)
	}
	opt := backward.Options{}
	if k.Within > 0 {
		opt.MaxDepth = &k.Within
	}
	res, err := d.searchBack(rules.OrValueless(k.Target), maxStates, opt) // a claim without a value is not a false claim
	if err != nil {
		return nil, err
	}
	yes, no := k.verdicts()
	var r *Result
	switch res.Stop {
	case backward.StartFound:
		start := res.Starts[0]
		if r, err = d.shown(yes, Backward, start.Open, start.State, start.Actions); err != nil {
			return nil, err
		}
	case backward.Closed:
		r = d.result(no, Backward, verdict.ClosedSet{States: res.Others()})
		r.Vacuous = res.Vacuous()
		d.closedSet(r, res)
	default:
		r = d.result(no, Backward, verdict.NotWithin{Moves: k.Within})
		r.Vacuous = d.shapeless(k.Target)
	}
	d.tellBackward(r, res)
	return r, nil
}

// bmc looks for a play up to the bound. Without one the verdict is bounded, unless the claim is
// about no more moves.
func (k reach) bmc(d *decision) (*Result, error) {
	yes, no := k.verdicts()
	bound := defaultBound
	switch {
	case k.Within >= 0:
		bound = k.Within
	case d.opt.Bound > 0:
		bound = d.opt.Bound
	}
	res, err := engine.Reach(d.ctx, d.sys, k.Target, bound, d.smtOptions())
	switch {
	case err != nil:
		return nil, d.undecided(BMC, err)
	case res.Status == engine.Fails:
		return d.played(yes, BMC, res.Play)
	case res.Status == engine.Holds && k.Within >= 0:
		r := d.result(no, BMC, verdict.NoPlay{Moves: bound})
		d.subject(r, nil, k.Target)
		return r, nil
	}
	return d.bounded(res), nil
}

// induction proves that the target is unreachable, by an inductive invariant.
func (k reach) induction(d *decision) (*Result, error) {
	if k.Within >= 0 {
		return nil, d.unknown(Induction, verdict.Refused{Engine: Induction, What: verdict.AboutWithinMoves})
	}
	yes, no := k.verdicts()
	most := defaultK
	if d.opt.Bound > 0 {
		most = d.opt.Bound
	}
	inv := rules.Simplify(rules.Not{X: k.Target}, nil)
	res, err := engine.Induct(d.ctx, d.sys, inv, nil, most, d.smtOptions())
	bare := true
	if err == nil && res.Step != nil {
		if lemmas := d.shapes(); len(lemmas) > 0 {
			bare = false
			res, err = engine.Induct(d.ctx, d.sys, inv, lemmas, most, d.smtOptions())
		}
	}
	if err != nil {
		return nil, d.undecided(Induction, err)
	}
	switch res.Status {
	case engine.Holds:
		r := d.result(no, Induction, verdict.Inductive{K: res.K})
		r.K = res.K
		d.subject(r, nil, k.Target)
		if bare {
			e := cert.NewInductive(res.K)
			r.Evidence = &e
		}
		r.Notes = append(r.Notes, asked(res.Solver))
		return r, nil
	case engine.Fails:
		return d.played(yes, Induction, res.Play)
	}
	left := d.unknown(Induction, inductionOpen(res))
	if res.Step != nil {
		if left.StepCounterexample, err = d.stepCounterexample(res.Step); err != nil {
			return nil, err
		}
	}
	return nil, left
}

// smt uses everything that a solver can do: induction, then a set closed by its pre-images, then a
// bounded search.
func (k reach) smt(d *decision) (*Result, error) {
	r, err := settled(k.induction(d))
	if err != nil || r.Status != Unknown {
		return r, err
	}
	if k.Within < 0 && r.StepCounterexample == nil {
		return r, nil // the rules cannot be encoded, or the solver does not answer: the other methods would fail as well
	}
	if k.Within < 0 {
		c, err := settled(k.preimages(d))
		if err != nil || c.Status != Unknown {
			return c, err
		}
	}
	b, err := settled(k.bmc(d))
	if err == nil && b.StepCounterexample == nil {
		b.StepCounterexample = r.StepCounterexample
	}
	return b, err
}

// preimages is the backward search with pre-images by the solver.
func (k reach) preimages(d *decision) (*Result, error) {
	_, no := k.verdicts()
	keep := slice.Keep(d.ctx, d.sys, k.Target).Kept
	f, err := d.finder(keep, maxSymbolic)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c := &closing{decision: d, finder: f, seen: map[string]bool{}}
	if err := c.close(k.Target); err != nil {
		return nil, d.undecided(SMT, err)
	}
	if c.met != nil {
		return nil, d.unknown(SMT, c.met)
	}
	r := d.result(no, SMT, verdict.ClosedSet{States: len(c.list), BySolver: true})
	r.Stats.States, r.Stats.Closed = int64(len(c.list)), len(c.list)
	r.Notes = append(r.Notes, asked(f.Solver()))
	r.Vacuous = len(c.list) == 0
	if targets, err := d.matching(k.Target, keep); err == nil {
		r.Evidence = d.closedUnderPredecessors(keep, append(targets, c.list...))
	}
	return r, nil
}
