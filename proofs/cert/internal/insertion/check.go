package insertion

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/family"
)

// Check checks all conditions. goals are the outcomes that the set is to keep from being reached.
func Check(sys *rules.System, set Set, seams []family.Seam, goals []int) error {
	c := &checking{sys: sys, set: set, seams: seams}
	for v := range sys.Vars {
		x := &sys.Vars[v]
		if x.Type == rules.PitType && slices.ContainsFunc(x.Domain, c.atSeam) {
			c.moving = append(c.moving, v)
		}
	}
	for _, part := range []func(){c.board, c.states, c.starts, func() { c.targets(goals) }, c.actions, c.reactions} {
		if part(); c.err != nil {
			return c.err
		}
	}
	return nil
}
