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
	return r.Settle(r.Next, r.Next != mover || len(r.Sys.Players) == 1)
}

// Settle runs the Reactions in a live state of mover, one after another, each in the state that the
// previous ones have produced, until one ends the game. Those at the end of a turn run only if
// turnEnd. None knows the locals, the sowing or the rank of what came before it.
func (r *Run[V]) Settle(mover int, turnEnd bool) (err error) {
	rank := r.Rank
	for i, list := 0, r.program.reactions(); i < len(list) && err == nil && !r.Over; i++ {
		if e := &list[i]; turnEnd || !e.AtTurnEnd {
			mover, err = react(r, e, mover)
		}
	}
	r.Rank = rank
	return err
}

// react executes the body of a Reaction if its condition holds. The body may choose the player to
// move, who is returned. If it turns out to be illegal that is a fault: the action before it has
// already been made.
func react[V any](r *Run[V], e *reaction, mover int) (next int, err error) {
	by := &e.by[mover]
	r.at, r.Next, r.Sown = &e.At, mover, Sown[V]{}
	r.Room(0)
	if holds, err := r.Holds(by.when); err != nil || !holds {
		return mover, err
	}
	r.Room(by.locals)
	flow, err := r.Block(by.list)
	if err == nil && flow == Illegal {
		err = r.D.Fault(diag.NoValue, e.At, func() (string, string) {
			return "what is demanded here after a move cannot be carried out", ""
		})
	}
	if err == nil && !r.Over {
		r.S.Mover = r.D.Const(r.Next)
	}
	return r.Next, err
}
