package sharded

import (
	"cmp"
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/sorted"
)

// merging says what a task merges: which of the inputs of the phase are the candidates, which the
// known runs, and how many of these it folds into one.
type merging struct {
	span
	Candidates int
	Known      []int // blocks of each run, one after another
	Fold       int   // the first runs, which become one; 0: none
}

// merge writes the candidates of a range that are not known, and the run that known ones of the
// range are folded into.
func (w *work) merge() (phase.Result, error) {
	var m merging
	if err := decode(w.phase.Tasks[w.task].Args, &m); err != nil {
		return phase.Result{}, err
	}
	left := w.phase.Inputs
	var candidates, known [][]phase.Block
	for _, b := range left[:m.Candidates] {
		candidates = append(candidates, []phase.Block{b})
	}
	left = left[m.Candidates:]
	for _, n := range m.Known {
		known, left = append(known, left[:n]), left[n:]
	}
	fresh, err := w.mergeRange(0, m.span, candidates, known)
	if err != nil {
		return phase.Result{}, err
	}
	folded, err := w.mergeRange(1, m.span, known[:m.Fold], nil)
	return phase.Result{Outputs: append(fresh, folded...), Tally: encode(len(folded))}, err
}

// mergeRange writes the keys of a range that are in some runs and in none of the known ones.
func (w *work) mergeRange(k int, s span, runs, known [][]phase.Block) ([]phase.Block, error) {
	if len(runs) == 0 {
		return nil, nil
	}
	open, err := w.tables(s, slices.Concat(runs, known))
	if err != nil {
		return nil, err
	}
	var pool sorted.Pool
	use := pool.Lease()
	defer use.Release()
	from := w.merged(s, open[:len(runs)], open[len(runs):], use)
	blocks, err := w.write(k, use, func(to *sorted.Writer) error { return sorted.Pour(w.ctx, to, from) })
	return blocks, errors.Join(err, sorted.CloseAll(open))
}

// merged is the stream of the keys of a range that are in some runs and in none of the known ones.
func (w *work) merged(s span, runs, known [][]*sorted.Table, use *sorted.Lease) sorted.Stream {
	words := w.codec.Words()
	var streams []sorted.Stream
	for _, tables := range runs {
		streams = append(streams, sorted.NewCursor(tables, s.Lo, s.Hi, use))
	}
	block := shape(words).Block * words
	from := sorted.Union(streams, words, func() []uint64 { return use.Words(block) })
	for _, tables := range known {
		from = sorted.Minus(words, from, sorted.NewCursor(tables, s.Lo, s.Hi, use))
	}
	return from
}

// mostKnown is the number of known runs above which some are folded. Every candidate is compared
// with all of them, but a lower number means more folding.
const mostKnown = 8

// mergeNext returns the phase that merges candidates.
func (n *next) mergeNext(candidates []phase.Block) (*phase.Phase, error) {
	if len(candidates) == 0 {
		return n.recheckAll()
	}
	spans, err := n.spans(candidates)
	if err != nil {
		return nil, err
	}
	m := merging{Candidates: len(candidates), Fold: n.fold()}
	var inputs []phase.Block
	for _, b := range candidates {
		b, err := bare(b)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, b)
	}
	for _, r := range n.Known {
		m.Known = append(m.Known, len(r.Blocks))
		inputs = append(inputs, r.Blocks...)
	}
	var tasks []phase.Task
	for _, s := range spans {
		m.span = s
		tasks = append(tasks, phase.Task{Args: encode(m)})
	}
	return newPhase(mergePhase, n.state, tasks, inputs...), nil
}

// fold puts the known runs in the order of their sizes, and returns how many of the smallest are
// folded: so many that together they have at least half as many keys as the next one. So each time
// a key gets into a run that is larger by a factor.
func (n *next) fold() int {
	if len(n.Known) <= mostKnown {
		return 0
	}
	slices.SortStableFunc(n.Known, func(a, b run) int { return cmp.Compare(a.Keys, b.Keys) })
	k, sum := 0, int64(0)
	for k < len(n.Known) && (k < 2 || n.Known[k].Keys <= 2*sum) {
		sum += n.Known[k].Keys
		k++
	}
	return k
}

// afterMerge makes what is new the next level.
func (n *next) afterMerge() (*phase.Phase, error) {
	var m merging
	if err := decode(n.last.Tasks[0].Args, &m); err != nil {
		return nil, err
	}
	if m.Fold > 0 {
		folded, err := n.folded(m.Fold)
		if err != nil {
			return nil, err
		}
		n.Known = append([]run{folded}, n.Known[m.Fold:]...)
	}
	return n.level()
}

// folded is the run that the first known runs became.
func (n *next) folded(k int) (r run, err error) {
	for _, old := range n.Known[:k] {
		r.Keys += old.Keys
	}
	for _, result := range n.results {
		k := 0
		if err := decode(result.Tally, &k); err != nil {
			return r, err
		}
		for _, b := range result.Outputs[len(result.Outputs)-k:] {
			b, err := bare(b)
			if err != nil {
				return r, err
			}
			r.Blocks = append(r.Blocks, b)
		}
	}
	return r, nil
}

// news returns the blocks of the level that a phase has made; those of the first level are all that
// the phase about the starts has.
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
