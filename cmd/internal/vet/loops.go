package vet

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// Loops reports loops that cannot end, as their bodies change nothing that their conditions read,
// and relays that sow on out of a store.
//
// v is the variant that sys is made of.
func Loops(v *ast.Variant, sys *rules.System) diag.List {
	l := &loops{sys: sys, seen: map[loopOf]bool{}, reported: map[diag.Range]bool{}, relays: map[diag.Range]diag.Range{}}
	for _, s := range ast.All[*ast.Sow](v) {
		if s.RelayWhile != nil {
			l.relays[s.Range] = s.RelayWhile.Span()
		}
	}
	for i := range sys.Actions {
		l.body(sys.Actions[i].Body, sys.Actions[i].Mover)
	}
	for _, r := range sys.Reactions {
		for player, by := range r.By {
			l.body(by.Body, player)
		}
	}
	return l.diags
}

// loops collects what Loops finds.
type loops struct {
	sys      *rules.System
	diags    diag.List
	seen     map[loopOf]bool
	reported map[diag.Range]bool

	relays map[diag.Range]diag.Range // the conditions of relays, by their sowings
}

// loopOf is a loop as it is for one player. A loop is looked at once for each player, and not again
// for each choice.
type loopOf struct {
	at     diag.Range
	player int
}

func (l *loops) body(body []rules.Stmt, player int) {
	rules.WalkStmts(body, func(s rules.Stmt) {
		w, ok := s.(rules.While)
		if !ok || l.seen[loopOf{w.At, player}] {
			return
		}
		l.seen[loopOf{w.At, player}] = true
		if idle(w) {
			l.diags.Warnf(diag.Forever, w.At, "this loop cannot end: its body changes nothing that its condition asks for").
				WithHelp("what is done once stands under `if`; a loop has to change what it asks for")
			return
		}
		l.relay(w, player)
	})
}

// idle reports whether a loop, once its condition holds, ends neither itself nor the body or the
// game.
func idle(w rules.While) bool {
	var ends, seeds, sows bool
	set := map[cell]bool{}
	rules.WalkStmts(w.Body, func(s rules.Stmt) {
		switch s := any(s).(type) { // others change nothing themselves
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

// relay reports a loop that sows the contents of the pit of the last seed, also where that is a
// store that the player has or nobody has. A store is a pit drawn without brackets on a lap that
// has others.
func (l *loops) relay(w rules.While, player int) {
	rules.WalkStmts(w.Body, func(s rules.Stmt) {
		sow, ok := s.(rules.Sow)
		if !ok || l.reported[w.At] {
			return
		}
		if source, is := sow.Source.(rules.Cell); !is || !source.IsRegister(rules.LastReg) {
			return
		}
		for _, p := range l.sys.Laps[sow.Lap].Pits {
			if l.store(p, sow.Lap) && !skips(sow, p) && l.own(p, player) && onOutOf(w.Cond, p) {
				l.reported[w.At] = true
				at := w.At
				if x, is := l.relays[at]; is {
					at = x
				}
				l.diags.Warnf(diag.OutOfStore, at, "this sows on out of `%s`, too, if the last seed falls there", l.sys.Pits[p].Name).
					WithHelp("ask for the place as well: `last in house and …`, or `last /= my store and …`")
				return
			}
		}
	})
}

// own reports whether a pit is the player's, or nobody's.
func (l *loops) own(p, player int) bool {
	o := l.sys.Pits[p].Owner
	return o == player || o == rules.None
}

// store reports whether a pit of a lap is a store.
func (l *loops) store(p, lap int) bool {
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
