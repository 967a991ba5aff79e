package vet

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// forever reports loops that cannot end, as their bodies change nothing that their conditions read.
func forever(l *look) {
	for at, w := range l.loops {
		if idle(w) {
			l.warn(diag.Forever, at.at, "this loop cannot end: its body changes nothing that its condition asks for").
				WithHelp("what is done once stands under `if`; a loop has to change what it asks for")
		}
	}
}

// loopOf is a loop as it is for one player.
type loopOf struct {
	at     diag.Range
	player int
}

// loops lists the loops of the rules: once for each player, and not again for each choice.
func (l *look) loops(yield func(loopOf, rules.While) bool) {
	seen, more := map[loopOf]bool{}, true
	body := func(body []rules.Stmt, player int) {
		rules.WalkStmts(body, func(s rules.Stmt) {
			w, is := s.(rules.While)
			if at := (loopOf{w.At, player}); is && more && !seen[at] {
				seen[at] = true
				more = yield(at, w)
			}
		})
	}
	for i := range l.sys.Actions {
		body(l.sys.Actions[i].Body, l.sys.Actions[i].Mover)
	}
	for player, by := range l.sys.EachReaction() {
		body(by.Body, player)
	}
}

// idle reports whether a loop, once its condition holds, ends neither itself nor the body or the
// game.
func idle(w rules.While) bool {
	var ends, seeds, sows bool
	set := map[cell]bool{}
	rules.WalkStmts(w.Body, func(s rules.Stmt) {
		switch s := s.(type) {
		case rules.Stop:
			ends = true
		case rules.Sow:
			seeds, sows = true, true
		case rules.Transfer:
			seeds = true
		case rules.Set:
			if s.To.Index != nil {
				ends = true // which variable is set is known in play only
			} else {
				set[place(s.To)] = true
			}
		case rules.If, rules.While: // change nothing themselves
		}
	})
	return !ends && w.Cond != rules.False && !rules.Mentions(w.Cond, func(x rules.Expr) bool {
		switch x := any(x).(type) { // others have no value of their own
		case rules.Sum:
			return seeds
		case rules.Question:
			return true
		case rules.Cell:
			return x.Sort == rules.PitCell && seeds || x.Sort == rules.RegisterCell && sows ||
				x.Index == nil && set[place(x)] || x.Index != nil && x.Sort == rules.VarCell && len(set) > 0
		}
		return false
	})
}

// cell is a cell without an index.
type cell struct {
	sort rules.Sort
	slot int
}

func place(c rules.Cell) cell { return cell{c.Sort, c.Slot} }

// outOfStore reports a loop that sows the contents of the pit of the last seed, also where that is
// a store that the player has or nobody has. A store is a pit drawn without brackets on a lap that
// has others.
func outOfStore(l *look) {
	places := map[diag.Range]diag.Range{} // of the conditions of relays, by their sowings
	for _, f := range l.Program.Files {
		for _, s := range ast.All[*ast.Sow](f) {
			if s.RelayWhile != nil {
				places[s.Range] = s.RelayWhile.Span()
			}
		}
	}
	reported := map[diag.Range]bool{}
	for at, w := range l.loops {
		p := l.sowsOutOf(w, at.player)
		if p == rules.None || reported[at.at] || idle(w) {
			continue
		}
		reported[at.at] = true
		place, is := places[at.at]
		if !is {
			place = at.at
		}
		l.warn(diag.OutOfStore, place, "this sows on out of `%s`, too, if the last seed falls there", l.sys.Pits[p].Name).
			WithHelp("ask for the place as well: `last in house and …`, or `last /= my store and …`")
	}
}

// sowsOutOf returns the first such store of a loop, or none.
func (l *look) sowsOutOf(w rules.While, player int) int {
	found := rules.None
	rules.WalkStmts(w.Body, func(s rules.Stmt) {
		sow, ok := s.(rules.Sow)
		if !ok || found != rules.None {
			return
		}
		if source, is := sow.Source.(rules.Cell); !is || !source.IsRegister(rules.LastReg) {
			return
		}
		for _, p := range l.sys.Laps[sow.Lap].Pits {
			if found == rules.None && l.store(p, sow.Lap) && !skips(sow, p) && l.own(p, player) && onOutOf(w.Cond, p) {
				found = p
			}
		}
	})
	return found
}

// own reports whether a pit is the player's, or nobody's.
func (l *look) own(p, player int) bool {
	o := l.sys.Pits[p].Owner
	return o == player || o == rules.None
}

// store reports whether a pit of a lap is a store.
func (l *look) store(p, lap int) bool {
	whole := func(p int) bool { return l.sys.Pits[p].Name == l.sys.Pits[p].Group }
	return whole(p) && !slices.ContainsFunc(l.sys.Laps[lap].Pits, func(q int) bool { return q != p && whole(q) && l.sys.Pits[q].Owner == l.sys.Pits[p].Owner }) &&
		slices.ContainsFunc(l.sys.Laps[lap].Pits, func(q int) bool { return !whole(q) })
}

// skips reports whether a sowing always leaves out a pit.
func skips(s rules.Sow, p int) bool { return s.SkipIf != nil && s.SkipIf[p] == rules.True }

// onOutOf reports whether a condition can hold if the last seed fell into a pit. What depends on
// variables is taken for a way to exclude it.
func onOutOf(x rules.Expr, pit int) bool {
	x = rules.Simplify(x, func(x rules.Expr) (rules.Const, bool) {
		c, is := x.(rules.Cell)
		return rules.Const{Value: pit, Type: rules.PitType}, is && c.IsRegister(rules.LastReg)
	})
	return x != rules.False && !rules.Mentions(x, func(x rules.Expr) bool {
		c, is := x.(rules.Cell)
		return is && (c.Sort == rules.VarCell || c.Sort == rules.LocalCell)
	})
}
