package sharded

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/sorted"
	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/lists"
)

// about describes a block that is a table of keys.
type about struct {
	Table   sorted.File
	Blocks  int             // of the table
	First   []uint64        // its first key
	Last    []uint64        // and its last one
	Samples []sorted.Sample `json:",omitempty"` // keys at equal distances
}

// described is a block with its description.
type described struct {
	phase.Block
	about about
}

// describe decodes the descriptions of blocks.
func describe(blocks []phase.Block) []described {
	return lists.Map(blocks, func(b phase.Block) described {
		d := described{b, phase.Decode[about](b.About)}
		if d.about.Blocks < 1 { // its states would be left out
			panic(phase.Wrong{Err: fmt.Errorf("the description of %s says that it has no keys", depot.Block(b.Hash))})
		}
		return d
	})
}

// cut cuts runs of these numbers of blocks from a list, and returns what is left of that, too.
func cut(list []phase.Block, sizes []int) (runs [][]phase.Block, left []phase.Block) {
	for _, n := range sizes {
		runs, list = append(runs, list[:n]), list[n:]
	}
	return runs, list
}

// bare returns blocks without the samples in their descriptions.
func bare(blocks []phase.Block) []phase.Block {
	return lists.Map(describe(blocks), func(b described) phase.Block {
		b.about.Samples = nil
		b.About = phase.Encode(b.about)
		return b.Block
	})
}

// shape returns the shape of tables. It is part of the format: the same keys must give the same
// bytes.
func shape(words int) sorted.Shape { return sorted.Shape{Words: words, Block: max(16, 4096/words)} }

// write writes a table, which fill fills, as output number k of the task. Without keys it writes no
// block.
func (w *work) write(k int, fill func(to *sorted.Writer, use *sorted.Lease) error) ([]phase.Block, error) {
	use := w.pool.Lease()
	defer use.Release()
	to, err := depot.NewWriter(w.ctx, w.env.Depot)
	if err != nil {
		return nil, err
	}
	defer to.Drop()
	number := int64(w.phase.Number)<<32 | int64(w.task)<<2 | int64(k)
	s := shape(w.codec.Words())
	out := sorted.NewWriter(to, number, s, 1<<20, use)
	if err := fill(out, use); err != nil {
		return nil, err
	}
	f, err := out.Finish()
	if err != nil || f.Keys == 0 {
		return nil, err
	}
	b := phase.Block{}
	if b.Hash, b.Size, err = to.Keep(w.ctx); err != nil {
		return nil, err
	}
	t, err := w.open(b, about{Table: f})
	if err != nil {
		return nil, err
	}
	a := about{Table: f, Blocks: t.Blocks(), Last: t.Last()}
	if a.Samples, err = t.Samples(); err == nil {
		a.First = a.Samples[0].Key
	}
	b.About = phase.Encode(a)
	return []phase.Block{b}, errors.Join(err, t.Close())
}

// open opens a block as a table.
func (w *work) open(b phase.Block, a about) (*sorted.Table, error) {
	from, err := depot.OpenBlock(w.ctx, w.env.Depot, b.Hash, b.Size)
	if err != nil {
		return nil, err
	}
	name := depot.Block(b.Hash)
	t, err := sorted.Open(from, name, a.Table, w.codec.Words())
	if err != nil || a.Blocks == 0 {
		return t, err
	}
	if err := a.fits(t); err != nil {
		return nil, errors.Join(&depot.DamagedError{Name: name, Detail: err.Error()}, t.Close())
	}
	return t, nil
}

// fits verifies the description of a table, since it decides which tasks read the table, and no
// state may be left out.
func (a *about) fits(t *sorted.Table) error {
	first, err := t.First()
	if err != nil {
		return err
	}
	if t.Blocks() != a.Blocks || !slices.Equal(first, a.First) || !slices.Equal(t.Last(), a.Last) {
		return errors.New("it has other keys than its receipt says")
	}
	return nil
}

// tables opens the blocks of runs that have keys of a range. After an error none of them is open.
func (w *work) tables(r sorted.Range, runs [][]phase.Block) ([][]*sorted.Table, error) {
	list := lists.Map(runs, func(blocks []phase.Block) []described {
		return lists.Filter(describe(blocks), func(b described) bool { return b.about.meets(r) })
	})
	return sorted.OpenAll(list, func(b described) (*sorted.Table, error) { return w.open(b.Block, b.about) })
}

// damaged turns an error about a table into one about its block.
func damaged(err error) error {
	if bad := (*sorted.CorruptError)(nil); errors.As(err, &bad) {
		return &depot.DamagedError{Name: bad.File, Detail: bad.Detail}
	}
	return err
}

