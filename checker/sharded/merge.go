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
	var m merging
	if err := decode(w.phase.Tasks[w.task].Args, &m); err != nil {
		return phase.Result{}, err
	}
	left := w.phase.Inputs
	candidates := lists.Map(left[:m.Candidates], func(b phase.Block) []phase.Block { return []phase.Block{b} })
	var known [][]phase.Block
	left = left[m.Candidates:]
	for _, n := range m.Known {
		known, left = append(known, left[:n]), left[n:]
	}
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
func news(depth int, results []phase.Result) (list []phase.Block, err error) {
	for _, r := range results {
		folded := 0
		if depth > 0 {
			if err := decode(r.Tally, &folded); err != nil {
				return nil, err
			}
		}
		list = append(list, r.Outputs[:len(r.Outputs)-folded]...)
	}
	return list, nil
}
