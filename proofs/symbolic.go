package proofs

import (
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/rules/space"
	"github.com/mancheck/mancheck/smt/engine"
	"github.com/mancheck/mancheck/smt/solver"
)

// Limits of the symbolic engines where neither the claim nor the command line sets one.
const (
	defaultBound = 10      // moves of a bounded search
	defaultK     = 3       // length of an induction
	maxListed    = 1 << 12 // states that a solver lists one by one
	maxSymbolic  = 1 << 10 // states of a set closed by solver pre-images
)

func (d *decision) smtOptions() engine.Options {
	o := engine.Options{Solver: d.opt.Solver, Timeout: d.opt.SolverTimeout, Steps: d.opt.SolverSteps}
	if d.opt.Observer != nil {
		o.Observer = func(depth int) {
			d.opt.Observer(Progress{Claim: d.inst.Claim.Name, Engine: d.opt.Engine, Depth: depth})
		}
	}
	return o
}

// undecided turns a solver's failure to decide into an Unknown verdict; other errors are failures.
func (d *decision) undecided(name Engine, err error) (*Result, error) {
	if reason, ok := engine.Undecided(err); ok {
		if missing := (*solver.NotInstalled)(nil); errors.As(err, &missing) {
			*d.missing = missing
		}
		return d.unknown(name, "%s", reason), nil
	}
	return d.beyond(name, err)
}

func (d *decision) bound(p *resolve.Reach) int {
	switch {
	case p.Within >= 0:
		return p.Within
	case d.opt.Bound > 0:
		return d.opt.Bound
	}
	return defaultBound
}

// reachBMC looks for a play up to the bound. Without one the verdict is bounded, unless the claim speaks of no more moves.
func (d *decision) reachBMC(p *resolve.Reach) (*Result, error) {
	yes, no := verdicts(p)
	res, err := engine.Reach(d.ctx, d.sys, p.Target, d.bound(p), d.smtOptions())
	if err != nil {
		return d.undecided(BMC, err)
	}
	switch {
	case res.Status == engine.Fails:
		return d.foundSymbolic(BMC, yes, p, res.Play)
	case res.Status == engine.Holds && p.Within >= 0:
		r := d.result(no, BMC, res.Reason)
		d.subject(r, nil, p.Target)
		return r, nil
	}
	return d.bounded(res), nil
}

// bounded is the verdict of a bounded search without a counterexample.
func (d *decision) bounded(res *engine.Reached) *Result {
	r := d.unknown(BMC, "%s", res.Reason)
	r.Stats.Depth = max(res.Depth, 0)
	r.Notes = append(r.Notes, "asked "+res.Solver)
	if res.Depth >= 0 {
		r.Status, r.Bound = Bounded, res.Depth
	}
	return r
}

// foundSymbolic replays a play that a solver found, with its values of the open parameters.
func (d *decision) foundSymbolic(name Engine, s Status, p *resolve.Reach, play engine.Play) (*Result, error) {
	r, on, err := d.played(name, s, play)
	if err != nil {
		return nil, err
	}
	return r, reaches(on.in, r.Trace, goalOf(on.sys, on.property))
}

// played replays a play from a start, in the System with its open parameters set.
func (d *decision) played(name Engine, s Status, play engine.Play) (*Result, *decision, error) {
	on := d
	if len(play.Open) > 0 {
		var err error
		if on, _, err = d.close(play.Open); err != nil {
			return nil, nil, err
		}
	}
	t, err := replay(on.in, d.inst.Claim.Name, play.State, play.Actions)
	if err != nil {
		return nil, nil, err
	}
	r := on.result(s, name, fmt.Sprintf("a play of %s", count(len(t.Steps), "move")))
	if name == BMC {
		r.Reason = "shortest play: " + count(len(t.Steps), "move")
	}
	r.Trace, r.Stats.Depth = t, len(t.Steps)
	return r, on, nil
}

// reachInduction proves that the target is unreachable as an inductive invariant.
func (d *decision) reachInduction(p *resolve.Reach) (*Result, error) {
	yes, no := verdicts(p)
	if p.Within >= 0 {
		return d.unknown(Induction, "induction knows no bound on the moves"), nil
	}
	k := defaultK
	if d.opt.Bound > 0 {
		k = d.opt.Bound
	}
	inv := rules.Simplify(rules.Not{X: p.Target}, nil)
	res, err := engine.Induct(d.ctx, d.sys, inv, nil, k, d.smtOptions())
	if err != nil {
		return d.undecided(Induction, err)
	}
	bare := true
	if lemmas := shape.Of(d.ctx, d.in).Conditions(); res.Step != nil && len(lemmas) > 0 {
		bare = false
		if res, err = engine.Induct(d.ctx, d.sys, inv, lemmas, k, d.smtOptions()); err != nil {
			return d.undecided(Induction, err)
		}
	}
	switch res.Status {
	case engine.Holds:
		r := d.result(no, Induction, res.Reason)
		r.K = res.K
		d.subject(r, nil, p.Target)
		if bare && d.opt.Certify {
			e := cert.NewInductive(res.K)
			r.Evidence = &e
		}
		r.Notes = append(r.Notes, "asked "+res.Solver)
		return r, nil
	case engine.Fails:
		return d.foundSymbolic(Induction, yes, p, res.Play)
	}
	r := d.unknown(Induction, "%s", res.Reason)
	if res.Step != nil {
		r.StepCounterexample, err = d.stepCounterexample(res.Step)
	}
	return r, err
}

