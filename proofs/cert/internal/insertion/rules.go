package insertion

import (
	"slices"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/family"
)

// where is a place in the rules, for messages, with the pit of a seam that may be named there.
type where struct {
	name string
	line int
	own  int // None: no pit of a seam may be named
}

func (c *checking) at(w where, format string, args ...any) {
	c.refuse("%s (line %d) "+format, append([]any{w.name, w.line}, args...)...)
}

// expr checks an expression. It has the same value in a state of the larger board as without the
// inserted pits, if these are empty and no variable names one.
func (c *checking) expr(x rules.Expr, w where) {
	rules.Walk(x, func(x rules.Expr) bool { return c.part(x, w) && c.err == nil })
}

// part checks an expression without its parts, and reports whether to look at these. What is not
// known here is refused.
func (c *checking) part(x rules.Expr, w where) bool {
	switch x := x.(type) {
	case rules.Const:
		if x.Type == rules.PitType && x.Value != w.own && c.atSeam(x.Value) {
			c.at(w, "names the single pit `%s`, where the board grows", c.pit(x.Value))
		}
	case rules.Cell:
		c.cell(x, w)
	case rules.Sum:
		set := make([]bool, len(c.sys.Pits))
		for _, p := range x.Pits {
			set[p] = true
		}
		c.pits(set, w)
	case rules.Lookup:
		c.lookup(x, w)
	case rules.Not, rules.Binary, rules.Cond:
	case rules.Question:
		c.at(w, "asks whether there is a move")
		return false
	case rules.Old, rules.OpenParam:
		c.at(w, "has a value that is not known for other boards")
		return false
	default:
		c.at(w, "has an expression of which nothing is known")
		return false
	}
	return true
}

// pits checks a set of pits: it has both pits of a seam, or neither.
func (c *checking) pits(set []bool, w where) {
	for _, s := range c.seams {
		if set[s.X] != set[s.Y] {
			c.at(w, "has a set of pits with only one of `%s` and `%s`, between which the board grows", c.pit(s.X), c.pit(s.Y))
		}
	}
}

func (c *checking) cell(x rules.Cell, w where) {
	switch {
	case x.Table != nil:
		c.at(w, "has a variable that is chosen in play")
	case x.Sort == rules.LocalCell:
		c.at(w, "keeps a value under a name of its own")
	case x.Sort == rules.RegisterCell:
		if !slices.Contains([]int{rules.LastReg, rules.LastWasReg, rules.OriginReg, rules.MoverReg, rules.OutcomeReg}, x.Slot) {
			c.at(w, "reads what cannot be read")
		}
	case x.Sort == rules.PitCell && x.Index == nil:
		if x.Slot != w.own && c.atSeam(x.Slot) {
			c.at(w, "names the single pit `%s`, where the board grows", c.pit(x.Slot))
		}
	case x.Index != nil && x.Sort != rules.PitCell:
		c.at(w, "has a variable that is chosen in play")
	}
}

func (c *checking) lookup(x rules.Lookup, w where) {
	if x.Table.IsOwn() {
		c.at(w, "asks for a lap or relation that the rules do not have")
		return
	}
	switch x.Table.Kind {
	case rules.MemberOf:
		c.pits(lists.Map(x.Table.Of, func(n int) bool { return n != 0 }), w)
	case rules.NextOn, rules.BeforeOn:
		if !rules.IsFixed(x.X, rules.RegisterCell, rules.LastReg) {
			c.at(w, "asks for the neighbour of another pit than `last`")
		}
	case rules.IndexOf:
		c.at(w, "asks for the number of a pit")
	default:
		c.at(w, "asks which pit another one leads to")
	}
}

// body checks a list of statements, and returns how many sowings may be carried out in it.
func (c *checking) body(body []rules.Stmt, w where) (sowings int) {
	for _, s := range body {
		sowings += c.statement(s, w)
	}
	if sowings > 1 {
		c.at(w, "sows more than once")
	}
	return sowings
}

// statement checks a statement, and returns how many sowings may be carried out in it. What is not
// known here is refused.
func (c *checking) statement(s rules.Stmt, w where) (sowings int) {
	switch s := s.(type) {
	case rules.Set:
		c.assignment(s, w)
	case rules.If:
		c.expr(s.Cond, w)
		return max(c.body(s.Then, w), c.body(s.Else, w))
	case rules.Sow:
		c.sow(s, w)
		return 1
	case rules.Stop:
	case rules.While, rules.Transfer:
		c.at(w, "has a loop, or moves seeds without sowing them")
	default:
		c.at(w, "has a statement of which nothing is known")
	}
	return 0
}

func (c *checking) assignment(s rules.Set, w where) {
	switch {
	case s.To.IsRegister(rules.RankReg):
		c.at(w, "prefers some moves to others")
	case s.To.IsRegister(rules.NextReg):
	case s.To.Sort != rules.VarCell:
		c.at(w, "keeps a value under a name of its own")
	case s.To.Index != nil:
		c.at(w, "has a variable that is chosen in play")
	}
	c.expr(s.X, w)
}

// sow checks a sowing. The pits of a seam take every seed that comes to them.
func (c *checking) sow(s rules.Sow, w where) {
	source, fixed := s.Source.(rules.Const)
	cell, is := s.Source.(rules.Cell)
	switch {
	case !(fixed && source.Type == rules.PitType) && !(is && cell.Sort == rules.VarCell && cell.Index == nil):
		c.at(w, "sows from a pit that is neither fixed nor the value of a variable")
	case s.Count != nil:
		c.at(w, "sows only some seeds of a pit")
	case s.OriginFirst || s.StartAt != nil:
		c.at(w, "does not begin to sow in the next pit")
	case len(s.Drop) > 0:
		c.at(w, "does something after each seed")
	}
	c.expr(s.Source, w)
	for p, x := range s.SkipIf {
		switch {
		case x == nil || x == rules.False:
		case x != rules.True:
			c.at(w, "skips `%s` only under a condition", c.pit(p))
		case c.atSeam(p):
			c.at(w, "skips `%s`, where the board grows", c.pit(p))
		}
	}
	for p, only := range s.OnlyLast {
		if only && c.atSeam(p) {
			c.at(w, "drops only last seeds into `%s`, where the board grows", c.pit(p))
		}
	}
}

// reactions checks what follows moves. It moves no seeds, and does not depend on which pit of a
// stretch a variable names.
func (c *checking) reactions() {
	for _, r := range c.sys.Reactions {
		w := where{"what follows moves", r.At.Start.Line, rules.None}
		for _, by := range r.By {
			if c.expr(by.When, w); c.body(by.Body, w) > 0 {
				c.at(w, "sows")
			}
			for _, v := range c.moving {
				if reads(by.When, v) || touched(by.Body, v) {
					c.at(w, "depends on `%s`", c.sys.Vars[v].Name)
				}
			}
		}
	}
}

// reads reports whether an expression reads a variable.
func reads(x rules.Expr, v int) bool {
	return rules.Mentions(x, func(x rules.Expr) bool { return rules.IsFixed(x, rules.VarCell, v) })
}

// touched reports whether a body reads or sets a variable.
func touched(body []rules.Stmt, v int) bool {
	found := false
	rules.WalkStmts(body, func(s rules.Stmt) {
		if set, is := s.(rules.Set); is && set.To.Sort == rules.VarCell && set.To.Slot == v {
			found = true
		}
		for _, x := range rules.Exprs(s) {
			found = found || reads(x, v)
		}
	})
	return found
}

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
