package engines

import (
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/checker/shape"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/proofs/internal/trial"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/smt/engine"
	"github.com/mancheck/mancheck/smt/solver"
)

// Limits of the symbolic engines where neither the claim nor the command line sets one.
const (
	DefaultBound = 10      // moves of a bounded search
	DefaultK     = 3       // length of an induction
	MaxListed    = 1 << 12 // states that a solver lists one by one
	maxSymbolic  = 1 << 10 // states of a set closed by solver pre-images
)

// Solver asks a solver for a decision.
type Solver struct{ *Run }

// Options are the limits of questions.
func (s Solver) Options() engine.Options {
	o := engine.Options{Solver: s.Opt.Solver, Timeout: s.Opt.SolverTimeout, Steps: s.Opt.SolverSteps, Encodings: &s.Opt.Common.encodings}
	if solver.Possible {
		o.Trial = trial.Encoding
	}
	if observe := s.Observer(s.Opt.Engine); observe != nil {
		o.Observer = func(depth int) { observe(limit.Progress{Depth: depth}) }
	}
	return o
}

// Undecided says that a solver leaves the question open; other errors are failures.
func (s Solver) Undecided(name verdict.Engine, err error) error {
	if reason := solverOpen(err); reason != nil {
		if missing := (*solver.NotInstalled)(nil); errors.As(err, &missing) {
			s.Missing = missing
		}
		return s.Unknown(name, reason)
	}
	return s.Beyond(name, err)
}

// Bounded is the verdict of a bounded search: yes if there is a play.
func (s Solver) Bounded(res *engine.Reached, err error, yes verdict.Status) (*result.Result, error) {
	switch {
	case err != nil:
		return nil, s.Undecided(verdict.BMC, err)
	case res.Status == engine.Fails:
		return s.Played(yes, verdict.BMC, res.Play)
	}
	r := s.Unknown(verdict.BMC, boundedOpen(res)).Result
	r.Stats.Depth = max(res.Depth, 0)
	r.Notes = append(r.Notes, verdict.Asked{Solver: res.Solver})
	if res.Depth >= 0 {
		r.Status, r.Bound = verdict.Bounded, res.Depth
	}
	return r, nil
}

// boundedOpen says why a bounded search ended without a play.
func boundedOpen(res *engine.Reached) verdict.Reason {
	if u := res.Unsure; u != nil {
		return verdict.SolverUnknown{Solver: u.Solver, Asked: verdict.AskedDepth, N: res.Depth + 1, Words: verdict.Words(u.Reason)}
	}
	return verdict.NoPlay.Of(res.Depth)
}

// inductionOpen says why an induction has no answer.
func inductionOpen(res *engine.Induced) verdict.Reason {
	switch u := res.Unsure; {
	case res.Base != nil:
		return boundedOpen(res.Base)
	case u != nil:
		return verdict.SolverUnknown{Solver: u.Solver, Asked: verdict.AskedInduction, N: res.K, Words: verdict.Words(u.Reason)}
	}
	return verdict.NotInductive.Of(res.K)
}

// solverOpen says why a question cannot be put to a solver; nil if that is not the error.
func solverOpen(err error) verdict.Reason {
	var missing *solver.NotInstalled
	var unsure *engine.ErrUnsure
	switch {
	case errors.As(err, &missing):
		return MissingSolver(missing)
	case errors.As(err, &unsure):
		return verdict.SolverUnknown{Solver: unsure.Solver, Words: verdict.Words(unsure.Reason)}
	case engine.Undecided(err):
		return verdict.Unfit.Says(err.Error())
	}
	return nil
}

// MissingSolver is the solver as verdicts name it.
func MissingSolver(m *solver.NotInstalled) verdict.MissingSolver {
	return verdict.MissingSolver{Program: m.Program, Help: verdict.Words(m.Help())}
}

// Played is the verdict that a play from a start gives, which a solver found.
func (s Solver) Played(status verdict.Status, name verdict.Engine, play engine.Play) (*result.Result, error) {
	r, err := s.Shown(status, name, play.Open, play.State, play.Actions)
	if err != nil {
		return nil, err
	}
	if name != verdict.BMC {
		r.Found = verdict.Play{Moves: len(play.Actions)}
	}
	r.Stats.Depth = len(play.Actions)
	return r, nil
}

// stepCounterexample plays the path that keeps an invariant from being inductive. Its first state
// need not be reachable.
func (s Solver) stepCounterexample(c engine.Play) (*rules.Trace, error) {
	on, err := s.With(c.Open)
	if err != nil {
		on = s.Run // values of no start: the path needs none
	}
	return on.Play(c.State, c.Actions)
}

// Finder opens a solver for listing states of the right shape, with a limit on the number for one
// question.
func (s Solver) Finder(keep rules.Kept, most int) (*engine.Finder, error) {
	f, err := engine.NewFinder(s.Ctx, s.Sys, keep, s.shapes(), most, s.Options())
	if err != nil {
		return nil, s.Undecided(verdict.SMT, err)
	}
	return f, nil
}

