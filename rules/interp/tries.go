package interp

import (
	"errors"
	"sync"

	"github.com/mancheck/mancheck/internal/lists"
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
	a := &in.sys.Actions[action]
	if a.Mover != s.Mover {
		return false, nil
	}
	if err := in.ctx.Err(); err != nil {
		return false, err
	}
	d.begin(in, s, len(a.Locals), in.sys.Moves[a.Move].At)
	d.seen = seen
	for _, part := range in.guard(action) {
		if ok, err := d.run.Holds(part); err != nil || !ok {
			return false, err
		}
	}
	d.own()
	return d.run.Body(a)
}

// guard lists the conditions of an action, which all have to hold. On a wide board a guard joins
// one for each pit, and the first of them is nested so deep that getting there takes longer than
// most answers.
func (in *Interp) guard(action int) []rules.Expr { return in.actions.of(in.sys).guards[action] }

// actions is what play needs to know of the actions of a System.
type actions struct {
	once   sync.Once
	guards [][]rules.Expr // by action
	ranks  []bool         // by player: some action has a `prefer`
}

func (a *actions) of(sys *rules.System) *actions {
	a.once.Do(func() {
		a.guards = lists.Map(sys.Actions, func(x rules.Action) []rules.Expr { return rules.Conjuncts(x.Guard) })
		a.ranks = sys.Ranked()
	})
	return a
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
		if err = seen.aside(err); err != nil {
			return false, err
		}
	}
	return false, nil
}
