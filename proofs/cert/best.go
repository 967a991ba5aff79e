package cert

import (
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/proofs/cert/internal/partial"
	"github.com/mancheck/mancheck/rules/build"
)

// bestContest asks which moves of positions keep their value. The strategies show bounds on what
// the states after each move are worth.
type bestContest struct {
	*build.BestMoves
	values valueContest
	m      *partial.Machine
}

func (c *bestContest) aim(s *Strategy) (aim, error) { return c.values.aim(s) }

// position returns the bounds that follow from those of the states after each move, and the best
// moves if these bounds decide them.
func (c *bestContest) position(s partial.State, in lister) (Position, error) {
	if !s.Live() {
		p, err := c.values.position(s, in)
		if p.Worth.Lo == p.Worth.Hi {
			p.Best = []string{} // a finished position has no moves, and so no best ones
		}
		return p, err
	}
	steps, err := c.m.Player().Steps(s)
	if err != nil {
		return Position{}, err
	}
	if len(steps) == 0 {
		// The worth of a stuck position is not known; see payoff.
		return Position{Worth: c.values.any()}, nil
	}
	worths := make([]num.Interval, len(steps))        // to the player to move
	worth := num.Interval{Lo: -num.Inf, Hi: -num.Inf} // of the position, by the steps so far
	for i, step := range steps {
		p, err := c.values.position(step.To, in)
		if err != nil {
			return Position{}, err
		}
		if worths[i] = p.Worth; s.Mover > 0 {
			worths[i] = p.Worth.Negated()
		}
		worth.Lo, worth.Hi = max(worth.Lo, worths[i].Lo), max(worth.Hi, worths[i].Hi)
	}
	p := Position{Worth: worth}
	if s.Mover > 0 {
		p.Worth = worth.Negated()
	}
	p.Best, err = c.best(s, steps, worths, worth)
	return p, err
}

// best lists the moves that are worth as much as the position, in their notation. worths has the
// bounds of each step to the player to move, and worth those of the position. It returns nil if
// some move is undecided.
func (c *bestContest) best(s partial.State, steps []partial.Step, worths []num.Interval, worth num.Interval) ([]string, error) {
	best := []string{}
	for i, w := range worths {
		if w.Hi < worth.Lo {
			continue
		}
		if w != num.Point(worth.Hi) {
			return nil, nil
		}
		text, err := c.m.Notation(steps[i].Action, s)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(best, text) {
			best = append(best, text)
		}
	}
	return best, nil
}

func (c *bestContest) judge(p *Position) (is, isNot bool) {
	if p.Best == nil {
		return false, false
	}
	same := c.Are(p.Best)
	return same, !same
}
