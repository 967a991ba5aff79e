package exec

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// Block executes statements until one of them ends the body.
func (r *Run[V]) Block(body []Stmt) (Flow, error) {
	for i := range body {
		if r.Watch != nil {
			if err := r.Watch.Before(&body[i]); err != nil {
				return Onward, err
			}
		}
		if flow, err := r.stmt(&body[i]); err != nil || flow != Onward {
			return flow, err
		}
	}
	return Onward, nil
}

// stmt executes one statement. Statements with a place of their own set r.at, where later faults
// are reported that have none.
func (r *Run[V]) stmt(s *Stmt) (Flow, error) {
	switch of := s.of.(type) {
	case rules.Sow:
		return r.sow(s.sow)
	case rules.Transfer:
		r.at = &s.At
		return Onward, r.transfer(s)
	case rules.Set:
		if !s.At.IsZero() {
			r.at = &s.At
		}
		return Onward, r.setCell(s)
	case rules.If:
		holds, err := r.Holds(s.cond)
		switch {
		case err != nil:
			return Onward, err
		case holds:
			return r.Block(s.Body)
		}
		return r.Block(s.otherwise)
	case rules.While:
		return r.while(s)
	case rules.Stop:
		if of.Outcome == rules.Illegal {
			return Illegal, nil
		}
		r.End(of.Outcome)
		return Finished, nil
	}
	return Onward, fmt.Errorf("exec: unknown statement %T", s.of)
}

// while repeats the body until its condition fails or the domain's head ends the loop. The head is
// called between condition and body, so a loop that runs no round costs the domain nothing.
func (r *Run[V]) while(s *Stmt) (Flow, error) {
	head := r.D.Loop(s)
	for {
		r.at = &s.At
		if more, err := r.Holds(s.cond); err != nil || !more {
			return Onward, err
		}
		if flow, err := head(); err != nil || flow != Onward {
			return flow, err
		}
		if flow, err := r.Block(s.Body); err != nil || flow != Onward {
			return flow, err
		}
	}
}

// setCell sets a cell. The cell is determined before the value is evaluated, which decides what
// fault comes first.
func (r *Run[V]) setCell(s *Stmt) error {
	slot, err := r.target(s.to)
	if err != nil {
		return err
	}
	v, err := r.Eval(s.x)
	if err != nil {
		return err
	}
	switch sort := s.to.sort(); sort {
	case rules.LocalCell:
		r.Locals[slot] = v
		r.D.Wrote(sort, slot)
	case rules.VarCell:
		return setVar(r, s, slot, v)
	case rules.RegisterCell:
		return r.setRegister(s, slot, v)
	default:
		return fmt.Errorf("exec: a pit is set")
	}
	return nil
}

// target returns the slot that an assignment sets.
func (r *Run[V]) target(c *Expr) (int, error) {
	if c.X == nil {
		return c.n, nil
	}
	n, err := r.known(c.X)
	if err != nil {
		return 0, err
	}
	return r.chosen(c, n)
}

// setVar sets a variable, whose domain must have the value.
func setVar[V any](r *Run[V], s *Stmt, slot int, v V) (err error) {
	x := &r.Sys.Vars[slot]
	n, known := r.D.Number(v)
	fits := known && x.Contains(n)
	if !known {
		if fits, err = r.D.Fits(v, x); err != nil {
			return err
		}
	}
	if !fits {
		return r.D.Fault(diag.Overflow, s.At, func() (string, string) {
			if !known {
				n, _, _ = r.D.Pick(v)
			}
			return overflow(r.Sys, x, n)
		})
	}
	r.S.Vars[slot] = v
	r.D.Wrote(rules.VarCell, slot)
	return nil
}

// overflow returns the message for a value that a variable cannot have.
func overflow(sys *rules.System, x *rules.Var, n int) (message, help string) {
	if x.Type != rules.NumberType || len(x.Domain) == 0 {
		return fmt.Sprintf("`%s` is set to %s, which is none of its values", x.Name, sys.ValueName(x.Type, n)), ""
	}
	return fmt.Sprintf("`%s` is set to %d, outside its range %d..%d", x.Name, n, x.Domain[0], x.Domain[len(x.Domain)-1]),
		"declare a wider range, or guard the assignment"
}

// setRegister sets the rank of the action or the player to move next; rules can set no other
// register.
func (r *Run[V]) setRegister(s *Stmt, reg int, v V) error {
	switch reg {
	case rules.RankReg:
		r.Rank = v
		return nil
	case rules.NextReg:
		next, known := r.D.Number(v)
		if !known {
			var err error
			if next, err = r.Known(v); err != nil {
				return err
			}
		}
		if next < 0 || next >= len(r.Sys.Players) {
			// formulas come to this only on a path that no state takes
			return r.D.Fault(diag.Overflow, s.At, func() (string, string) {
				return fmt.Sprintf("player %d, who does not exist, is to move next", next), ""
			})
		}
		r.Next = next
		return nil
	}
	return fmt.Errorf("exec: register %d cannot be set", reg)
}

// transfer evaluates number and pits, in this order, before it moves a seed.
func (r *Run[V]) transfer(s *Stmt) error {
	if s.count == nil {
		return r.transferAll(s)
	}
	count, err := r.Eval(s.count)
	if err != nil {
		return err
	}
	from, err := r.pit(s.from)
	if err != nil {
		return err
	}
	into, err := r.pit(s.into)
	if err != nil {
		return err
	}
	return r.D.Transfer(&count, from, into, &s.At)
}

// transferAll moves all seeds of a pit. `none` has no seeds, and a pit keeps what goes into itself,
// so the domain sees neither.
func (r *Run[V]) transferAll(s *Stmt) error {
	into, err := r.pit(s.into)
	if err != nil {
		return err
	}
	from, err := r.pitOrNone(s.from)
	if err != nil || from == rules.None || from == into {
		return err
	}
	return r.D.Transfer(nil, from, into, &s.At)
}

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
