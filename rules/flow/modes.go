package flow

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
)

// Modes are what is known of all live states of a play: for each player to move, and each value of
// one variable that holds a pit, the values that the other variables may have, and whether that pit
// certainly holds a seed. Games in which a player has to go on from a pit have such a variable.
//
// Modes are found from the starts by following all bodies until nothing is added. A body is
// followed for each pit into which the last seed may have fallen.
type Modes struct {
	sys  *rules.System
	cell int // of the variable
	left int // how many statements may still be followed
	of   map[mode]*env
	todo []mode
}

type mode struct{ mover, pit int }

// Explore finds the modes for a variable. It returns nil if there is too much to follow.
func Explore(sys *rules.System, variable int) *Modes {
	m := &Modes{sys: sys, cell: firstVar + variable, left: mostFollowed, of: map[mode]*env{}}
	start := before(sys, sys.Start.Mover, 0)
	for i := range sys.Vars {
		start.cells[firstVar+i] = one(sys.Vars[i].Init)
	}
	for _, p := range m.settled(path{start, sys.Start.Mover}, false) {
		m.add(p)
	}
	for len(m.todo) > 0 && m.left >= 0 {
		at := m.todo[0]
		m.todo = m.todo[1:]
		for a := range sys.Actions {
			m.after(at, &sys.Actions[a])
		}
	}
	if m.left < 0 {
		return nil
	}
	return m
}

// mostFollowed bounds how many statements are followed. Games of the examples take some thousands,
// and Hus some hundreds of thousands.
const mostFollowed = 1 << 19

// after adds what follows from an action in a mode.
func (m *Modes) after(at mode, a *rules.Action) {
	if a.Mover != at.mover {
		return
	}
	e := m.of[at].begin(at.mover, len(a.Locals))
	if a.Guard != nil {
		e = e.assume(a.Guard, true)
	}
	f := &follower{sys: m.sys, left: &m.left}
	next := (at.mover + 1) % len(m.sys.Players) // unless the body says otherwise
	for _, p := range m.merged(f.paths(a.Body, path{e, next})) {
		for _, q := range m.settled(p, p.next != at.mover || len(m.sys.Players) == 1) {
			m.add(q)
		}
	}
}

// merged joins paths that lead to the same mode.
func (m *Modes) merged(list []path) []path {
	var out []path
	for _, p := range list {
		p.env = m.known(p).begin(p.next, 0)
		i := slices.IndexFunc(out, func(q path) bool { return q.next == p.next && q.cells[m.cell].equal(p.cells[m.cell]) })
		if i >= 0 {
			out[i].env = join(out[i].env, p.env)
		} else {
			out = append(out, p)
		}
	}
	return out
}

// settled follows the reactions after a path, in which its next player is to move.
func (m *Modes) settled(p path, turnEnd bool) []path {
	list := []path{p}
	for i := range m.sys.Reactions {
		r := &m.sys.Reactions[i]
		if r.AtTurnEnd && !turnEnd {
			continue
		}
		var after []path
		for _, p := range list {
			by := &r.By[p.next]
			e := m.known(p).begin(p.next, len(by.Locals))
			f := &follower{sys: m.sys, left: &m.left}
			after = append(after, f.paths(by.Body, path{e.assume(by.When, true), p.next})...)
			if e = e.assume(by.When, false); e != nil {
				after = append(after, path{e, p.next})
			}
		}
		list = m.merged(after)
	}
	return list
}

// known returns what is known of the state after a path: of seeds, only that the pit of the
// variable holds some.
func (m *Modes) known(p path) *env {
	e := &env{body: p.body, cells: p.cells}
	if pit := e.cells[m.cell]; !pit.any && len(pit.of) == 1 && pit.of[0] >= 0 && p.holdsSeeds(rules.FixedPit(pit.of[0])) {
		e = e.knowing(holdsSome(rules.FixedPit(pit.of[0])))
	}
	return e
}

// add adds what is known after a path to the modes, one for each value of the variable.
func (m *Modes) add(p path) {
	known := m.known(p).begin(p.next, 0)
	for _, pit := range m.sys.Vars[m.cell-firstVar].Domain {
		if !known.cells[m.cell].has(pit) {
			continue
		}
		at := mode{p.next, pit}
		old := m.of[at]
		more := join(old, known.narrowed(m.cell, one(pit)))
		if old != nil && more.equal(old) {
			continue
		}
		m.of[at] = more
		if !slices.Contains(m.todo, at) {
			m.todo = append(m.todo, at)
		}
	}
}

// live returns a Place for each mode.
func (m *Modes) live() (list []*Place) {
	for mover := range m.sys.Players {
		for _, pit := range m.sys.Vars[m.cell-firstVar].Domain {
			if e := m.of[mode{mover, pit}]; e != nil {
				p := Live(m.sys, mover)
				p.of = e
				list = append(list, p)
			}
		}
	}
	return list
}