// keysOf returns the number of keys in blocks.
func keysOf(blocks []described) int64 {
	return lists.Sum(blocks, func(b described) int64 { return b.about.Table.Keys })
}

// meets reports whether a table may have keys of a range.
func (a *about) meets(r sorted.Range) bool {
	return (r.Hi == nil || sorted.Compare(a.First, r.Hi) < 0) && (r.Lo == nil || sorted.Compare(a.Last, r.Lo) >= 0)
}

// slice is a range of blocks of a table.
type slice struct{ From, To int }

// each calls f with the keys of slices of the inputs of the task.
func (w *work) each(list []slice, f func(keys []uint64) error) error {
	for i, part := range list {
		if err := w.read(w.phase.Tasks[w.task].Inputs[i], part, f); err != nil {
			return err
		}
	}
	return nil
}

// read calls f with the keys of a slice of a block.
func (w *work) read(b phase.Block, part slice, f func(keys []uint64) error) error {
	tables, err := w.tables(sorted.Range{}, [][]phase.Block{{b}})
	if err != nil {
		return err
	}
	use := w.pool.Lease()
	defer use.Release()
	c := sorted.NewCursor(tables[0], sorted.Range{}, use)
	for k := part.From; k < part.To && err == nil; k++ {
		var keys []uint64
		if keys, err = c.Block(k); err == nil {
			err = f(keys)
		}
		if err == nil {
			err = context.Cause(w.ctx)
		}
	}
	return errors.Join(err, sorted.CloseAll(tables))
}

// ranges divides the keys of blocks into ranges, one for each task.
func (s *Search) ranges(blocks []phase.Block) []sorted.Range {
	all := describe(blocks)
	samples := lists.Flat(all, func(b described) []sorted.Sample { return b.about.Samples })
	return sorted.Ranges(samples, s.parts(keysOf(all)))
}

// parts returns the number of parts for a number of keys.
func (s *Search) parts(keys int64) int64 { return max(1, min(int64(s.Shards), keys/s.Least)) }

// slices divides the tables in a list of blocks into tasks with equally many blocks of tables. args
// makes the arguments of a task from its slices, one for each of its inputs.
func (s *Search) slices(blocks []phase.Block, args func([]slice) any) (tasks []phase.Task) {
	all := describe(bare(blocks))
	total := lists.Sum(all, func(b described) int { return b.about.Blocks })
	parts := min(int(s.parts(keysOf(all))), max(total, 1))
	for p := range parts {
		from, to := total*p/parts, total*(p+1)/parts
		var t phase.Task
		var list []slice
		for _, b := range all {
			n := b.about.Blocks
			if lo, hi := max(from, 0), min(to, n); lo < hi {
				t.Inputs = append(t.Inputs, b.Block)
				list = append(list, slice{lo, hi})
			}
			from, to = from-n, to-n
		}
		t.Args = phase.Encode(args(list))
		tasks = append(tasks, t)
	}
	return tasks
}

// levelBlocks returns the blocks of a level. It caches them.
func (s *Search) levelBlocks(ctx context.Context, st *state, depth int) ([]phase.Block, error) {
	number := st.At[depth]
	s.mu.Lock()
	list, known := s.levels[number]
	s.mu.Unlock()
	if known {
		return list, nil
	}
	p, err := s.history(ctx, number)
	if err != nil {
		return nil, err
	}
	list = news(depth, p.Results)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.levels[number] = list
	return list, nil
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

// allLevels returns the blocks of all levels.
func (s *Search) allLevels(ctx context.Context, st *state) ([][]phase.Block, error) {
	var levels [][]phase.Block
	for depth := range st.Sizes {
		list, err := s.levelBlocks(ctx, st, depth)
		if err != nil {
			return nil, err
		}
		levels = append(levels, list)
	}
	return levels, nil
}

// Keep implements phase.Keeper. The levels stay, since they are the evidence.
func (s *Search) Keep(ctx context.Context, p *phase.Phase) (map[string]bool, error) {
	st := phase.Decode[state](p.State)
	levels, err := s.allLevels(ctx, &st)
	if err != nil {
		return nil, err
	}
	keep := slices.Concat(levels...)
	if p.Name == expandPhase || p.Name == mergePhase {
		keep = append(keep, lists.Flat(st.Known, func(r run) []phase.Block { return r.Blocks })...)
	}
	if p.Name == confirmPhase { // the next phase needs the stuck states
		keep = append(keep, lists.Flat(p.Results, func(r phase.Result) []phase.Block { return r.Outputs })...)
	}
	return phase.Hashes(keep), nil
}

// Checks implements phase.Prover.
func (s *Search) Checks(p *phase.Phase) bool {
	return p.Name == recheckPhase || p.Name == confirmPhase || p.Name == stuckPhase
}
