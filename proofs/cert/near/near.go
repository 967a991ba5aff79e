// Package near answers questions about single steps between states of the right shape, reachable or
// not. It is a second opinion on claims for which there are no certificates: the states are listed
// and played as by the certificate checker, which it shares them with.
package near

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert/internal/listing"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/proofs/cert/internal/preimage"
	"github.com/mancheck/mancheck/proofs/cert/internal/refuse"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/exec"
)

// Near answers questions about the states of one System.
//
// If parts of the states are ignored, every decision must be the same whatever they are. All
// methods fail with a *cert.NeedsSolver if something is undecided, if there are infinitely many
// states, or if there are more than the limit; and with a *cert.Rejected if a lemma is wrong.
type Near struct {
	*preimage.Steps
	ctx    context.Context
	sys    *rules.System
	reader *partial.Reader
	budget int          // states that may still be visited
	tries  int          // that one listing may take
	ways   func() error // finds the ways of the actions, once; or why they cannot be listed
}

// New returns a Near for states of sys, of which only some parts matter. The lemmas define the
// right shape: a state that a lemma calls a start must be one. states bounds the states visited,
// and tries the possibilities tried in one listing.
func New(ctx context.Context, sys *rules.System, parts rules.Kept, lemmas []rules.StartOnly, states, tries int) (*Near, error) {
	steps := &preimage.Steps{Machine: partial.New(ctx, sys), Kept: parts.SpelledOut(sys), Lemmas: lemmas}
	n := &Near{
		Steps: steps, ctx: ctx, sys: sys, reader: steps.Machine.Reader(), budget: states, tries: tries,
		ways: sync.OnceValue(func() error { return steps.FindWays(ctx) }),
	}
	if !n.all() && reactionsSet(sys) {
		return nil, refuse.Open("what is done after a move sets variables or goes on, and parts of the states are left out")
	}
	if len(lemmas) == 0 {
		return n, nil
	}
	if err := n.ways(); err != nil {
		return nil, err
	}
	return n, n.CheckLemmas()
}

// all reports whether all parts are kept.
func (n *Near) all() bool {
	return n.Kept.All() && rules.Parts{Vars: n.Kept.Over}.All()
}

// reactionsSet reports whether a reaction may run into a fault, or the game may go on after one.
// Then the parts of a state that are left out may matter.
func reactionsSet(sys *rules.System) bool {
	for _, by := range sys.EachReaction() {
		if by.GoesOn() {
			return true
		}
		for _, s := range by.Body[:len(by.Body)-1] {
			if t, moves := s.(rules.Transfer); !moves || t.Count != nil {
				return true
			}
		}
	}
	return false
}

// unsure turns an error of play with unknown parts into a *NeedsSolver.
func unsure(err error) error {
	if errors.As(err, new(*partial.Unknown)) || errors.As(err, new(*partial.Fault)) {
		return refuse.Open("a step %v", err)
	}
	return refuse.Unlisted(err, "states that the claim is about")
}

// holds evaluates a condition of a claim, which must have the same value whatever is unknown.
func (n *Near) holds(x *exec.Expr, s partial.State, old *partial.State) (bool, error) {
	v, err := n.reader.Eval(x, s, old)
	if err != nil {
		return false, unsure(err)
	}
	holds, decided := v.Holds()
	if !decided {
		return false, refuse.Open("the claim depends on %s", v.Of)
	}
	return holds, nil
}

// inShape reports whether s is of the right shape: no lemma calls it a start, or it is one.
func (n *Near) inShape(s partial.State) (bool, error) {
	for _, l := range n.Lemmas {
		v, known := s.Vars[l.Var].Is()
		if !s.Live() || !n.Kept.Vars[l.Var] || known && v != l.Value {
			continue
		}
		is, err := n.Machine.IsStart(s)
		if err != nil {
			return false, unsure(err)
		}
		start, decided := is.Holds()
		if !decided {
			return false, refuse.Open("whether a state is a start cannot be decided")
		}
		return start, nil
	}
	return true, nil
}

