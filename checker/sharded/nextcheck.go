package sharded

import (
	"cmp"
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
		t, p := phase.Decode[rechecked](r.Tally), phase.Decode[place](n.last.Tasks[i].Args)
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
	var tasks []phase.Task
	for level := beforeAll; level < len(levels); level++ {
		both := slices.Clone(led[level+1])
		if level+1 < len(levels) {
			both = append(both, levels[level+1]...)
		}
		for _, r := range n.ranges(both) {
			tasks = append(tasks, phase.Task{Args: phase.Encode(confirming{r, level})})
		}
	}
	return newPhase(confirmPhase, n.state, tasks, bare(slices.Concat(slices.Concat(led...), slices.Concat(levels...)))...), nil
}

// afterConfirm ends the work.
func (n *next) afterConfirm() (*phase.Phase, error) {
	for _, r := range n.results {
		n.Wrong = cmp.Or(n.Wrong, phase.Decode[string](r.Tally))
	}
	n.Led, n.Levels = nil, nil
	if n.Wrong != "" || !n.StuckSteps || n.Figures.Stuck == 0 {
		return n.done()
	}
	return n.countStuck()
}

// stuckStates returns the blocks of stuck states that the recheck wrote. Its results are in the
// confirm phase.
func (n *next) stuckStates() []phase.Block {
	return lists.Flat(n.last.Results, func(r phase.Result) []phase.Block {
		return r.Outputs[len(r.Outputs)-phase.Decode[rechecked](r.Tally).Stuck:]
	})
}

// everywhere returns tasks that together read the states of all levels.
func (n *next) everywhere() (tasks []phase.Task, err error) {
	levels, err := n.allLevels(n.ctx, n.state)
	if err != nil {
		return nil, err
	}
	for depth, blocks := range levels {
		tasks = append(tasks, n.slices(blocks, func(s []slice) any { return place{depth, s} })...)
	}
	return tasks, nil
}

// countStuck returns the phase that counts the steps into stuck states.
func (n *next) countStuck() (*phase.Phase, error) {
	tasks, err := n.everywhere()
	return newPhase(stuckPhase, n.state, tasks, bare(n.stuckStates())...), err
}

// afterStuck adds up the steps.
func (n *next) afterStuck() (*phase.Phase, error) {
	n.IntoStuck += lists.Sum(n.results, func(r phase.Result) int64 { return phase.Decode[int64](r.Tally) })
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
	return newPhase(donePhase, n.state, nil, bare(slices.Concat(levels...))...), nil
}
