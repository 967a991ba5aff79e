package proofs

import (
	"errors"
	"fmt"
	"time"

	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/proofs/internal/trial"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
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
	o := engine.Options{Solver: d.opt.Solver, Timeout: d.opt.SolverTimeout, Steps: d.opt.SolverSteps, Trial: trial.Encoding, Encodings: &d.opt.Common.encodings}
	if d.opt.Observer != nil {
		o.Observer = func(depth int) { d.observe(Progress{Engine: d.opt.Engine, Depth: depth}) }
	}
	return o
}

// shortTime is how long the solver may take for a question while there are searches to come that
// may be done in seconds.
const shortTime = 5 * time.Second

// shortly is the decision with little time for each question to the solver. Where its work is
// limited instead, verdicts must not depend on time.
func (d *decision) shortly() *decision {
	if d.opt.SolverSteps > 0 || d.opt.SolverTimeout > 0 && d.opt.SolverTimeout <= shortTime {
		return d
	}
	short := *d
	short.opt.SolverTimeout = shortTime
	return &short
}

// undecided says that a solver leaves the question open; other errors are failures.
func (d *decision) undecided(name Engine, err error) error {
	if reason := solverOpen(err); reason != nil {
		if missing := (*solver.NotInstalled)(nil); errors.As(err, &missing) {
			*d.missing = missing
		}
		return d.unknown(name, reason)
	}
	return d.beyond(name, err)
}

// bounded is the verdict of a bounded search without a counterexample.
func (d *decision) bounded(res *engine.Reached) *Result {
	r := d.unknown(BMC, boundedOpen(res)).Result
	r.Stats.Depth = max(res.Depth, 0)
	r.Notes = append(r.Notes, asked(res.Solver))
	if res.Depth >= 0 {
		r.Status, r.Bound = Bounded, res.Depth
	}
	return r
}

// asked notes which solver was.
func asked(solver string) verdict.Note { return verdict.Asked{Solver: solver} }

// boundedOpen says why a bounded search ended without a play.
func boundedOpen(res *engine.Reached) verdict.Reason {
	if u := res.Unsure; u != nil {
		return verdict.SolverUnknown{Solver: u.Solver, Asked: verdict.AskedDepth, N: res.Depth + 1, Words: verdict.Words(u.Reason)}
	}
	return verdict.NoPlay{Moves: res.Depth}
}

// inductionOpen says why an induction has no answer.
func inductionOpen(res *engine.Induced) verdict.Reason {
	switch u := res.Unsure; {
	case res.Base != nil:
		return boundedOpen(res.Base)
	case u != nil:
		return verdict.SolverUnknown{Solver: u.Solver, Asked: verdict.AskedInduction, N: res.K, Words: verdict.Words(u.Reason)}
	}
	return verdict.NotInductive{K: res.K}
}

// solverOpen says why a question cannot be put to a solver; nil if that is not the error.
func solverOpen(err error) verdict.Reason {
	var missing *solver.NotInstalled
	var unsure *engine.ErrUnsure
	switch {
	case errors.As(err, &missing):
		return missingSolver(missing)
	case errors.As(err, &unsure):
		return verdict.SolverUnknown{Solver: unsure.Solver, Words: verdict.Words(unsure.Reason)}
	case engine.Undecided(err):
		return verdict.Obstacle{Is: verdict.NotEncodable, Words: verdict.Words(err.Error())}
	}
	return nil
}

func missingSolver(m *solver.NotInstalled) verdict.MissingSolver {
	return verdict.MissingSolver{Program: m.Program, Help: verdict.Words(m.Help())}
}

// played is the verdict that a play from a start gives, which a solver found.
func (d *decision) played(s Status, name Engine, play engine.Play) (*Result, error) {
	r, err := d.shown(s, name, play.Open, play.State, play.Actions)
	if err != nil {
		return nil, err
	}
	if name != BMC {
		r.Found = verdict.Play{Moves: len(play.Actions)}
	}
	r.Stats.Depth = len(play.Actions)
	return r, nil
}

// stepCounterexample plays the path that keeps an invariant from being inductive. Its first state
// need not be reachable.
func (d *decision) stepCounterexample(c *engine.StepCounterexample) (*rules.Trace, error) {
	on, err := d.with(c.Open)
	if err != nil {
		on = d // values of no start: the path needs none
	}
	return on.play(c.From, c.Actions)
}

// finder opens a solver for listing states of the right shape, at most so many for a question.
func (d *decision) finder(keep space.Kept, most int) (*engine.Finder, error) {
	f, err := engine.NewFinder(d.ctx, d.sys, keep, d.shapes(), most, d.smtOptions())
	if err != nil {
		return nil, d.undecided(SMT, err)
	}
	return f, nil
}

// shapes are the conditions that all states of the right shape satisfy.
func (d *decision) shapes() []rules.Expr { return shape.Of(d.ctx, d.in).Conditions() }

// closing is the growth of a set of states under predecessors that a solver lists. It shares no
// construction of predecessors with the backward search. met says why it ended early.
type closing struct {
	*decision
	finder *engine.Finder
	list   []rules.State
	seen   map[string]bool
	met    verdict.Reason
}

func (c *closing) close(goal rules.Expr) error {
	starts, err := c.finder.Matching(rules.Conjunction(rules.IsStart, goal))
	if err != nil {
		return err
	}
	if len(starts) > 0 {
		c.met = verdict.StartIs{Target: true}
		return nil
	}
	first, err := c.finder.PredecessorsOf(goal)
	if err != nil {
		return err
	}
	for next := first; len(next) > 0 && c.met == nil; {
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
		c.met = verdict.HoldsStart{}
	case len(c.list) >= maxSymbolic:
		c.met = verdict.TooMany{Of: verdict.Ancestors, Most: maxSymbolic}
	}
	c.list = append(c.list, s)
	*level = append(*level, s)
	return nil
}

// badStep asks about every step from a state of the right shape that satisfies p.From: whether it
// gives what p says. The counterexample is a path of one step, from a state that need not be
// reachable.
func (d *decision) badStep(p *resolve.EveryStep) (*engine.Stepped, *rules.Trace, error) {
	res, err := engine.EveryStep(d.ctx, d.sys, p.From, p.Gives, p.Actions, d.shapes(), d.smtOptions())
	switch {
	case err != nil:
		return nil, nil, d.undecided(SMT, err)
	case res.Status == engine.Unknown:
		return nil, nil, d.unknown(SMT, solverOpen(res.Unsure))
	case res.Status == engine.Holds:
		return res, nil, nil
	}
	t, err := d.stepCounterexample(&engine.StepCounterexample{From: res.Play.State, Actions: res.Play.Actions, Open: res.Play.Open})
	return res, t, err
}
