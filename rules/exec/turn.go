package exec

import (
	"github.com/mancheck/mancheck/dsl/diag"
)

// Conclude passes the turn after the body of an action of mover, and settles the state. In a
// solitaire every action ends a turn.
func (r *Run[V]) Conclude(mover int) error {
	if r.Over {
		return nil
	}
	r.S.Mover = r.D.Const(r.Next)
	return Settle(r.D, r.program, &r.S, r.Next, r.Next != mover || len(r.Sys.Players) == 1)
}

// Settle runs the Reactions in a live state of mover, one after another, each in the state that the
// previous ones have produced, until one ends the game. Those at the end of a turn run only if
// turnEnd.
func Settle[V any](d Domain[V], p *Program, s *State[V], mover int, turnEnd bool) error {
	var r *Run[V]
	for i, reactions := 0, p.reactions(); i < len(reactions); i++ {
		e := &reactions[i]
		if e.AtTurnEnd && !turnEnd {
			continue
		}
		if r == nil { // conditions change nothing
			r = d.Sub(*s, 0, nil)
		}
		r.at = &e.At
		holds, err := r.Holds(e.by[mover].when)
		if err != nil {
			return err
		}
		if !holds {
			continue
		}
		r, err = react(d, e, *s, mover)
		*s = r.S
		if err != nil || r.Over {
			return err
		}
		mover, r = r.Next, nil
	}
	return nil
}

// react executes the body of a Reaction, which may choose the player to move. A body that turns out
// to be illegal is a fault: the action before it has already been made.
func react[V any](d Domain[V], e *reaction, s State[V], mover int) (*Run[V], error) {
	by := &e.by[mover]
	r := d.Sub(s, by.locals, &e.At)
	r.Next = mover
	flow, err := r.Block(by.list)
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
