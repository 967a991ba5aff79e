package sharded

import (
	"context"
	"fmt"

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