// stepCounterexample plays the path that keeps an invariant from being inductive. Its first state need not be reachable.
func (d *decision) stepCounterexample(c *engine.StepCounterexample) (*rules.Trace, error) {
	on := d
	if len(c.Open) > 0 {
		var err error
		if on, _, err = d.close(c.Open); err != nil {
			on = d // values of no start: the path needs none
		}
	}
	t := &rules.Trace{System: on.sys, Claim: d.inst.Claim.Name, Start: c.From}
	at := c.From
	for _, a := range c.Actions {
		to, legal, err := on.in.Do(at, a)
		if err != nil || !legal {
			return nil, fmt.Errorf("internal error: a step that a solver found does not replay (%w)", err)
		}
		t.Steps = append(t.Steps, rules.TraceStep{Move: on.in.Notation(a, at), Label: on.sys.Actions[a].Label, State: to})
		at = to
	}
	return t, nil
}

// reachSMT uses all that a solver can do: induction, then a set closed by its pre-images, then a bounded search.
func (d *decision) reachSMT(p *resolve.Reach) (*Result, error) {
	r, err := d.reachInduction(p)
	if err != nil || r.Status != Unknown {
		return r, err
	}
	if p.Within < 0 && r.StepCounterexample == nil {
		return r, nil // the rules cannot be encoded, or the solver does not answer: nor would it do so for the others
	}
	if p.Within < 0 {
		c, err := d.closedSymbolic(p)
		if err != nil || c.Status != Unknown {
			return c, err
		}
	}
	b, err := d.reachBMC(p)
	if err == nil && b.StepCounterexample == nil {
		b.StepCounterexample = r.StepCounterexample
	}
	return b, err
}

// closedSymbolic is the backward search with pre-images by the solver: it shares no construction of predecessors with the explicit one.
func (d *decision) closedSymbolic(p *resolve.Reach) (*Result, error) {
	_, no := verdicts(p)
	sh := shape.Of(d.ctx, d.in)
	keep := slice.Keep(d.ctx, d.sys, p.Target).Kept
	f, err := engine.NewFinder(d.ctx, d.sys, keep, sh.Conditions(), maxListed, d.smtOptions())
	if err != nil {
		return d.undecided(SMT, err)
	}
	defer f.Close()
	c := &closing{decision: d, finder: f, seen: map[string]bool{}}
	if err := c.close(p.Target); err != nil {
		return d.undecided(SMT, err)
	}
	if c.met != "" {
		return d.unknown(SMT, "%s", c.met), nil
	}
	r := d.result(no, SMT, fmt.Sprintf("closed set of %s, by solver pre-images", count(len(c.list), "state")))
	r.Stats.States, r.Stats.Closed = int64(len(c.list)), len(c.list)
	r.Notes = append(r.Notes, "asked "+f.Solver())
	r.Vacuous = len(c.list) == 0
	if d.opt.Certify {
		if targets, err := d.matching(p.Target, keep); err == nil {
			r.Evidence = d.certifyClosed(keep, append(targets, c.list...))
		}
	}
	return r, nil
}

// closing is the growth of a set of states under predecessors. met says why it ended early.
type closing struct {
	*decision
	finder *engine.Finder
	list   []rules.State
	seen   map[string]bool
	met    string
}

func (c *closing) close(goal rules.Expr) error {
	starts, err := c.finder.Matching(rules.Conjunction(rules.IsStart, goal))
	if err != nil {
		return err
	}
	if len(starts) > 0 {
		c.met = "a start is such a state"
		return nil
	}
	first, err := c.finder.PredecessorsOf(goal)
	if err != nil {
		return err
	}
	for next := first; len(next) > 0 && c.met == ""; {
		var level []rules.State
		for _, s := range next {
			if err := c.add(s, &level); err != nil {
				return err
			}
		}
		if next, err = c.predecessors(level); err != nil {
			return err
		}
	}
	return nil
}

func (c *closing) predecessors(level []rules.State) ([]rules.State, error) {
	var all []rules.State
	for _, s := range level {
		preds, err := c.finder.Predecessors(s)
		if err != nil {
			return nil, err
		}
		all = append(all, preds...)
	}
	return all, nil
}

