package interp

import (
	"fmt"

	"github.com/mancheck/mancheck/rules"
)

// Account tells what a legal action of s does, and the reactions after it, in order: a sowing as
// the seeds taken up and then one by one as they fall, a capture as one. Applied to the seeds of s
// one after another, they give those of the state that the action leads to.
func (in *Interp) Account(s rules.State, action int) ([]Moved, error) {
	var list []Moved
	d := &numbers{memory: memory{tell: func(m Moved) { list = append(list, m) }}}
	seen := noFaults()
	legal, err := in.try(d, s, action, &seen)
	if err == nil && !legal {
		err = fmt.Errorf("interp: action %d is not legal", action)
	}
	if err != nil {
		return nil, err
	}
	_, err = play{action, d}.conclude()
	return list, err
}
