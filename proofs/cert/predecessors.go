package cert

import (
	"context"
	"fmt"

	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules"
)

// allPredecessors shows that every step into the set begins in the set or in an excluded state.
//
// A step goes one of the ways of its action. A way has the variables that it depends on and those
// that it sets, the pit that is sown from, and the pits along which it is sown. The number of seeds
// is bounded by what is there afterwards. So the states in which the step may begin can be listed.
// Those outside the set are played forward, and must not lead into it.
func (b *backwardSet) allPredecessors(ctx context.Context) error {
	tried := 0
	for i, t := range b.states {
		for action, ways := range b.ways {
			back := &goingBack{backwardSet: b, ctx: ctx, number: i + 1, to: t, action: action, seen: map[string]bool{}}
			back.each = back.isIn
			for _, w := range ways {
				if err := back.along(w); err != nil {
					return err
				}
			}
			tried += len(back.seen)
		}
	}
	b.report.checked("states from which a step into the set might begin, all in the set or without such a step", tried)
	return nil
}

// goingBack lists the states from which one action may lead to one state of the set.
type goingBack struct {
	*backwardSet
	ctx    context.Context
	number int // index of the state plus 1, for messages
	to     rules.State
	action int
	seen   map[string]bool
	each   func(s partial.State, key string) error // called once for each state
}

// along goes back along one way, if it may end in the state.
func (g *goingBack) along(w partial.Way) error {
	if !g.mayEnd(w) {
		return nil
	}
	if w.Hard != "" {
		return &NeedsSolver{fmt.Sprintf("the move `%s` %s on a way to state %d of the set", g.sys.ActionName(g.action), w.Hard, g.number)}
	}
	s := g.m.Blank(g.sys.Actions[g.action].Mover)
	if w.Plan == nil {
		return g.from(w, s, g.to.Seeds)
	}
	err := w.Plan.Undo(g.to.Seeds, g.kept.Pits, func(seeds []int) error { return g.from(w, s, seeds) })
	if intricate, is := err.(*partial.Intricate); is {
		return &NeedsSolver{fmt.Sprintf("the move `%s` %s", g.sys.ActionName(g.action), intricate.Reason)}
	}
	return err
}

// mayEnd reports whether a way may end in the state.
func (g *goingBack) mayEnd(w partial.Way) bool {
	if w.Mover != g.to.Mover || w.Outcome != g.to.Outcome {
		return false
	}
	for v, kept := range g.kept.VarsOf(g.to.Outcome) {
		if kept && !w.MayLeave(v, g.to.Vars[v]) {
			return false
		}
	}
	return true
}

// from puts seeds into the kept pits of s, and goes on with the variables.
func (g *goingBack) from(w partial.Way, s partial.State, seeds []int) error {
	for p, kept := range g.kept.Pits {
		if kept {
			s.Seeds[p] = partial.Known(seeds[p])
		}
	}
	return g.variables(w, s, 0)
}

// variables tries, for the kept variables from v on, all values that they may have had.
func (g *goingBack) variables(w partial.Way, s partial.State, v int) error {
	for v < len(s.Vars) && !g.kept.Vars[v] {
		v++
	}
	if v == len(s.Vars) {
		return g.candidate(s)
	}
	for _, n := range g.values(w, v) {
		s.Vars[v] = partial.Known(n)
		if err := g.variables(w, s, v+1); err != nil {
			return err
		}
	}
	return nil
}

// values lists the values that variable v may have had before the way.
func (g *goingBack) values(w partial.Way, v int) []int {
	if n, known := w.Before[v].Is(); known {
		return []int{n}
	}
	if !w.Assigned[v] && g.kept.VarsOf(g.to.Outcome)[v] {
		return []int{g.to.Vars[v]}
	}
	return g.sys.Vars[v].Domain
}

// candidate passes on a state from which the step may begin, the first time that it is found.
func (g *goingBack) candidate(s partial.State) error {
	key, err := g.m.Key(s, g.kept)
	if err != nil || g.seen[key] {
		return err
	}
	g.seen[key] = true
	return g.each(s, key)
}

// isIn fails if s is not in the set, not excluded, and has a step to the state.
func (g *goingBack) isIn(s partial.State, key string) error {
	if g.member[key] > 0 || g.excluded(s) {
		return g.ctx.Err()
	}
	to, legal, err := g.m.Do(s, g.action)
	if err != nil {
		return leftOut(err, "the move `%s` from %s", g.sys.ActionName(g.action), g.m.Text(s))
	}
	if !legal || g.elsewhere(to) {
		return g.ctx.Err()
	}
	if _, err := g.m.Key(to, g.kept); err != nil {
		return leftOut(err, "the move `%s` from %s", g.sys.ActionName(g.action), g.m.Text(s))
	}
	return reject("the set is not closed: the move `%s` leads from %s, which is not in it, to its state %d %s",
		g.sys.ActionName(g.action), g.m.Text(s), g.number, g.m.Text(to))
}

// elsewhere reports whether s certainly differs from the state that is looked for.
func (g *goingBack) elsewhere(s partial.State) bool {
	if s.Mover != g.to.Mover || s.Outcome != g.to.Outcome {
		return true
	}
	for p, kept := range g.kept.Pits {
		if kept && !s.Seeds[p].Has(g.to.Seeds[p]) {
			return true
		}
	}
	for v, kept := range g.kept.VarsOf(s.Outcome) {
		if kept && !s.Vars[v].Has(g.to.Vars[v]) {
			return true
		}
	}
	return false
}
