package sharded

import (
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/sorted"
	"github.com/mancheck/mancheck/internal/lists"
)

// merging says which inputs of the phase are candidates, which are known runs, and how many of
// these a merge task folds into one.
type merging struct {
	sorted.Range
	Candidates int
	Known      []int // number of blocks of each run
	Fold       int   // number of runs, from the first, that are folded into one
}

// merge writes the candidates of a range that are not known, and its part of the run that results
// from folding known runs.
func (w *work) merge() (phase.Result, error) {
	m := phase.Decode[merging](w.args())
	candidates := lists.Map(w.phase.Inputs[:m.Candidates], func(b phase.Block) []phase.Block { return []phase.Block{b} })
	known, _ := cut(w.phase.Inputs[m.Candidates:], m.Known)
	fresh, err := w.mergeRange(0, m.Range, candidates, known)
	if err != nil {
		return phase.Result{}, err
	}
	folded, err := w.mergeRange(1, m.Range, known[:m.Fold], nil)
	return phase.Result{Outputs: append(fresh, folded...), Tally: phase.Encode(len(folded))}, err
}

// mergeRange writes the keys of a range that are in some runs and in none of the known ones.
func (w *work) mergeRange(k int, r sorted.Range, runs, known [][]phase.Block) ([]phase.Block, error) {
	if len(runs) == 0 {
		return nil, nil
	}
	open, err := w.tables(r, slices.Concat(runs, known))
	if err != nil {
		return nil, err
	}
	blocks, err := w.write(k, func(to *sorted.Writer, use *sorted.Lease) error {
		return sorted.Pour(w.ctx, to, sorted.Merge(to.Shape, r, nil, open[:len(runs)], open[len(runs):], use))
	})
	return blocks, errors.Join(err, sorted.CloseAll(open))
}

// news returns the blocks of the level that a phase has made. For the first level, these are all
// outputs of the phase that lists the starts.
func news(depth int, results []phase.Result) []phase.Block {
	return lists.Flat(results, func(r phase.Result) []phase.Block {
		if depth == 0 {
			return r.Outputs
		}
		return r.Outputs[:len(r.Outputs)-phase.Decode[int](r.Tally)]
	})
}
