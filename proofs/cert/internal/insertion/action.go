package insertion

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/family"
)

// actions checks all actions.
func (c *checking) actions() {
	for i := range c.sys.Actions {
		a := &c.sys.Actions[i]
		w := where{"the move `" + c.sys.ActionName(i) + "`", c.sys.Moves[a.Move].At.Start.Line, c.own(a)}
		if a.Fallback {
			c.at(w, "is made only if there is no other")
		}
		if len(a.Locals) > 0 {
			c.at(w, "keeps a value under a name of its own")
		}
		c.expr(a.Guard, w)
		c.body(a.Body, w)
		for _, v := range c.moving {
			if !c.knows(a, v) {
				c.at(w, "may be made whatever `%s` is: it neither asks for one value nor sows from it first", c.sys.Vars[v].Name)
			}
		}
		if w.own != rules.None {
			c.template(a, w)
		}
	}
}

// own returns the pit of a seam that an action names, or None. There is such an action for each pit
// of the stretch.
func (c *checking) own(a *rules.Action) int {
	for _, s := range c.seams {
		for _, p := range []int{s.X, s.Y} {
			if family.Names(a.Guard, p) || family.BodyNames(a.Body, p) {
				return p
			}
		}
	}
	return rules.None
}

// knows reports whether an action has no step if a variable names an inserted pit, which is empty:
// it asks for another value, or sows from it first.
func (c *checking) knows(a *rules.Action, v int) bool {
	if len(a.Body) > 0 {
		if s, is := a.Body[0].(rules.Sow); is && rules.IsFixed(s.Source, rules.VarCell, v) {
			return true
		}
	}
	return slices.ContainsFunc(rules.Conjuncts(a.Guard), func(x rules.Expr) bool {
		b, is := x.(rules.Binary)
		if !is || b.Op != rules.Eq {
			return false
		}
		for _, side := range [][2]rules.Expr{{b.L, b.R}, {b.R, b.L}} {
			k, is := side[1].(rules.Const)
			if is && rules.IsFixed(side[0], rules.VarCell, v) && !c.atSeam(k.Value) {
				return true
			}
		}
		return false
	})
}

// template checks an action that there is for each pit of a stretch. That of an inserted pit has no
// step into the set that another action has not as well: it sows from that pit first, which is
// empty; or it does nothing with the pit but set a variable to it, and no live state of the set has
// such a value.
func (c *checking) template(a *rules.Action, w where) {
	if len(a.Body) > 0 {
		if s, is := a.Body[0].(rules.Sow); is && isPit(s.Source, w.own) {
			return
		}
	}
	e := rules.EffectsOf(a.Body)
	sets := slices.IndexFunc(a.Body, func(s rules.Stmt) bool {
		set, is := s.(rules.Set)
		return is && set.To.Sort == rules.VarCell && set.To.Index == nil && isPit(set.X, w.own)
	})
	if sets >= 0 && !e.MovesSeeds && len(e.Stops) == 0 && !family.Names(a.Guard, w.own) {
		v := a.Body[sets].(rules.Set).To.Slot
		rest := slices.Concat(a.Body[:sets], a.Body[sets+1:])
		if !family.BodyNames(rest, w.own) && !touched(rest, v) && slices.Contains(c.moving, v) {
			return
		}
	}
	c.at(w, "does more with `%s` than to choose it", c.pit(w.own))
}

// isPit reports whether an expression is this single pit.
func isPit(x rules.Expr, pit int) bool {
	k, is := x.(rules.Const)
	return is && k.Type == rules.PitType && k.Value == pit
}
