package encode

import "github.com/mancheck/mancheck/rules"

// conclude passes the turn after an action of mover, and settles.
func (r *run) conclude(mover int) error {
	if !r.live() {
		return nil
	}
	players := len(r.e.sys.Players)
	next := mover
	if !r.again {
		next = (mover + 1) % players
	}
	r.s.Mover = r.e.b.Int(next)
	return r.settle(next, next != mover || players == 1)
}

// settle looks at the Endings in a live state.
func (r *run) settle(mover int, turnEnd bool) error {
	for i := range r.e.sys.Endings {
		e := &r.e.sys.Endings[i]
		if e.AtTurnEnd && !turnEnd {
			continue
		}
		holds, err := r.ends(e, mover)
		if err != nil {
			return err
		}
		if holds {
			return r.finish(e, mover)
		}
	}
	return nil
}

// ends finds out whether the condition of an Ending holds.
func (r *run) ends(e *rules.Ending, mover int) (bool, error) {
	if e.NoMove {
		can, err := r.canMove(mover)
		return !can, err
	}
	return r.newRun(r.s, 0, r.rounds).holds(e.By[mover].When)
}

// canMove finds out whether the player has a legal move.
func (r *run) canMove(mover int) (bool, error) {
	here, m := r.e.instance(r.s), r.e.moves[mover]
	if bad, err := r.decide(here.term(m.fault)); err != nil || bad {
		return false, orElse(err, errFault)
	}
	if over, err := r.decide(here.term(m.overrun)); err != nil || over {
		return false, orElse(err, errOverrun)
	}
	return r.decide(here.term(m.can))
}

func orElse(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// finish carries out the body of an Ending and closes the game.
func (r *run) finish(e *rules.Ending, mover int) error {
	by := e.By[mover]
	end := r.newRun(r.s, by.Locals, r.rounds)
	how, err := end.block(by.Body)
	switch {
	case err != nil:
		return err
	case how == illegal:
		return errFault
	}
	if end.live() {
		end.end(e.Outcome)
	}
	r.s = end.s
	return nil
}