// matching calls yield for the states that satisfy a condition, or only for the live ones.
func (n *Near) matching(x rules.Expr, live bool, yield func(partial.State) error) error {
	cond := exec.ReadExpr(x)
	for _, l := range listing.Targets(n.Machine, n.Kept, x, n.tries) {
		if live && !l.Base.Live() {
			break // the live ones come first
		}
		err := l.Each(n.ctx, func(s partial.State) error {
			if is, err := n.holds(cond, s, nil); err != nil || !is {
				return err
			}
			if is, err := n.inShape(s); err != nil || !is {
				return err
			}
			return yield(s)
		})
		if err != nil {
			return unsure(err)
		}
	}
	return nil
}

// visit counts a visited state against the budget.
func (n *Near) visit() error {
	if n.budget--; n.budget < 0 {
		return refuse.Open("there are more states than the budget has")
	}
	return n.ctx.Err()
}

// step is a step from one state to another.
type step struct {
	action   int
	from, to partial.State
}

// forward calls yield for the steps from live states that satisfy a condition.
func (n *Near) forward(from rules.Expr, yield func(step) error) error {
	return n.matching(from, true, func(s partial.State) error {
		if err := n.visit(); err != nil {
			return err
		}
		for action := range n.sys.Actions {
			to, legal, err := n.Machine.Player().Sure(s, action)
			if err != nil {
				return unsure(err)
			}
			if legal {
				if err := yield(step{action, s, to}); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// backward calls yield for the steps into the states that satisfy a condition.
func (n *Near) backward(to rules.Expr, yield func(step) error) error {
	seen := map[string]bool{}
	return n.matching(to, false, func(t partial.State) error {
		key, err := n.Machine.Key(t, n.Kept)
		if err != nil || seen[key] {
			return err
		}
		seen[key] = true
		return n.into(n.state(t), yield)
	})
}

// into calls yield for the steps into one state. It undoes actions or, if that is impossible, plays
// from all states with as many seeds.
func (n *Near) into(t rules.State, yield func(step) error) error {
	if err := n.visit(); err != nil {
		return err
	}
	var steps []step
	// Steps are collected first, because undoing may fail after some of them.
	collect := func(s step) error { steps = append(steps, s); return nil }
	err := n.undone(t, collect)
	if errors.As(err, new(*refuse.NeedsSolver)) && n.all() {
		steps = nil
		err = n.tried(t, collect)
	}
	if err != nil {
		return err
	}
	for _, s := range steps {
		if err := yield(s); err != nil {
			return err
		}
	}
	return nil
}

// undone finds the steps into t by undoing each action along each of its ways.
func (n *Near) undone(t rules.State, yield func(step) error) error {
	if err := n.ways(); err != nil {
		return err
	}
	g := n.Search()
	g.Each = func(s partial.State, _ []byte) error { return n.leads(g, s.Clone(), yield) }
	return unsure(g.Into(t))
}

// tried finds the steps into t by playing all actions from all live states with as many seeds,
// since no step changes their number.
func (n *Near) tried(t rules.State, yield func(step) error) error {
	sum := rules.Sum{Pits: num.Run(0, len(n.sys.Pits))}
	alike := rules.Binary{Op: rules.Eq, L: sum, R: rules.Const{Value: t.Total()}}
	g := n.Search()
	g.To = t
	return n.matching(alike, true, func(s partial.State) error {
		for g.Action = range n.sys.Actions {
			if err := n.leads(g, s.Clone(), yield); err != nil { // the listing overwrites s
				return err
			}
		}
		return n.ctx.Err()
	})
}

// leads calls yield with the step from s by the action of a search, if it leads to the state of
// that.
func (n *Near) leads(g *preimage.Search, s partial.State, yield func(step) error) error {
	if is, err := n.inShape(s); err != nil || !is {
		return err
	}
	to, legal, err := n.Machine.Player().Sure(s, g.Action)
	if err != nil {
		return unsure(err)
	}
	if !legal || g.Elsewhere(to) {
		return n.ctx.Err()
	}
	if _, err := n.Machine.Key(to, n.Kept); err != nil {
		return unsure(err)
	}
	return yield(step{g.Action, s, to})
}

// state returns s with the parts that are kept. The others have the values of an empty board.
func (n *Near) state(s partial.State) rules.State { return n.Kept.Project(n.sys, s.Numbers()) }

// collection is a set of states without duplicates, in the order in which they were found.
type collection struct {
	*Near
	seen   map[string]bool
	states []partial.State
}

// add adds s unless it is there already, and reports whether it was new.
func (c *collection) add(s partial.State) (bool, error) {
	key, err := c.Machine.Key(s, c.Kept)
	if err != nil {
		return false, unsure(err)
	}
	if c.seen[key] {
		return false, nil
	}
	c.seen[key] = true
	c.states = append(c.states, s.Clone())
	return true, c.visit()
}

// Neighbours returns the states one step before or after those of a claim, and reports whether they
// are the states that the claim lists.
func (n *Near) Neighbours(p *build.Neighbours) (found []rules.State, holds bool, err error) {
	c := collection{Near: n, seen: map[string]bool{}}
	if p.Pre {
		err = n.backward(p.Of, func(s step) error { _, err := c.add(s.from); return err })
	} else {
		err = n.forward(p.Of, func(s step) error { _, err := c.add(s.to); return err })
	}
	if err != nil {
		return nil, false, err
	}
	found = lists.Map(c.states, n.state)
	holds, err = build.EachListed(p.List, len(c.states), func(x rules.Expr, i int) (bool, error) { return n.holds(exec.ReadExpr(x), c.states[i], nil) })
	return found, holds, err
}

// errThere ends a search that has found a step.
var errThere = errors.New("there is such a step")

// exists looks for a step by one of the actions from a state that satisfies from to one that
// satisfies to, starting from whichever side can be listed. Only from the first side may to refer
// to the state before.
func (n *Near) exists(actions []bool, from, to rules.Expr) (bool, error) {
	before, after := exec.ReadExpr(from), exec.ReadExpr(to)
	ask := func(s step) error {
		if !rules.Counts(actions, s.action) {
			return nil
		}
		is, err := n.holds(before, s.from, nil)
		if err == nil && is {
			is, err = n.holds(after, s.to, &s.from)
		}
		if err == nil && is {
			err = errThere
		}
		return err
	}
	err := n.forward(from, ask)
	if errors.As(err, new(*refuse.NeedsSolver)) && !rules.HasA[rules.Old](to) {
		err = n.backward(to, ask)
	}
	if errors.Is(err, errThere) {
		return true, nil
	}
	return false, err
}

// StepTo reports whether a claim about a single step holds.
func (n *Near) StepTo(p *build.StepTo) (bool, error) {
	is, err := n.exists(p.Actions, p.From, p.To)
	return is != p.Not, err
}

// EveryStep reports whether a claim about all steps holds. It must be about all states.
func (n *Near) EveryStep(p *build.EveryStep) (bool, error) {
	if !p.All {
		return false, refuse.Open("the claim is about reachable states")
	}
	is, err := n.exists(p.Actions, p.From, rules.Not{X: p.Gives})
	return !is, err
}

// Ancestors counts the states outside Of from which a play leads into it, among those that satisfy
// Where.
func (n *Near) Ancestors(p *build.Count) (int, error) {
	if p.Set != build.CountAncestors {
		return 0, fmt.Errorf("internal error: a count of other states")
	}
	c := collection{Near: n, seen: map[string]bool{}}
	number, of, where := 0, exec.ReadExpr(p.Of), exec.ReadExpr(p.Where)
	add := func(s step) error {
		isNew, err := c.add(s.from)
		if err != nil || !isNew {
			return err
		}
		in, err := n.holds(of, s.from, nil)
		if err != nil || in {
			return err
		}
		is, err := n.holds(where, s.from, nil)
		if is {
			number++
		}
		return err
	}
	if err := n.backward(p.Of, add); err != nil {
		return 0, err
	}
	// c.states grows in this loop, which ends when no state has new predecessors.
	for i := 0; i < len(c.states); i++ {
		if err := n.into(n.state(c.states[i]), add); err != nil {
			return 0, err
		}
	}
	return number, nil
}
