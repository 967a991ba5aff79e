package flow

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// Lives returns a Place for each player to move, of all live states that a move leads to or a play
// begins with.
func Lives(sys *rules.System) []*Place {
	return notOver(sys, lists.Map(num.Run(0, len(sys.Players)), func(mover int) *Place { return Live(sys, mover) }))
}

// Lives returns a Place for each mode, as the function Lives does for each player.
func (m *Modes) Lives() []*Place { return notOver(m.sys, m.live()) }

// notOver adds to places what is false in live states. A condition that ends the game is, if the
// game does not go on after it or after a later one: the state is then the one in which it was
// evaluated.
func notOver(sys *rules.System, list []*Place) []*Place {
	for _, r := range slices.Backward(sys.Reactions) {
		if slices.ContainsFunc(r.By, rules.ReactionFor.GoesOn) {
			break
		}
		for _, at := range list {
			if !r.AtTurnEnd {
				at.Suppose(r.By[at.Mover].When, false)
			}
		}
	}
	return list
}

// AlwaysMoves reports whether it is seen that some action is legal in each live state that a move
// leads to or a play begins with, if loops end.
func AlwaysMoves(sys *rules.System) bool {
	return !slices.ContainsFunc(Lives(sys), func(at *Place) bool { return !at.HasMove() })
}

// HasMove reports whether some action is certainly legal in each state of a place, if loops end.
func (p *Place) HasMove() bool {
	p.SupposeNoMove()
	for i := range p.sys.Actions { // the guards of these are false, or they would be moves
		if a := &p.sys.Actions[i]; a.Mover == p.Mover && !a.Fallback && p.LegalByGuard(a) {
			if a.Guard == nil {
				return true
			}
			p.Suppose(a.Guard, false)
		}
	}
	return p.Impossible() || slices.ContainsFunc(p.sys.Actions, func(a rules.Action) bool {
		return a.Mover == p.Mover && a.Fallback && p.Allows(&a)
	})
}

// OverIfNoMove reports whether there is no state of a place, also because no action but fallbacks
// is legal there.
func (p *Place) OverIfNoMove() bool {
	if !slices.ContainsFunc(p.sys.Actions, func(a rules.Action) bool { return !a.Fallback && !p.Forbids(&a) }) {
		p.SupposeNoMove()
	}
	return p.Impossible()
}
