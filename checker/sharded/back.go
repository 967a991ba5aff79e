package sharded

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/phase"
)

// goBack returns the phase that looks for a state before the last one of the path, in the level
// before; if there is no such level, the path begins with a start.
func (n *next) goBack() (*phase.Phase, error) {
	depth := n.depth() - len(n.Path)
	if depth < 0 {
		return n.done()
	}
	blocks, err := n.levelBlocks(n.ctx, n.state, depth)
	if err != nil {
		return nil, err
	}
	tasks, err := n.slices(blocks, func(s []slice) any { return s })
	return newPhase(backPhase, n.state, tasks), err
}

// back looks for the first state, in the order of keys, with a step to the last state of the path.
func (w *work) back() (phase.Result, error) {
	var list []slice
	if err := decode(w.phase.Tasks[w.task].Args, &list); err != nil {
		return phase.Result{}, err
	}
	part, err := forward.NewPart(w.ctx, w.rules, w.codec, w.depth(), forward.Query{}, nil)
	if err != nil {
		return phase.Result{}, err
	}
	var first []uint64
	to := w.Path[len(w.Path)-1]
	err = w.each(list, func(keys []uint64) error {
		if first != nil {
			return nil
		}
		found, err := part.Before(keys, to)
		first = slices.Clone(found)
		return err
	})
	return phase.Result{Tally: encode(first)}, err
}

// afterBack adds the first of what was found to the path.
func (n *next) afterBack() (*phase.Phase, error) {
	for _, r := range n.results {
		var key []uint64
		if err := decode(r.Tally, &key); err != nil {
			return nil, err
		}
		if key != nil { // tasks are in the order of keys
			n.Path = append(n.Path, key)
			return n.goBack()
		}
	}
	return nil, fmt.Errorf("no step leads to state %x", n.Path[len(n.Path)-1])
}
