package value

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/abstract"
)

// What a step wins follows from the seeds that leave play, if each of them is worth as much
// wherever it goes. So states without sinks are enough to play with, which are shorter, unless
// the game ends.

// Bare returns the positions, given by states without sinks, and for each player what a seed is
// worth that leaves play in a step of theirs to a live state. ok is false if it is not always worth
// as much. Won and Ended do not suit bare positions.
func (p *Positions) Bare() (bare *Positions, gains []int16, ok bool) {
	gains, ok = p.game.gains()
	g := *p.game
	g.codec, g.sinks, g.worth = g.position, nil, nil
	g.mask = maskOf(g.sys, g.position, g.words)
	c := *p
	c.game, c.empty = &g, make([]uint64, g.words)
	return c.Clone(), gains, ok
}

// gains finds where seeds go that leave play.
func (g *game) gains() ([]int16, bool) {
	by := make([][]int, len(g.sys.Players)) // what seeds are worth
	see := func(player int) abstract.Seer {
		return func(s rules.Stmt, e *abstract.Env) { by[player] = append(by[player], g.worthInto(s, e)...) }
	}
	for i := range g.sys.Actions {
		a := &g.sys.Actions[i]
		abstract.Before(g.sys, a).Run(a.Body, see(a.Mover))
	}
	for _, r := range g.sys.GoingOn() {
		for player := range by {
			abstract.Everywhere(g.sys, len(r.Locals)).Assume(r.When, true).Run(r.Body, see(player))
		}
	}
	gains := make([]int16, len(by))
	for player, list := range by {
		if slices.Sort(list); len(list) > 0 && list[0] != list[len(list)-1] {
			return nil, false
		}
		if len(list) > 0 {
			gains[player] = int16(list[0])
		}
	}
	return gains, true
}

// worthInto lists what seeds may be worth that a statement takes out of play.
func (g *game) worthInto(s rules.Stmt, e *abstract.Env) (list []int) {
	_, into := e.Moves(s)
	for _, p := range into {
		if !g.inPlayParts.Pits[p] {
			list = append(list, g.margin.weights[p])
		}
	}
	return list
}
