package insertion

import (
	"slices"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/family"
)

// Check checks all conditions. goals are the outcomes that the set is to keep from being reached.
func Check(sys *rules.System, set Set, seams []family.Seam, goals []int) error {
	c := &checking{sys: sys, set: set, seams: seams}
	for v := range sys.Vars {
		x := &sys.Vars[v]
		if x.Type == rules.PitType && slices.ContainsFunc(x.Domain, c.atSeam) {
			c.moving = append(c.moving, v)
		}
	}
	for _, part := range []func(){c.board, c.states, c.starts, func() { c.targets(goals) }, c.actions, c.reactions} {
		if part(); c.err != nil {
			return c.err
		}
	}
	return nil
}

// starts checks that no start is in the set, on whatever board: each has seeds in a pit that is
// empty in all states of the set. Reactions move no seeds.
func (c *checking) starts() {
	for _, x := range rules.Conjuncts(c.sys.Start.Cond) {
		b, is := x.(rules.Binary)
		if !is {
			continue
		}
		k, is := b.R.(rules.Const)
		p, single := rules.SeedsOf(b.L)
		full := is && (b.Op == rules.Ge && k.Value >= 1 || b.Op == rules.Gt && k.Value >= 0 || b.Op == rules.Eq && k.Value >= 1)
		if full && single && c.set.Pits[p] && !slices.ContainsFunc(c.set.States, func(s rules.State) bool { return s.Seeds[p] != 0 }) {
			return
		}
	}
	c.refuse("the setup (line %d) asks for seeds in no single pit that is empty in all states of the set", c.sys.Start.At.Start.Line)
}

// targets checks that all states with one of the outcomes are in the set, on whatever board: the
// game ends so only if all kept pits are empty, and that state is in the set.
func (c *checking) targets(goals []int) {
	for _, goal := range goals {
		if !slices.ContainsFunc(c.set.States, func(s rules.State) bool { return s.Outcome == goal && c.empty(s) }) {
			c.refuse("the empty board with the outcome `%s` is not in the set", c.sys.OutcomeName(goal))
		}
		for i, a := range c.sys.Actions {
			if rules.EffectsOf(a.Body).MayEnd(c.sys, goal) {
				c.refuse("the move `%s` (line %d) may itself end the game as `%s`", c.sys.ActionName(i), c.sys.Moves[a.Move].At.Start.Line, c.sys.OutcomeName(goal))
			}
		}
		for _, r := range c.sys.Reactions {
			for _, by := range r.By {
				if rules.EffectsOf(by.Body).MayEnd(c.sys, goal) && !c.onlyEmpty(by) {
					c.refuse("the game may end as `%s` (line %d) while there are seeds on the board", c.sys.OutcomeName(goal), r.At.Start.Line)
				}
			}
		}
	}
}

// empty reports whether all kept pits of a state are empty.
func (c *checking) empty(s rules.State) bool {
	return !slices.ContainsFunc(lists.Set(c.set.Pits), func(p int) bool { return s.Seeds[p] != 0 })
}

// onlyEmpty reports whether an ending does nothing but end the game, and only if all kept pits are
// empty.
func (c *checking) onlyEmpty(by rules.ReactionFor) bool {
	if _, plain := by.Plain(); !plain {
		return false
	}
	return slices.ContainsFunc(rules.Conjuncts(by.When), func(x rules.Expr) bool {
		b, is := x.(rules.Binary)
		sum, isSum := b.L.(rules.Sum)
		k, isConst := b.R.(rules.Const)
		return is && b.Op == rules.Eq && isSum && isConst && k.Value == 0 &&
			!slices.ContainsFunc(lists.Set(c.set.Pits), func(p int) bool { return !slices.Contains(sum.Pits, p) })
	})
}
