package naive

import (
	"context"
	"math"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
)

// Never is the number of moves for a goal that cannot be forced. It exceeds any number in a claim.
const Never = math.MaxInt

// Force finds for each position of a claim in how many moves a player can force the goal, or Never,
// by playing from at most so many states.
// Starting with 0 for goals and Never for all else, it lowers the numbers until nothing changes,
// which gives the least fixpoint. Later states come first, since steps mostly lead to them.
func Force(ctx context.Context, sys *rules.System, most int, p *build.Force) (moves []int, err error) {
	on, err := explore(ctx, sys, most, &p.From)
	if err != nil {
		return nil, err
	}
	left := make([]int, len(on.states))
	for n := range left {
		is, err := on.in.Holds(p.Goal, on.states[n], nil)
		if err != nil {
			return nil, err
		}
		if left[n] = Never; is {
			left[n] = 0
		}
	}
	for changed := true; changed; {
		if err := on.ctx.Err(); err != nil {
			return nil, err
		}
		changed = false
		for n := len(left) - 1; n >= 0; n-- {
			if k := on.forced(p, left, n); k < left[n] {
				left[n], changed = k, true
			}
		}
	}
	return lists.Map(on.starts, func(n int) int { return left[n] }), nil
}

// forced returns in how many moves the goal is forced in a state, given the numbers of its
// successors: the least of them if the player is to move, and else the greatest, plus one. In a
// state without moves nothing changes any more.
func (g *graph) forced(p *build.Force, left []int, n int) int {
	if left[n] == 0 || len(g.steps[n]) == 0 {
		return left[n]
	}
	mine := g.states[n].Mover == p.Player
	k := left[g.steps[n][0].to]
	for _, e := range g.steps[n] {
		if mine {
			k = min(k, left[e.to])
		} else {
			k = max(k, left[e.to])
		}
	}
	if k == Never {
		return Never
	}
	return k + 1
}
