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
	back := b.goBack(ctx)
	back.each = back.isIn
	if err := back.everywhere(func() { tried += len(back.seen) }); err != nil {
		return err
	}
	b.report.checked("states from which a step into the set might begin, all in the set or without such a step", tried)
	return nil
}

// goingBack lists the states from which one action may lead to one state of the set, for one action
// and state after another.
type goingBack struct {
	*backwardSet
	ctx    context.Context
	number int // index of the state plus 1, for messages
	to     rules.State
	action int
	seen   map[string]bool
	each   func(s partial.State, key []byte) error // called once for each state, which it may not keep

	// Of the state that is listed. What is not kept is never known.
	from   partial.State
	key    []byte
	undo   partial.Undoing
	player *partial.Player
}

// goBack returns what lists states for one goroutine.
func (b *backwardSet) goBack(ctx context.Context) *goingBack {
	return &goingBack{backwardSet: b, ctx: ctx, from: b.m.Blank(rules.None), seen: map[string]bool{}, player: b.m.Player()}
}

// everywhere goes back from all states of the set, by all actions, and calls then after each.
func (g *goingBack) everywhere(then func()) error {
	for i, t := range g.states {
		g.number = i + 1
		if err := g.into(t, then); err != nil {
			return err
		}
	}
	return nil
}

// into goes back from one state.
func (g *goingBack) into(t rules.State, then func()) error {
	g.to = t
	for action, ways := range g.ways {
		g.begin(action)
		for _, w := range ways {
			if err := g.along(w); err != nil {
				return err
			}
		}
		then()
	}
	return nil
}

// begin begins to list the states from which an action may lead to g.to.
func (g *goingBack) begin(action int) {
	g.action, g.from.Mover = action, g.sys.Actions[action].Mover
	if len(g.seen) > 0 {
		g.seen = map[string]bool{}
	}
}

// along goes back along one way, if it may end in the state.
func (g *goingBack) along(w partial.Way) error {
	if !g.mayEnd(w) {
		return nil
	}
	if w.Hard != "" {
		return &NeedsSolver{fmt.Sprintf("the move `%s` %s on a way to state %d of the set", g.sys.ActionName(g.action), w.Hard, g.number)}
	}
	if w.Plan == nil {
		return g.seeds(w, g.to.Seeds)
	}
	err := g.undo.Undo(w.Plan, g.to.Seeds, g.kept.Pits, func(seeds []int) error { return g.seeds(w, seeds) })
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

// seeds puts seeds into the kept pits, and goes on with the variables.
func (g *goingBack) seeds(w partial.Way, seeds []int) error {
	for p, kept := range g.kept.Pits {
		if kept {
			g.from.Seeds[p] = partial.Known(seeds[p])
		}
	}
	return g.variables(w, 0)
}

// variables tries, for the kept variables from v on, all values that they may have had.
func (g *goingBack) variables(w partial.Way, v int) error {
	for v < len(g.from.Vars) && !g.kept.Vars[v] {
		v++
	}
	if v == len(g.from.Vars) {
		return g.candidate()
	}
	for _, n := range g.values(w, v) {
		g.from.Vars[v] = partial.Known(n)
		if err := g.variables(w, v+1); err != nil {
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

// candidate passes on the state from which the step may begin, the first time that it is found.
func (g *goingBack) candidate() error {
	key, err := g.m.AppendKey(g.key[:0], g.from, g.kept)
	if err != nil {
		return err
	}
	if g.key = key; g.seen[string(key)] {
		return nil
	}
	g.seen[string(key)] = true
	return g.each(g.from, key)
}

// isIn fails if s is not in the set, not excluded, and has a step to the state.
func (g *goingBack) isIn(s partial.State, key []byte) error {
	if g.member[string(key)] > 0 {
		return g.ctx.Err()
	}
	if g.excluded(s) {
		if g.spared != nil {
			g.spared(s, g.action)
		}
		return g.ctx.Err()
	}
	to, legal, err := g.player.Do(s, g.action)
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
