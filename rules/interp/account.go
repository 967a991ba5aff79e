package interp

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// Moved is seeds that change their place in a move.
type Moved struct {
	From, Into int        // pits; None is the hand that sows
	Seeds      int        // how many
	At         diag.Range // the rule that says so
}

// moved tells of seeds that change their place.
func (d *numbers) moved(m Moved) {
	if d.tell != nil && m.Seeds > 0 && m.From != m.Into {
		d.tell(m)
	}
}

// Account tells what a legal action of s does, and the reactions after it, in order: a sowing as
// the seeds taken up and then one by one as they fall, a capture as one. Applied to the seeds of s
// one after another, they give those of the state that the action leads to.
func (in *Interp) Account(s rules.State, action int) ([]Moved, error) {
	var list []Moved
	d, seen, a := &numbers{}, &faults{}, &in.sys.Actions[action]
	legal, err := in.try(d, s, action, seen)
	if err == nil && !legal {
		err = fmt.Errorf("interp: action %d is not legal", action)
	}
	if err != nil {
		return nil, err
	}
	d.begin(in, s, len(a.Locals), in.sys.Moves[a.Move].At)
	d.seen, d.tell = seen, func(m Moved) { list = append(list, m) }
	d.own()
	if _, err := d.run.Body(a); err != nil {
		return nil, err
	}
	_, err = play{action, d}.conclude()
	return list, err
}
