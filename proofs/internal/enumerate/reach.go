package enumerate

import (
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// Reach looks for a state that satisfies the target, within a number of moves unless that is
// negative. reachable is whether the claim says that there is one.
func (g *Graph) Reach(target rules.Expr, within int, reachable bool) (*Opinion, error) {
	if err := g.layOut(); err != nil {
		return nil, err
	}
	cond := g.in.Reader(target)
	for n := 0; n < len(g.states); n++ {
		if is, err := g.holds(cond, n); err != nil || is {
			return g.opinion(reachable), err
		}
		if err := g.play(n, within); err != nil {
			return nil, err
		}
	}
	return g.opinion(!reachable), nil
}

// EveryStep looks for a step of a reachable state for which the claim is false: one from a state
// that satisfies From, by one of Actions, to a state that does not satisfy Gives.
func (g *Graph) EveryStep(p *build.EveryStep) (*Opinion, error) {
	if err := g.explore(); err != nil {
		return nil, err
	}
	from, gives := g.in.Reader(p.From), g.in.Reader(p.Gives)
	for n := range len(g.states) {
		s := g.states[n]
		concerned, err := g.holds(from, n)
		if err != nil {
			return nil, err
		}
		for _, e := range g.steps[n] {
			if !concerned || !rules.Counts(p.Actions, e.action) {
				continue
			}
			is, err := gives.Holds(g.states[e.to], &s)
			if err != nil {
				return nil, fault(err)
			}
			if !is {
				return g.opinion(false), nil
			}
		}
	}
	return g.opinion(true), nil
}
