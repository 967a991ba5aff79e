package sharded

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/sorted"
	"github.com/mancheck/mancheck/internal/lists"
)

// next computes the phase after a complete phase.
type next struct {
	*Search
	*state
	ctx     context.Context
	last    *phase.Phase
	results []phase.Result
}

// afterStarts makes the starts the first level.
func (n *next) afterStarts() (*phase.Phase, error) {
	n.Room = phase.Decode[listed](n.results[0].Tally).Room
	return n.level()
}

// level makes the outputs of the last phase the next level, and returns the phase that examines it.
func (n *next) level() (*phase.Phase, error) {
	blocks := news(len(n.Sizes), n.results)
	keys := keysOf(describe(blocks))
	if keys == 0 {
		return n.recheckAll()
	}
	n.Sizes, n.At = append(n.Sizes, keys), append(n.At, n.last.Number+1)
	n.Known = append(n.Known, run{Keys: keys, Blocks: bare(blocks)})
	return newPhase(expandPhase, n.state, n.slices(blocks, func(s []slice) any { return s })), nil
}

// afterExpand continues with the merge, or with the way back from a state that ends the search.
func (n *next) afterExpand() (*phase.Phase, error) {
	var candidates []phase.Block
	for _, r := range n.results {
		f := phase.Decode[forward.Figures](r.Tally)
		n.Figures.Add(&f)
		candidates = append(candidates, r.Outputs...)
	}
	switch {
	case n.Figures.Hit != nil:
		n.Path = [][]uint64{n.Figures.Hit.Key}
		return n.goBack()
	case n.Figures.Fault != nil:
		n.Path = [][]uint64{n.Figures.Fault.Key}
		return n.goBack()
	}
	return n.mergeNext(candidates)
}

// mergeNext returns the phase that merges candidates.
func (n *next) mergeNext(candidates []phase.Block) (*phase.Phase, error) {
	if len(candidates) == 0 {
		return n.recheckAll()
	}
	m := merging{Candidates: len(candidates)}
	if len(n.Known) > sorted.MostKnown {
		m.Fold = sorted.Fold(n.Known, func(r run) int64 { return r.Keys })
	}
	inputs := bare(candidates)
	for _, r := range n.Known {
		m.Known = append(m.Known, len(r.Blocks))
		inputs = append(inputs, r.Blocks...)
	}
	var tasks []phase.Task
	for _, r := range n.ranges(candidates) {
		m.Range = r
		tasks = append(tasks, phase.Task{Args: phase.Encode(m)})
	}
	return newPhase(mergePhase, n.state, tasks, inputs...), nil
}

// afterMerge makes the new states the next level.
func (n *next) afterMerge() (*phase.Phase, error) {
	if m := phase.Decode[merging](n.last.Tasks[0].Args); m.Fold > 0 {
		n.Known = append([]run{n.folded(m.Fold)}, n.Known[m.Fold:]...)
	}
	return n.level()
}

// folded returns the run into which the first k known runs were folded.
func (n *next) folded(k int) (r run) {
	r.Keys = lists.Sum(n.Known[:k], func(old run) int64 { return old.Keys })
	r.Blocks = bare(lists.Flat(n.results, func(r phase.Result) []phase.Block {
		return r.Outputs[len(r.Outputs)-phase.Decode[int](r.Tally):]
	}))
	return r
}

// goBack returns the phase that looks in the level before for a predecessor of the last state of
// the path. If there is no level before, the path has reached a start.
func (n *next) goBack() (*phase.Phase, error) {
	depth := n.depth() - len(n.Path)
	if depth < 0 {
		return n.done()
	}
	blocks, err := n.levelBlocks(n.ctx, n.state, depth)
	if err != nil {
		return nil, err
	}
	return newPhase(backPhase, n.state, n.slices(blocks, func(s []slice) any { return s })), nil
}

// afterBack adds the first predecessor that was found to the path.
func (n *next) afterBack() (*phase.Phase, error) {
	for _, r := range n.results {
		if key := phase.Decode[[]uint64](r.Tally); key != nil { // tasks are in the order of keys
			n.Path = append(n.Path, key)
			return n.goBack()
		}
	}
	return nil, fmt.Errorf("no step leads to state %x", n.Path[len(n.Path)-1])
}

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
