package disk

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/mancheck/mancheck/checker/sorted"
	"github.com/mancheck/mancheck/checker/store"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
)

// fewPerThread is the number of keys for which another thread pays off.
const fewPerThread = 1 << 16

// Settle implements store.Store. It makes the candidates that are in no earlier level the next
// level, and returns the number of keys in all levels. After an error, including the context's, the
// Store must be opened again.
func (s *Store) Settle(int64) (int64, error) {
	err := s.Err()
	if err == nil {
		err = s.endLevel()
	}
	if err == nil {
		err = s.limitKnown()
	}
	if err != nil {
		return 0, s.fail(err)
	}
	return lists.Sum(s.manifest.Levels, run.keys), nil
}

func (s *Store) endLevel() error {
	in, err := s.gather(s.runsKnown())
	if err != nil {
		return err
	}
	level, err := s.merge(in)
	if err != nil {
		return err
	}
	for _, a := range s.adders {
		a.keys = a.keys[:0]
	}
	s.manifest.Levels = append(s.manifest.Levels, level)
	if n := level.keys(); n > 0 && !s.Repeat {
		s.Known = append(s.Known, known{level, s.Levels() - 1})
	}
	s.Pending = nil
	return s.drop(in.runs...)
}

// gather returns the candidates as the input of a merge, in so few runs that there is memory for
// the streams.
func (s *Store) gather(known []run) (in input, err error) {
	in = input{memory: s.tidy(), known: known}
	room := max(1, s.streams-len(in.known)-len(in.memory))
	for len(s.Pending) > room && err == nil {
		err = s.mergePending(min(max(2, s.streams), len(s.Pending)-room+1))
	}
	in.runs = s.Pending
	return in, err
}

// tidy sorts the buffers of all Adders, each in its own goroutine, and returns those that are not
// empty.
func (s *Store) tidy() [][]uint64 {
	used := lists.Filter(s.adders, func(a *Adder) bool { return len(a.keys) > 0 })
	var done sync.WaitGroup
	for _, a := range used {
		done.Go(a.tidy)
	}
	done.Wait()
	return lists.Map(used, func(a *Adder) []uint64 { return a.keys })
}

// mergePending merges the n smallest runs of candidates, so that fewer streams are needed.
func (s *Store) mergePending(n int) error {
	slices.SortStableFunc(s.Pending, func(a, b run) int { return cmp.Compare(a.keys(), b.keys()) })
	merged, err := s.merge(input{runs: s.Pending[:n]})
	if err != nil {
		return err
	}
	old := slices.Clone(s.Pending[:n])
	s.Pending = append(s.Pending[n:], merged)
	return s.drop(old...)
}

// limitKnown merges small known runs if there are too many.
func (s *Store) limitKnown() error {
	if len(s.Known) <= s.maxKnown {
		return nil
	}
	n := min(sorted.Fold(s.Known, known.keys), max(2, s.streams))
	merged, err := s.merge(input{runs: s.runsKnown()[:n]})
	if err != nil {
		return err
	}
	old := lists.Filter(s.Known[:n], func(k known) bool { return k.Level < 0 })
	s.Known = append(slices.Clone(s.Known[n:]), known{merged, -1})
	return s.drop(lists.Map(old, func(k known) run { return k.run })...)
}

// input is what a merge reads: the union of runs and keys in memory, without known keys.
type input struct {
	runs   []run
	memory [][]uint64
	known  []run
}

// merge writes the result of a merge as a new run.
func (s *Store) merge(in input) (run, error) {
	all, err := s.tables(slices.Concat(in.runs, in.known)...)
	if err != nil {
		return run{}, err
	}
	j := &join{store: s, runs: all[:len(in.runs)], known: all[len(in.runs):], memory: in.memory}
	r, err := j.write(s.ctx)
	return r, errors.Join(err, sorted.CloseAll(all))
}

// tables opens the tables of runs. After an error none of them is open.
func (s *Store) tables(runs ...run) ([][]*sorted.Table, error) {
	files := lists.Map(runs, func(r run) []sorted.File { return r.Files })
	return sorted.OpenAll(files, func(f sorted.File) (*sorted.Table, error) { return openTable(s.dir, f, s.shape.Words) })
}

// join is a merge of open tables.
type join struct {
	store  *Store
	runs   [][]*sorted.Table
	known  [][]*sorted.Table
	memory [][]uint64
}

// write divides the keys into ranges and writes all ranges at the same time, each to a file.
func (j *join) write(ctx context.Context) (run, error) {
	parts, err := j.ranges()
	if err != nil {
		return run{}, err
	}
	group, within := errgroup.WithContext(ctx)
	files := make([]sorted.File, len(parts))
	for i, r := range parts {
		group.Go(func() (err error) {
			use := j.store.pool.Lease()
			defer use.Release()
			files[i], err = j.store.writeTable(use, func(w *sorted.Writer) error { return sorted.Pour(within, w, j.stream(r, use)) })
			return err
		})
	}
	err = group.Wait()
	err = cmp.Or(context.Cause(ctx), err) // the end of the context may be why a part failed
	return run{slices.DeleteFunc(files, func(f sorted.File) bool { return f.Keys == 0 })}, err
}

