package value

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
)

// neverStuck reports whether it is proved that a player can move in every live state that a move
// leads to. In such a state the endings at the end of the list did not apply. So it is enough that
// one of them applies where no action passes: where there is no move, or no seed in a pit that can
// be sown from whenever it has one.
func neverStuck(sys *rules.System) bool {
	return !slices.ContainsFunc(num.Run(0, len(sys.Players)), func(player int) bool { return !alwaysMoves(sys, player) })
}

func alwaysMoves(sys *rules.System, player int) bool {
	var empty []int // pits that have no seed if the player is stuck
	stuck := func(x rules.Expr) (rules.Const, bool) {
		if pit, is := rules.SeedsOf(x); is && slices.Contains(empty, pit) {
			return rules.Const{Type: rules.NumberType}, true
		}
		return rules.Const{Value: 1, Type: rules.TruthType}, x == rules.Expr(rules.NoMove)
	}
	for i := range sys.Actions {
		if a := &sys.Actions[i]; a.Mover == player {
			switch pit, is := passes(sys, a, stuck); {
			case is && pit == rules.None:
				return true
			case is:
				empty = append(empty, pit)
			}
		}
	}
	applies := rules.False
	for _, r := range slices.Backward(sys.Reactions) {
		if r.By[player].GoesOn() {
			break
		}
		if !r.AtTurnEnd {
			applies = rules.Binary{Op: rules.Or, L: r.By[player].When, R: applies}
		}
	}
	c, known := rules.Simplify(applies, stuck).(rules.Const)
	return known && c.Value != 0
}

// passes reports whether an action passes if nothing else does; only where a pit has a seed, or
// (None) in any case. known holds where the player is stuck.
func passes(sys *rules.System, a *rules.Action, known func(rules.Expr) (rules.Const, bool)) (pit int, is bool) {
	pit = rules.None
	guard := rules.True
	if a.Guard != nil {
		guard = rules.Simplify(a.Guard, known)
	}
	var has []rules.Cell
	for _, x := range rules.Conjuncts(guard) {
		c, some := someSeed(x)
		p, fixed := rules.SeedsOf(c)
		switch {
		case x == rules.True:
		case !some || !fixed || !exactly(x) || pit != rules.None && pit != p:
			return rules.None, false
		default:
			pit, has = p, []rules.Cell{c}
		}
	}
	if sow, is := first(a.Body).(rules.Sow); is && pit == rules.None {
		if from, fixed := sow.Source.(rules.Const); fixed && from.Value >= 0 { // it needs a seed to sow
			pit, has = from.Value, []rules.Cell{rules.PitAt(from.Value)}
		}
	}
	return pit, (&legality{sys, lapsOf(sys, a.Body)}).legal(a.Body, has)
}

func first(body []rules.Stmt) rules.Stmt {
	if len(body) == 0 {
		return nil
	}
	return body[0]
}

// someSeed returns a pit that has a seed where a condition holds. It may be chosen by a register.
func someSeed(x rules.Expr) (rules.Cell, bool) {
	b, is := x.(rules.Binary)
	if !is {
		return rules.Cell{}, false
	}
	cell, isCell := b.L.(rules.Cell)
	n, isConst := b.R.(rules.Const)
	if !isCell || !isConst || cell.Sort != rules.PitCell || cell.Index != nil && !isRegister(cell.Index) {
		return rules.Cell{}, false
	}
	switch b.Op {
	case rules.Gt:
		return cell, n.Value >= 0
	case rules.Ge:
		return cell, n.Value >= 1
	case rules.Ne:
		return cell, n.Value == 0
	}
	return rules.Cell{}, false
}

// exactly reports whether such a condition holds wherever the pit has a seed.
func exactly(x rules.Expr) bool {
	b := x.(rules.Binary)
	n := b.R.(rules.Const).Value
	return n == 0 || n == 1 && b.Op == rules.Ge
}

func isRegister(x rules.Expr) bool {
	c, is := x.(rules.Cell)
	return is && c.Sort == rules.RegisterCell
}

// legality is about one action. A pit that is chosen by a register is on one of the laps.
type legality struct {
	sys  *rules.System
	laps []*rules.Lap
}

// lapsOf lists the laps of the sowings in a body.
func lapsOf(sys *rules.System, body []rules.Stmt) (list []*rules.Lap) {
	rules.WalkStmts(body, func(s rules.Stmt) {
		if sow, is := s.(rules.Sow); is {
			list = append(list, &sys.Laps[sow.Lap])
		}
	})
	return list
}

// legal reports whether a body is never illegal where these pits have seeds at first.
func (l *legality) legal(body []rules.Stmt, has []rules.Cell) bool {
	for _, s := range body {
		if stop, is := s.(rules.Stop); is {
			return stop.Outcome != rules.Illegal
		}
		if sow, is := s.(rules.Sow); is && !l.sowable(sow, has) {
			return false
		}
		for i, inside := range rules.Blocks(s) {
			if !l.legal(inside, hasInside(s, i, has)) {
				return false
			}
		}
		if _, is := s.(rules.Set); !is {
			has = nil
		}
	}
	return true
}

// hasInside lists the pits that have a seed at the beginning of a block of s.
func hasInside(s rules.Stmt, block int, has []rules.Cell) []rules.Cell {
	if s, is := s.(rules.If); is {
		if block == 0 {
			return and(s.Cond, has)
		}
		return has
	}
	if s, is := s.(rules.While); is {
		return and(s.Cond, nil)
	}
	return nil
}

// and adds the pits that have a seed where a condition holds.
func and(cond rules.Expr, has []rules.Cell) []rules.Cell {
	for _, x := range rules.Conjuncts(cond) {
		if c, is := someSeed(x); is {
			has = append(has[:len(has):len(has)], c)
		}
	}
	return has
}

// sowable reports whether a sowing is one of all seeds of a pit that has some, and some pit takes
// each of them.
func (l *legality) sowable(s rules.Sow, has []rules.Cell) bool {
	if s.Count != nil || s.StartAt != nil || s.OnlyLast != nil || !slices.ContainsFunc(has, func(c rules.Cell) bool { return chooses(s.Source, c) }) {
		return false
	}
	from, fixed := s.Source.(rules.Const)
	origin := func(x rules.Expr) (rules.Const, bool) {
		return from, fixed && isRegister(x) && x.(rules.Cell).Slot == rules.OriginReg
	}
	lap := &l.sys.Laps[s.Lap]
	takes := false
	for _, other := range l.laps {
		if slices.ContainsFunc(other.Pits, func(p int) bool { return lap.Next[p] == rules.None }) {
			return false
		}
	}
	for _, p := range lap.Pits {
		takes = takes || s.SkipIf == nil || s.SkipIf[p] == nil || rules.Simplify(s.SkipIf[p], origin) == rules.False
	}
	return takes && (!fixed || lap.Next[from.Value] != rules.None)
}

// chooses reports whether a pit is that of a cell.
func chooses(pit rules.Expr, c rules.Cell) bool {
	if c.Index == nil {
		return pit == rules.FixedPit(c.Slot)
	}
	x, is := pit.(rules.Cell)
	return is && isRegister(x) && x.Slot == c.Index.(rules.Cell).Slot
}