// add puts a new state into the set, unless it is a start.
func (c *closing) add(s rules.State, level *[]rules.State) error {
	key := fmt.Sprint(s)
	if c.seen[key] {
		return nil
	}
	c.seen[key] = true
	starts, err := c.finder.StartsLike(s)
	switch {
	case err != nil:
		return err
	case starts:
		c.met = "the set of states that lead there holds a start"
	case len(c.list) >= maxSymbolic:
		c.met = fmt.Sprintf("the set of states that lead there has more than %d", maxSymbolic)
	}
	c.list = append(c.list, s)
	*level = append(*level, s)
	return nil
}

// everyStepSMT decides a claim about steps for all states of the right shape, and if that fails for a claim about reachable
// states, by a bounded search for a reachable step that breaks it.
func (d *decision) everyStepSMT(p *resolve.EveryStep) (*Result, error) {
	shapes := shape.Of(d.ctx, d.in).Conditions()
	res, err := engine.EveryStep(d.ctx, d.sys, p.From, p.Gives, p.Actions, shapes, d.smtOptions())
	if err != nil {
		return d.undecided(SMT, err)
	}
	switch {
	case res.Status == engine.Holds:
		r := d.result(Proved, SMT, "every step from every state of the right shape")
		r.Notes = append(r.Notes, "asked "+res.Solver)
		r.Vacuous = res.Empty
		if !p.All && !res.Empty {
			r.Notes = append(r.Notes, noteStep)
		}
		return r, nil
	case res.Status == engine.Unknown:
		return d.unknown(SMT, "%s", res.Reason), nil
	}
	t, err := d.stepCounterexample(&engine.StepCounterexample{From: res.Play.State, Actions: res.Play.Actions, Open: res.Play.Open})
	if err != nil {
		return nil, err
	}
	if p.All {
		r := d.result(Refuted, SMT, "a step that breaks it, from a state that need not be reachable")
		r.Trace = t
		return r, nil
	}
	return d.reachableStep(p, t)
}

func (d *decision) reachableStep(p *resolve.EveryStep, unreached *rules.Trace) (*Result, error) {
	bound := d.opt.Bound
	if bound == 0 {
		bound = defaultBound
	}
	res, err := engine.ReachStep(d.ctx, d.sys, p.From, rules.Not{X: p.Gives}, p.Actions, bound, d.smtOptions())
	if err != nil {
		return d.undecided(SMT, err)
	}
	if res.Status == engine.Fails {
		r, _, err := d.played(BMC, Refuted, res.Play)
		return r, err
	}
	r := d.bounded(res)
	r.StepCounterexample = unreached
	return r, nil
}

// finder opens a solver for listing states of the right shape.
func (d *decision) finder(keep space.Kept) (*engine.Finder, error) {
	return engine.NewFinder(d.ctx, d.sys, keep, shape.Of(d.ctx, d.in).Conditions(), maxListed, d.smtOptions())
}

// neighboursSMT computes predecessors with the solver; successors of the states that it finds are played.
func (d *decision) neighboursSMT(p *resolve.Neighbours, keep space.Kept) (*Result, error) {
	f, err := d.finder(keep)
	if err != nil {
		return d.undecided(SMT, err)
	}
	defer f.Close()
	var found []rules.State
	if p.Pre {
		found, err = f.PredecessorsOf(p.Of)
	} else {
		found, err = d.successorsOf(f, p.Of, keep)
	}
	if err != nil {
		return d.undecided(SMT, err)
	}
	r, err := d.compareSets(distinct(found), p.List, SMT, 1, keep)
	if err == nil && len(found) == 0 {
		d.subject(r, shape.Of(d.ctx, d.in), p.Of)
	}
	return r, err
}

func (d *decision) successorsOf(f *engine.Finder, of rules.Expr, keep space.Kept) ([]rules.State, error) {
	states, err := f.Matching(of)
	if err != nil {
		return nil, err
	}
	return d.oneStepFrom(states, false, keep)
}

// stepToSMT asks for a state of From with a step to a state of To.
func (d *decision) stepToSMT(p *resolve.StepTo) (*Result, error) {
	never := rules.Not{X: p.To}
	res, err := engine.EveryStep(d.ctx, d.sys, p.From, never, p.Actions, shape.Of(d.ctx, d.in).Conditions(), d.smtOptions())
	if err != nil {
		return d.undecided(SMT, err)
	}
	switch res.Status {
	case engine.Holds:
		r := d.noStep(nil, 1)
		r.Engine, r.Vacuous = SMT, false
		d.subject(r, shape.Of(d.ctx, d.in), p.From, p.To)
		return r, nil
	case engine.Unknown:
		return d.unknown(SMT, "%s", res.Reason), nil
	}
	a := res.Play.Actions[0]
	to, _, err := d.in.Do(res.Play.State, a)
	if err != nil {
		return nil, err
	}
	r := d.stepFound(oneStep(d.in, d.inst.Claim.Name, res.Play.State, interp.Step{Action: a, To: to}), 1)
	r.Engine = SMT
	return r, nil
}
