package play

import (
	"slices"
	"time"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// motion is a move being shown seed by seed.
type motion struct {
	player int
	before []int // the seeds before the move
	seeds  []int // as shown now
	hand   int
	at     int // the pit that the last seeds came from or went to
	rest   []interp.Moved
	frame  time.Duration // between two steps
	stride int           // movements shown in a step
}

// Times of motions. One may take at most half of what is left of the budget of a turn, so that many
// laps or forced moves do not take long.
const (
	motionBudget = 2 * time.Second
	longestFrame = 140 * time.Millisecond
	leastFrame   = 30 * time.Millisecond
	leastMotion  = 100 * time.Millisecond
)

// newMotion returns the motion of an action from a state within part of a budget, and how long it
// takes. It is nil if there is nothing to show, or no time.
func newMotion(g *game, action int, budget time.Duration) (*motion, time.Duration, error) {
	if action == interp.Offer || budget/2 < leastMotion {
		return nil, 0, nil
	}
	st := g.state()
	list, err := g.in.Account(st, action)
	if err != nil || len(list) == 0 {
		return nil, 0, err
	}
	m := &motion{player: st.Mover, before: st.Seeds, seeds: slices.Clone(st.Seeds), at: rules.None, rest: list}
	steps := len(list)
	m.frame = min(longestFrame, budget/2/time.Duration(steps))
	if m.frame < leastFrame {
		m.frame = leastFrame
		steps = int(budget / 2 / leastFrame)
	}
	m.stride = (len(list) + steps - 1) / steps
	return m, m.frame * time.Duration((len(list)+m.stride-1)/m.stride), nil
}

// step shows the next movements. It reports whether any is left.
func (m *motion) step() bool {
	n := min(m.stride, len(m.rest))
	for _, moved := range m.rest[:n] {
		if moved.From == rules.None {
			m.hand -= moved.Seeds
		} else {
			m.seeds[moved.From] -= moved.Seeds
			m.at = moved.From
		}
		if moved.Into == rules.None {
			m.hand += moved.Seeds
		} else {
			m.seeds[moved.Into] += moved.Seeds
			m.at = moved.Into
		}
	}
	m.rest = m.rest[n:]
	return len(m.rest) > 0
}
