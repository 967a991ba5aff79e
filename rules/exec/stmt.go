package exec

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// Block executes statements until one of them ends the body.
func (r *Run[V]) Block(body []rules.Stmt) (Flow, error) {
	for i, s := range body {
		if r.Watch != nil {
			if err := r.Watch.Before(&body[i]); err != nil {
				return Onward, err
			}
		}
		if flow, err := r.stmt(s); err != nil || flow != Onward {
			return flow, err
		}
	}
	return Onward, nil
}

// stmt executes one statement. Statements with a place of their own set r.at, where later faults
// are reported that have none.
func (r *Run[V]) stmt(s rules.Stmt) (Flow, error) {
	switch s := s.(type) {
	case rules.Sow:
		return r.sow(s)
	case rules.Transfer:
		return Onward, r.transfer(s)
	case rules.Set:
		return Onward, r.setCell(s)
	case rules.If:
		holds, err := r.Holds(s.Cond)
		switch {
		case err != nil:
			return Onward, err
		case holds:
			return r.Block(s.Then)
		}
		return r.Block(s.Else)
	case rules.While:
		return r.while(s)
	case rules.Stop:
		if s.Outcome == rules.Illegal {
			return Illegal, nil
		}
		r.End(s.Outcome)
		return Finished, nil
	}
	return Onward, fmt.Errorf("exec: unknown statement %T", s)
}

// while repeats the body until its condition fails or the domain's head ends the loop. The head is
// called between condition and body, so a loop that runs no round costs the domain nothing.
func (r *Run[V]) while(s rules.While) (Flow, error) {
	head := r.D.Loop(s)
	for {
		r.at = s.At
		if more, err := r.Holds(s.Cond); err != nil || !more {
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
func (r *Run[V]) setCell(s rules.Set) error {
	if !s.At.IsZero() {
		r.at = s.At
	}
	slot, err := r.target(s.To)
	if err != nil {
		return err
	}
	v, err := r.Eval(s.X)
	if err != nil {
		return err
	}
	switch s.To.Sort {
	case rules.LocalCell:
		r.Locals[slot] = v
	case rules.VarCell:
		if err := r.setVar(s, slot, v); err != nil {
			return err
		}
	case rules.RegisterCell:
		return r.setRegister(s, slot, v)
	default:
		return fmt.Errorf("exec: a pit is set")
	}
	r.D.Wrote(s.To.Sort, slot)
	return nil
}

// target returns the slot that an assignment sets.
func (r *Run[V]) target(c rules.Cell) (int, error) {
	slot, index, known, err := r.slot(c)
	if err == nil && !known {
		err = r.D.Vague(index)
	}
	return slot, err
}

// setVar sets a variable, whose domain must have the value.
func (r *Run[V]) setVar(s rules.Set, slot int, v V) error {
	x := &r.Sys.Vars[slot]
	fits, err := r.D.Fits(v, x)
	if err != nil {
		return err
	}
	if !fits {
		return r.D.Fault(diag.Overflow, s.At, func() (string, string) {
			n, _, _ := r.D.Pick(v)
			return overflow(r.Sys, x, n)
		})
	}
	r.S.Vars[slot] = v
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
func (r *Run[V]) setRegister(s rules.Set, reg int, v V) error {
	switch reg {
	case rules.RankReg:
		r.Rank = v
		return nil
	case rules.NextReg:
		next, err := r.Known(v)
		if err == nil && (next < 0 || next >= len(r.Sys.Players)) {
			// formulas come to this only on a path that no state takes
			return r.D.Fault(diag.Overflow, s.At, func() (string, string) {
				return fmt.Sprintf("player %d, who does not exist, is to move next", next), ""
			})
		}
		r.Next = next
		return err
	}
	return fmt.Errorf("exec: register %d cannot be set", reg)
}

// transfer evaluates number and pits, in this order, before it moves a seed.
func (r *Run[V]) transfer(s rules.Transfer) error {
	r.at = s.At
	if s.Count == nil {
		return r.transferAll(s)
	}
	count, err := r.Eval(s.Count)
	if err != nil {
		return err
	}
	from, err := r.Pit(s.From)
	if err != nil {
		return err
	}
	into, err := r.Pit(s.Into)
	if err != nil {
		return err
	}
	return r.D.Transfer(&count, from, into, s.At)
}

// transferAll moves all seeds of a pit. `none` has no seeds, and a pit keeps what goes into itself,
// so the domain sees neither.
func (r *Run[V]) transferAll(s rules.Transfer) error {
	into, err := r.Pit(s.Into)
	if err != nil {
		return err
	}
	from, err := r.PitOrNone(s.From)
	if err != nil || from == rules.None || from == into {
		return err
	}
	return r.D.Transfer(nil, from, into, s.At)
}