// shapes are the conditions that all states of the right shape satisfy.
func (s Solver) shapes() []rules.Expr { return shape.Of(s.Ctx, s.In).Conditions() }

// CloseBack closes the states that satisfy a goal under predecessors that a solver lists, and
// returns those that do not satisfy it, and which solver it was. It shares no construction of
// predecessors with the backward search.
func (s Solver) CloseBack(goal rules.Expr, keep rules.Kept) (list []rules.State, by string, err error) {
	if !solver.Possible {
		return nil, "", s.Undecided(verdict.SMT, &solver.NotInstalled{})
	}
	f, err := s.Finder(keep, maxSymbolic)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	c := &closing{finder: f, seen: map[string]bool{}}
	switch err := c.close(goal); {
	case err != nil:
		return nil, "", s.Undecided(verdict.SMT, err)
	case c.obstacle != nil:
		return nil, "", s.Unknown(verdict.SMT, c.obstacle)
	}
	return c.list, f.Solver(), nil
}

// closing is the growth of a closed set. obstacle says why it ended early.
type closing struct {
	finder   *engine.Finder
	list     []rules.State
	seen     map[string]bool
	obstacle verdict.Reason
}

func (c *closing) close(goal rules.Expr) error {
	starts, err := c.finder.Matching(rules.Conjunction(rules.IsStart, goal))
	if err != nil {
		return err
	}
	if len(starts) > 0 {
		c.obstacle = verdict.StartIsTarget
		return nil
	}
	next, err := c.finder.PredecessorsOf(goal)
	for err == nil && len(next) > 0 && c.obstacle == nil {
		next, err = c.level(next)
	}
	return err
}

// level adds states, and returns the predecessors of those that are new.
func (c *closing) level(states []rules.State) (next []rules.State, err error) {
	old := len(c.list)
	for _, s := range states {
		if err := c.add(s); err != nil {
			return nil, err
		}
	}
	for _, s := range c.list[old:] {
		preds, err := c.finder.Predecessors(s)
		if err != nil {
			return nil, err
		}
		next = append(next, preds...)
	}
	return next, nil
}

// add puts a new state into the set, unless it is a start.
func (c *closing) add(s rules.State) error {
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
		c.obstacle = verdict.HoldsStart
	case len(c.list) >= maxSymbolic:
		c.obstacle = verdict.ManyAncestors.Of(int(maxSymbolic))
	}
	c.list = append(c.list, s)
	return nil
}

// BadStep asks about every step from a state of the right shape that satisfies p.From: whether it
// gives what p says. The counterexample is a path of one step, from a state that need not be
// reachable.
func (s Solver) BadStep(p *build.EveryStep) (*engine.Stepped, *rules.Trace, error) {
	res, err := s.everyStep(p, s.shapes())
	switch {
	case err != nil:
		return nil, nil, s.Undecided(verdict.SMT, err)
	case res.Status == engine.Unknown:
		return nil, nil, s.Unknown(verdict.SMT, solverOpen(res.Unsure))
	case res.Status == engine.Holds:
		return res, nil, nil
	}
	t, err := s.stepCounterexample(res.Play)
	return res, t, err
}

// HoldsBare reports whether what BadStep has shown is true of any state, of the right shape or not.
func (s Solver) HoldsBare(p *build.EveryStep) bool {
	if len(s.shapes()) == 0 {
		return true
	}
	res, err := s.everyStep(p, nil)
	return err == nil && res.Status == engine.Holds
}

func (s Solver) everyStep(p *build.EveryStep, shapes []rules.Expr) (*engine.Stepped, error) {
	return engine.EveryStep(s.Ctx, s.Sys, p.From, p.Gives, p.Actions, shapes, s.Options())
}

// Induct asks whether a condition is an inductive invariant, over at most a given number of moves:
// by itself (bare), or else together with what is known of all states.
func (s Solver) Induct(inv rules.Expr, most int) (res *engine.Induced, bare bool, err error) {
	res, err = engine.Induct(s.Ctx, s.Sys, inv, nil, most, s.Options())
	bare = true
	if err == nil && res.Step != nil {
		if lemmas := s.shapes(); len(lemmas) > 0 {
			bare = false
			res, err = engine.Induct(s.Ctx, s.Sys, inv, lemmas, most, s.Options())
		}
	}
	if err != nil {
		return nil, bare, s.Undecided(verdict.Induction, err)
	}
	return res, bare, nil
}

// NotInductive is the Unknown verdict of an induction, with the path that shows why.
func (s Solver) NotInductive(res *engine.Induced) (left *Open, err error) {
	left = s.Unknown(verdict.Induction, inductionOpen(res))
	if res.Step != nil {
		left.StepCounterexample, err = s.stepCounterexample(*res.Step)
	}
	return left, err
}
