package interp

import (
	"errors"

	"github.com/mancheck/mancheck/rules"
)

// faults records which actions of a state have a fault of the rules.
type faults struct {
	first     *RuleError
	after     int                // the action after which the first one was met; none: in the state itself
	concluded int                // the action whose result is looked at; none: no action was played
	actions   map[int]*RuleError // actions of the state in question
}

// none is no action.
const none = -1

func noFaults() faults { return faults{after: none, concluded: none} }

// aside records a fault that does not belong to an action of the current state. It returns other
// errors, and nil if there is none.
func (f *faults) aside(err error) error {
	fault, is := errors.AsType[*RuleError](err)
	if !is {
		return err
	}
	if f != nil && f.first == nil {
		f.first, f.after = fault, f.concluded
	}
	return nil
}

// note is aside for a fault of an action.
func (f *faults) note(action int, err error) error {
	if fault, is := errors.AsType[*RuleError](err); is {
		if f.actions == nil {
			f.actions = map[int]*RuleError{}
		}
		f.actions[action] = fault
	}
	return f.aside(err)
}

// try executes the body of an action on a copy of s, in a run of d.
func (in *Interp) try(d *numbers, s rules.State, action int, seen *faults) (legal bool, err error) {
	if in.sys.Actions[action].Mover != s.Mover {
		return false, nil
	}
	if err := in.ctx.Err(); err != nil {
		return false, err
	}
	a := in.program.Action(action)
	d.begin(in, s, len(a.Locals), a.At)
	d.seen = seen
	if legal, err = d.run.Guard(a); err != nil || !legal {
		return false, err
	}
	d.own()
	return d.run.Body(a)
}

// canMove is CanMove, which counts fallbacks or not. The runs are made of d.
func (in *Interp) canMove(d *numbers, s rules.State, fallbacks bool, seen *faults) (bool, error) {
	if !s.Live() {
		return false, nil
	}
	for i := range in.sys.Actions {
		if in.sys.Actions[i].Fallback && !fallbacks {
			continue
		}
		legal, err := in.try(d, s, i, seen)
		if err == nil && legal {
			return true, nil
		}
		if err == nil {
			continue
		}
		if err = seen.aside(err); err != nil {
			return false, err
		}
	}
	return false, nil
}
