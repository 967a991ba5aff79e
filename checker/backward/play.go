package backward

import (
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/internal/limit"
)

// Play returns the actions of a shortest way from state i to the goal. No way is recorded in the
// search: each step is to the first of the states one move nearer to the goal, and its action the
// first that leads there. The error is a failure of the tool.
func (r *Result) Play(i int) ([]int, error) {
	var actions []int
	for i >= r.Targets {
		action, next, err := r.step(i)
		if err != nil {
			return nil, err
		}
		actions = append(actions, action)
		i = next
	}
	return actions, nil
}

// distance returns the moves from state i to the goal.
func (r *Result) distance(i int) int {
	d := 0
	for d < len(r.Levels) && i >= r.Levels[d] {
		i -= r.Levels[d]
		d++
	}
	return d
}

// level returns the numbers from which and up to which states have this distance.
func (r *Result) level(distance int) (from, to int) {
	for _, n := range r.Levels[:distance] {
		from += n
	}
	return from, from + r.Levels[distance]
}

// step returns the first step of a shortest way from state i to the goal.
func (r *Result) step(i int) (action, next int, err error) {
	v := r.inverse
	from, to := r.level(r.distance(i) - 1)
	s, next := pack.NewFlat(v.sys), to
	r.states.read(i, s)
	for a := range v.actions {
		after, legal, err := v.player.Do(s, a)
		if limit.Ended(err) {
			return 0, 0, err
		}
		if err != nil || !legal {
			continue
		}
		if j, known := r.states.find(after); known && from <= j && j < next {
			action, next = a, j
		}
	}
	if next == to {
		return 0, 0, hard("state %d of the set has no step towards the goal", i)
	}
	return action, next, nil
}