// stream returns the keys of one range. It overwrites those in memory, so ranges must not overlap.
func (j *join) stream(r sorted.Range, use *sorted.Lease) sorted.Stream {
	shape := j.store.shape
	streams := lists.Map(j.memory, func(keys []uint64) sorted.Stream { return sorted.Memory(r.Of(keys), shape.Block*shape.Words) })
	return sorted.Merge(shape, r, streams, j.runs, j.known, use)
}

// ranges divides all keys into ranges of about the same size. There is one range for each thread,
// if there are enough keys and enough memory.
func (j *join) ranges() ([]sorted.Range, error) {
	s := j.store
	list := lists.Flat(j.memory, func(keys []uint64) []sorted.Sample { return sorted.SamplesOf(keys, s.shape.Words) })
	for _, t := range slices.Concat(slices.Concat(j.runs, j.known)...) {
		more, err := t.Samples()
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	total := sorted.Weight(list)
	streams := max(1, len(j.memory)+len(j.runs)+len(j.known))
	return sorted.Ranges(list, min(int64(s.Threads), total/fewPerThread+1, max(1, int64(s.streams/streams)))), nil
}

// Candidates writes the keys that were added since the last level ended, without duplicates. No
// worker may add keys. It is for a Store that is only used to sort keys; the Store cannot be used
// after it.
func (s *Store) Candidates(to *sorted.Writer) error {
	if err := s.Err(); err != nil {
		return err
	}
	in, err := s.gather(nil)
	if err != nil {
		return s.fail(err)
	}
	runs, err := s.tables(in.runs...)
	if err != nil {
		return s.fail(err)
	}
	use := s.pool.Lease()
	defer use.Release()
	j := &join{store: s, runs: runs, memory: in.memory}
	err = sorted.Pour(s.ctx, to, j.stream(sorted.Range{}, use))
	return errors.Join(err, sorted.CloseAll(runs))
}

// reading is a level that is open for reading.
type reading struct {
	number int
	tables [][]*sorted.Table // nil: none is open
	uses   []*sorted.Lease
	hands  []*sorted.Cursor // by worker
}

// enter opens a level, unless it is open, and returns the number of its blocks.
func (s *Store) enter(r *reading, number int) int {
	if r.tables == nil || r.number != number {
		err := r.close()
		if err == nil {
			r.number = number
			r.tables, err = s.tables(s.manifest.Levels[number])
		}
		if err != nil {
			_ = s.fail(err) // Err returns it
			return 0
		}
		for range s.Threads {
			use := s.pool.Lease()
			r.uses = append(r.uses, use)
			r.hands = append(r.hands, sorted.NewCursor(r.tables[0], sorted.Range{}, use))
		}
	}
	return lists.Sum(r.tables[0], (*sorted.Table).Blocks)
}

// close closes the level, if one is open.
func (r *reading) close() error {
	for _, use := range r.uses {
		use.Release()
	}
	err := sorted.CloseAll(r.tables)
	*r = reading{}
	return err
}

// block returns the keys of a block of an open level.
func (s *Store) block(r *reading, worker, i int) []uint64 {
	keys, err := r.hands[worker].Block(i)
	if err != nil {
		_ = s.fail(err) // Err returns it
	}
	return keys
}

// Level implements store.Store.
func (s *Store) Level() int { return s.enter(&s.current, s.Levels()-1) }

// Current implements store.Store.
func (s *Store) Current(worker, i int) []uint64 { return s.block(&s.current, worker, i) }

// Release implements store.Store.
func (s *Store) Release(int, []uint64) {}

// Pieces implements store.Store. A piece is a block.
func (s *Store) Pieces(level int) []store.Piece {
	blocks := num.Run(0, s.enter(&s.again, level))
	return lists.Map(blocks, func(i int) store.Piece { return store.Piece{Shelf: level, Lo: i, Hi: i + 1} })
}

// Read implements store.Store. One level at a time can be read again.
func (s *Store) Read(worker int, p store.Piece, _ []uint64) []uint64 {
	return s.block(&s.again, worker, p.Lo)
}

// Same reports whether two levels have the same keys.
func (s *Store) Same(a, b int) (bool, error) {
	if s.Len(a) != s.Len(b) {
		return false, nil
	}
	tables, err := s.tables(s.manifest.Levels[a], s.manifest.Levels[b])
	if err != nil {
		return false, about(s.dir, err)
	}
	use := s.pool.Lease()
	defer use.Release()
	all := sorted.Range{}
	key, _, err := sorted.Difference(s.ctx, s.shape.Words, sorted.NewCursor(tables[0], all, use), sorted.NewCursor(tables[1], all, use))
	return key == nil && err == nil, about(s.dir, errors.Join(err, sorted.CloseAll(tables)))
}
