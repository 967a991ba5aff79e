package exec

import (
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// Conclude passes the turn after the body of an action of mover, and settles the state. In a
// solitaire every action ends a turn.
func (r *Run[V]) Conclude(mover int) (State[V], error) {
	if r.Over {
		return r.S, nil
	}
	r.S.Mover = r.D.Const(r.Next)
	return Settle(r.D, r.Sys, r.S, r.Next, r.Next != mover || len(r.Sys.Players) == 1)
}

// Settle runs the Reactions in a live state of mover, one after another, each in the state that the
// previous ones have produced, until one ends the game. Those at the end of a turn run only if
// turnEnd.
func Settle[V any](d Domain[V], sys *rules.System, s State[V], mover int, turnEnd bool) (State[V], error) {
	for i := range sys.Reactions {
		e := &sys.Reactions[i]
		if e.AtTurnEnd && !turnEnd {
			continue
		}
		holds, err := d.Sub(s, 0, e.At).Holds(e.By[mover].When)
		if err != nil {
			return s, err
		}
		if !holds {
			continue
		}
		r, err := react(d, e, s, mover)
		if err != nil || r.Over {
			return r.S, err
		}
		s, mover = r.S, r.Next
	}
	return s, nil
}

// react executes the body of a Reaction, which may choose the player to move. A body that turns out
// to be illegal is a fault: the action before it has already been made.
func react[V any](d Domain[V], e *rules.Reaction, s State[V], mover int) (*Run[V], error) {
	by := &e.By[mover]
	r := d.Sub(s, len(by.Locals), e.At)
	r.Next = mover
	flow, err := r.Block(by.Body)
	if err == nil && flow == Illegal {
		err = d.Fault(diag.NoValue, e.At, func() (string, string) {
			return "what is demanded here after a move cannot be carried out", ""
		})
	}
	if err == nil && !r.Over {
		r.S.Mover = d.Const(r.Next)
	}
	return r, err
}
