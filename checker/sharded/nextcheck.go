package sharded

import (
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/internal/lists"
)

// recheckAll returns the phase in which the reference interpreter plays the moves of all states,
// and lists the starts again.
func (n *next) recheckAll() (*phase.Phase, error) {
	tasks, err := n.everywhere()
	if err != nil {
		return nil, err
	}
	tasks = append([]phase.Task{{Args: phase.Encode(place{Level: beforeAll})}}, tasks...)
	return newPhase(recheckPhase, n.state, tasks), nil
}

// afterRecheck compares the figures with those of the search, and returns the phase that compares
// the levels.
func (n *next) afterRecheck() (*phase.Phase, error) {
	var figures forward.Figures
	led := make([][]phase.Block, len(n.Sizes)+1) // by level, from before the first one on
	for i, r := range n.results {
		var t rechecked
		var p place
		if err := errors.Join(decode(r.Tally, &t), decode(n.last.Tasks[i].Args, &p)); err != nil {
			return nil, err
		}
		figures.Add(t.Figures)
		led[p.Level+1] = append(led[p.Level+1], r.Outputs[:len(r.Outputs)-t.Stuck]...)
		if t.Bad != nil {
			n.Wrong = fmt.Sprintf("state %x of level %d satisfies the goal, or a condition has no value in it, but the search did not find it", t.Bad, p.Level)
			return n.done()
		}
	}
	if f := figures.Fault; f != nil {
		n.Wrong = fmt.Sprintf("in state %x the search missed a fault of the rules: %s", f.Key, f.Why)
		return n.done()
	}
	if a, b := phase.Encode(figures), phase.Encode(n.Figures); len(n.Sizes) > 0 && string(a) != string(b) {
		n.Wrong = fmt.Sprintf("the figures of the search are %s, but those of the interpreter are %s", b, a)
		return n.done()
	}
	return n.confirmAll(led)
}

// confirmAll returns the phase that compares each level with the successors of the level before.
// Its inputs are the successors of all levels, followed by all levels.
func (n *next) confirmAll(led [][]phase.Block) (*phase.Phase, error) {
	levels, err := n.allLevels(n.ctx, n.state)
	if err != nil {
		return nil, err
	}
	count := func(blocks []phase.Block) int { return len(blocks) }
	n.Led, n.Levels = lists.Map(led, count), lists.Map(levels, count)
	inputs, err := bare(slices.Concat(slices.Concat(led...), slices.Concat(levels...)))
	if err != nil {
		return nil, err
	}
	var tasks []phase.Task
	for level := beforeAll; level < len(levels); level++ {
		both := slices.Clone(led[level+1])
		if level+1 < len(levels) {
			both = append(both, levels[level+1]...)
		}
		ranges, err := n.ranges(both)
		if err != nil {
			return nil, err
		}
		for _, r := range ranges {
			tasks = append(tasks, phase.Task{Args: phase.Encode(confirming{r, level})})
		}
	}
	return newPhase(confirmPhase, n.state, tasks, inputs...), nil
}

// afterConfirm ends the work.
func (n *next) afterConfirm() (*phase.Phase, error) {
	for _, r := range n.results {
		wrong := ""
		if err := decode(r.Tally, &wrong); err != nil {
			return nil, err
		}
		if wrong != "" && n.Wrong == "" {
			n.Wrong = wrong
		}
	}
	n.Led, n.Levels = nil, nil
	if n.Wrong != "" || !n.StuckSteps || n.Figures.Stuck == 0 {
		return n.done()
	}
	stuck, err := n.stuckStates()
	if err != nil {
		return nil, err
	}
	return n.countStuck(stuck)
}

// stuckStates returns the blocks of stuck states that the recheck wrote. Its results are in the
// confirm phase.
func (n *next) stuckStates() (list []phase.Block, err error) {
	for _, r := range n.last.Results {
		var t rechecked
		if err := decode(r.Tally, &t); err != nil {
			return nil, err
		}
		list = append(list, r.Outputs[len(r.Outputs)-t.Stuck:]...)
	}
	return list, nil
}

// everywhere returns tasks that together read the states of all levels.
func (n *next) everywhere() (tasks []phase.Task, err error) {
	levels, err := n.allLevels(n.ctx, n.state)
	if err != nil {
		return nil, err
	}
	for depth, blocks := range levels {
		more, err := n.slices(blocks, func(s []slice) any { return place{depth, s} })
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, more...)
	}
	return tasks, nil
}

// countStuck returns the phase that counts the steps into stuck states.
func (n *next) countStuck(stuck []phase.Block) (*phase.Phase, error) {
	tasks, err := n.everywhere()
	if err != nil {
		return nil, err
	}
	stuck, err = bare(stuck)
	return newPhase(stuckPhase, n.state, tasks, stuck...), err
}

// afterStuck adds up the steps.
func (n *next) afterStuck() (*phase.Phase, error) {
	for _, r := range n.results {
		steps := int64(0)
		if err := decode(r.Tally, &steps); err != nil {
			return nil, err
		}
		n.IntoStuck += steps
	}
	return n.done()
}

// done returns the last phase. Its state is the result, and its inputs are the levels, which are
// the evidence.
func (n *next) done() (*phase.Phase, error) {
	levels, err := n.allLevels(n.ctx, n.state)
	if err != nil {
		return nil, err
	}
	n.Known = nil
	inputs, err := bare(slices.Concat(levels...))
	return newPhase(donePhase, n.state, nil, inputs...), err
}
