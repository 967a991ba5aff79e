package backward

import (
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/slice/possible"
	"github.com/mancheck/mancheck/rules"
)

// candidates makes states from which one action may lead to the target, and keeps those from which
// it does.
type candidates struct {
	*inverse
	action *action
	target rules.State // with ignored parts empty
	work   *pack.Flat  // the current guess: copying the target for each would dominate the running time
	set    []bool      // variables that a reaction may set on the way to the target
	found  []Pred
}

// construct goes back along all ways of the action.
func (c *candidates) construct() error {
	for _, w := range c.action.ways {
		if !c.leadsTo(w, c.target.Outcome) || !c.fits(w) {
			continue
		}
		if w.hard != "" {
			return c.action.hard(w.hard)
		}
		if err := c.back(w); err != nil {
			return err
		}
	}
	return nil
}

// fits reports whether the variables of the target may have their values at the end of w.
func (c *candidates) fits(w way) bool {
	for x := range c.sys.Vars {
		if c.keep.HasVar(x) && !c.set[x] && !w.env.Var(x).Has(c.target.Vars[x]) {
			return false
		}
	}
	return true
}

// back undoes the seed moves of a way.
func (c *candidates) back(w way) error {
	g := guess{candidates: c, state: c.start(), assigned: either(w.assigned, c.set)}
	if w.sowing == noSowing {
		return g.values(nil)
	}
	for _, p := range c.action.plans[w.sowing] {
		g.state = c.start()
		if err := g.unsow(p); err != nil {
			return err
		}
	}
	return nil
}

// start returns the target as it was before the action, except for seeds and variables that
// changed.
func (c *candidates) start() rules.State {
	c.work.Set(c.target)
	c.work.Mover, c.work.Outcome = c.action.mover, rules.Live
	return c.work.View(c.sys)
}

// distinct returns the states found, each once.
func (c *candidates) distinct() []Pred {
	slices.SortFunc(c.found, func(p, q Pred) int { return p.State.Compare(q.State) })
	return slices.CompactFunc(c.found, func(p, q Pred) bool { return p.State.Equal(q.State) })
}

// guess is a candidate under construction.
type guess struct {
	*candidates
	state    rules.State // a view of work
	assigned []bool      // variables that may have had another value before
}

// unsow tries all numbers of seeds with which the plan may have been executed. All seeds but the
// last fall into the same pits for any number, so once they exceed those in the target, more seeds
// exceed them as well.
func (g *guess) unsow(p *plan) error {
	at, idle := p.first, 0
	for seeds := 1; ; seeds++ {
		if err := g.ctx.Err(); err != nil {
			return err
		}
		if err := g.last(p, at, seeds); err != nil {
			return err
		}
		pit := p.place(at, false)
		if pit == rules.None || !g.lift(pit, 1) {
			return nil
		}
		if idle++; g.keep.HasPit(pit) {
			idle = 0
		}
		if idle > len(p.lap.Pits)+1 {
			return g.action.hard("sows any number of seeds into pits that do not matter")
		}
		at = p.lap.Next[pit]
	}
}

// last undoes the last of the given number of seeds, which fell into at or a pit behind it. The pit
// sown from was empty after its seeds were taken: all seeds now in it must have fallen into it.
func (g *guess) last(p *plan, at, seeds int) error {
	pit := p.place(at, true)
	if pit == rules.None || !g.lift(pit, 1) {
		return nil
	}
	defer g.lift(pit, -1)
	if g.state.Seeds[p.source] != 0 {
		return nil
	}
	g.state.Seeds[p.source] = seeds
	defer func() { g.state.Seeds[p.source] = 0 }()
	return g.values(p.ties)
}

// lift takes seeds out of a pit, if the pit is kept, and reports whether there were enough.
func (g *guess) lift(pit, seeds int) bool {
	if !g.keep.HasPit(pit) {
		return true
	}
	if g.state.Seeds[pit] < seeds {
		return false
	}
	g.state.Seeds[pit] -= seeds
	return true
}

// values tries all values that variables may have had before the action, and confirms each
// candidate.
func (g *guess) values(ties []tie) error {
	options := make([][]int, len(g.assigned))
	for x := range options {
		options[x] = g.options(x)
	}
	for _, t := range ties {
		if !slices.Contains(options[t.variable], t.value) {
			return nil
		}
		options[t.variable] = []int{t.value}
	}
	if many(options) {
		return g.action.hard("sets more variables than can be tried out")
	}
	return choose(options, g.state.Vars, g.confirm)
}

// options lists the values that a variable may have had before.
func (g *guess) options(x int) []int {
	before, now := g.action.before.Var(x), g.state.Vars[x]
	switch {
	case !g.keep.HasVar(x):
		return []int{now}
	case !g.assigned[x]:
		return before.Intersect(possible.Of(now)).Values
	case before.Any:
		return g.sys.Vars[x].Domain
	}
	return before.Values
}

// confirm keeps the state if the action leads from it to the target, and it may be a state in play.
func (g *guess) confirm() error {
	to, legal, err := g.do(g.action, g.work)
	if err != nil || !legal || !agree(g.keep, to.View(g.sys), g.target) {
		return err
	}
	inPlay, err := g.shape.Allows(g.state, g.keep)
	if inPlay {
		g.found = append(g.found, Pred{State: g.state.Clone(), Action: g.action.index})
	}
	return err
}
