package exec

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// Conclude passes the turn after the body of an action of mover, and settles.
func (r *Run[V]) Conclude(mover int) (State[V], error) {
	if r.Over {
		return r.S, nil
	}
	r.S.Mover = r.D.Const(r.Next)
	return Settle(r.D, r.Sys, r.S, r.Next, r.Next != mover || len(r.Sys.Players) == 1)
}

// Settle looks at the Endings in a live state of mover, which it may change. Endings at the end of
// a turn are looked at only there.
func Settle[V any](d Domain[V], sys *rules.System, s State[V], mover int, turnEnd bool) (State[V], error) {
	for i := range sys.Endings {
		e := &sys.Endings[i]
		if e.AtTurnEnd && !turnEnd {
			continue
		}
		holds, err := ends(d, sys, e, s, mover)
		if err != nil {
			return s, err
		}
		if holds {
			return finish(d, sys, e, s, mover)
		}
	}
	return s, nil
}

// ends finds out whether the condition of an Ending holds.
func ends[V any](d Domain[V], sys *rules.System, e *rules.Ending, s State[V], mover int) (bool, error) {
	if e.NoMove {
		can, err := d.CanMove(s, mover)
		return !can, err
	}
	return d.Sub(s, 0, sys.Outcomes[e.Outcome].At).Holds(e.By[mover].When)
}

// finish carries out the body of an Ending and closes the game.
func finish[V any](d Domain[V], sys *rules.System, e *rules.Ending, s State[V], mover int) (State[V], error) {
	by, o := &e.By[mover], &sys.Outcomes[e.Outcome]
	r := d.Sub(s, by.Locals, o.At)
	how, err := r.Block(by.Body)
	if err != nil {
		return s, err
	}
	if how == Illegal {
		return s, d.Fault(diag.NoValue, o.At, func() (string, string) {
			return fmt.Sprintf("what the ending `%s` demands cannot be carried out", o.Label), ""
		})
	}
	if !r.Over {
		r.End(e.Outcome)
	}
	return r.S, nil
}
