package disk

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/mancheck/mancheck/checker/sorted"
)

const (
	// mostKnown is the number of known runs above which some are merged. Every candidate is
	// compared with all of them, but a lower number means more merging.
	mostKnown = 8
	// fewPerThread is the number of keys for which another thread pays off.
	fewPerThread = 1 << 16
)

// EndLevel makes the candidates that are in no earlier level the next level, and returns their
// number. No Adder may be in use. After an error, including the context's, the Store must be opened
// again.
func (s *Store) EndLevel(ctx context.Context) (int64, error) {
	if err := s.failed(); err != nil {
		return 0, err
	}
	n, err := s.endLevel(ctx)
	if err == nil {
		err = s.limitKnown(ctx)
	}
	if err != nil {
		return 0, s.fail(err)
	}
	return n, nil
}

func (s *Store) endLevel(ctx context.Context) (int64, error) {
	in := input{known: s.runsKnown()}
	in.memory = s.tidy()
	room := max(1, s.streams-len(in.known)-len(in.memory))
	for len(s.Pending) > room {
		most := min(max(2, s.streams), len(s.Pending)-room+1)
		if err := s.mergePending(ctx, most); err != nil {
			return 0, err
		}
	}
	in.runs = s.Pending
	level, err := s.merge(ctx, in)
	if err != nil {
		return 0, err
	}
	for _, a := range s.adders {
		a.keys = a.keys[:0]
	}
	s.manifest.Levels = append(s.manifest.Levels, level)
	if n := level.keys(); n > 0 && !s.repeat {
		s.Known = append(s.Known, known{level, s.Levels() - 1})
	}
	old := s.Pending
	s.Pending = nil
	for _, r := range old {
		if err := s.drop(r); err != nil {
			return 0, err
		}
	}
	return level.keys(), nil
}

func (s *Store) runsKnown() []run {
	var runs []run
	for _, k := range s.Known {
		runs = append(runs, k.run)
	}
	return runs
}

// tidy sorts the buffers of all Adders, each in its own goroutine, and returns those that are not
// empty.
func (s *Store) tidy() [][]uint64 {
	var memory [][]uint64
	var done sync.WaitGroup
	for _, a := range s.adders {
		if len(a.keys) > 0 {
			done.Go(a.tidy)
		}
	}
	done.Wait()
	for _, a := range s.adders {
		if len(a.keys) > 0 {
			memory = append(memory, a.keys)
		}
	}
	return memory
}

// mergePending merges the n smallest runs of candidates, so that fewer streams are needed.
func (s *Store) mergePending(ctx context.Context, n int) error {
	slices.SortFunc(s.Pending, func(a, b run) int { return cmp.Compare(a.keys(), b.keys()) })
	merged, err := s.merge(ctx, input{runs: s.Pending[:n]})
	if err != nil {
		return err
	}
	old := slices.Clone(s.Pending[:n])
	s.Pending = append(s.Pending[n:], merged)
	for _, r := range old {
		if err := s.drop(r); err != nil {
			return err
		}
	}
	return nil
}

// limitKnown merges small known runs if there are too many. It takes enough of the smallest to have
// together at least half as many keys as the next one. So each merge puts a key into a run that is
// larger by a constant factor.
func (s *Store) limitKnown(ctx context.Context) error {
	if len(s.Known) <= s.maxKnown {
		return nil
	}
	slices.SortFunc(s.Known, func(a, b known) int { return cmp.Compare(a.keys(), b.keys()) })
	n, sum := 0, int64(0)
	for n < min(len(s.Known), max(2, s.streams)) && (n < 2 || s.Known[n].keys() <= 2*sum) {
		sum += s.Known[n].keys()
		n++
	}
	merged, err := s.merge(ctx, input{runs: s.runsKnown()[:n]})
	if err != nil {
		return err
	}
	old := slices.Clone(s.Known[:n])
	s.Known = append(s.Known[n:], known{merged, -1})
	for _, k := range old {
		if k.Level >= 0 {
			continue
		}
		if err := s.drop(k.run); err != nil {
			return err
		}
	}
	return nil
}

// input is what a merge reads: the union of runs and keys in memory, without known keys.
type input struct {
	runs   []run
	memory [][]uint64
	known  []run
}

// merge writes the result of a merge as a new run.
func (s *Store) merge(ctx context.Context, in input) (run, error) {
	runs, err := s.tables(in.runs)
	if err != nil {
		return run{}, err
	}
	known, err := s.tables(in.known)
	if err != nil {
		return run{}, errors.Join(err, sorted.CloseAll(runs))
	}
	j := &join{store: s, runs: runs, known: known, memory: in.memory}
	r, err := j.write(ctx)
	return r, errors.Join(err, sorted.CloseAll(runs), sorted.CloseAll(known))
}

// tables opens the tables of runs. After an error none of them is open.
func (s *Store) tables(runs []run) (list [][]*sorted.Table, err error) {
	for _, r := range runs {
		var tables []*sorted.Table
		for _, f := range r.Files {
			t, failed := openTable(s.dir, f, s.shape.Words)
			if failed != nil {
				return nil, errors.Join(failed, sorted.CloseAll(append(list, tables)))
			}
			tables = append(tables, t)
		}
		list = append(list, tables)
	}
	return list, nil
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
	bounds, err := j.bounds()
	if err != nil {
		return run{}, err
	}
	parts := make([]part, len(bounds)+1)
	for i := range parts {
		if i > 0 {
			parts[i].lo = bounds[i-1]
		}
		if i < len(bounds) {
			parts[i].hi = bounds[i]
		}
		parts[i].memory = j.within(parts[i].lo, parts[i].hi)
	}
	group, within := errgroup.WithContext(ctx)
	files := make([]sorted.File, len(parts))
	for i, p := range parts {
		group.Go(func() (err error) {
			files[i], err = j.writePart(within, p)
			return err
		})
	}
	err = group.Wait()
	err = cmp.Or(context.Cause(ctx), err) // the end of the context may be why a part failed
	return run{slices.DeleteFunc(files, func(f sorted.File) bool { return f.Keys == 0 })}, err
}

// part is the keys from lo up to, but not including, hi. A nil bound is none.
type part struct {
	lo, hi []uint64
	memory [][]uint64 // of the range; no other part uses them
}

// within returns the keys in memory that are in a range.
func (j *join) within(lo, hi []uint64) [][]uint64 {
	var parts [][]uint64
	for _, keys := range j.memory {
		from, to := 0, len(keys)
		if lo != nil {
			from = sorted.Find(keys, lo) * len(lo)
		}
		if hi != nil {
			to = sorted.Find(keys, hi) * len(hi)
		}
		parts = append(parts, keys[from:to])
	}
	return parts
}

// writePart writes the keys of one range to a file.
func (j *join) writePart(ctx context.Context, p part) (sorted.File, error) {
	if len(p.memory)+len(j.runs) == 0 {
		return sorted.File{}, nil
	}
	use := j.store.pool.Lease()
	defer use.Release()
	from := j.stream(p, use)
	return j.store.writeTable(use, func(w *sorted.Writer) error { return sorted.Pour(ctx, w, from) })
}

// stream returns the keys of one range.
func (j *join) stream(p part, use *sorted.Lease) sorted.Stream {
	s := j.store
	block := s.shape.Block * s.shape.Words
	streams := []sorted.Stream{}
	for _, keys := range p.memory {
		streams = append(streams, sorted.Memory(keys, block))
	}
	for _, tables := range j.runs {
		streams = append(streams, sorted.NewCursor(tables, p.lo, p.hi, use))
	}
	if len(streams) == 0 {
		return sorted.Memory(nil, block)
	}
	from := sorted.Union(streams, s.shape.Words, func() []uint64 { return use.Words(block) })
	for _, tables := range j.known {
		from = sorted.Minus(s.shape.Words, from, sorted.NewCursor(tables, p.lo, p.hi, use))
	}
	return from
}

// bounds returns keys that divide all keys into ranges of about the same size. There is one range
// for each thread, if there are enough keys and enough memory.
func (j *join) bounds() ([][]uint64, error) {
	s := j.store
	var list []sorted.Sample
	for _, keys := range j.memory {
		list = append(list, sorted.SamplesOf(keys, s.shape.Words)...)
	}
	for _, tables := range slices.Concat(j.runs, j.known) {
		for _, t := range tables {
			more, err := t.Samples()
			if err != nil {
				return nil, err
			}
			list = append(list, more...)
		}
	}
	total := int64(0)
	for _, x := range list {
		total += x.Weight
	}
	streams := max(1, len(j.memory)+len(j.runs)+len(j.known))
	return sorted.Bounds(list, min(int64(s.threads), total/fewPerThread+1, max(1, int64(s.streams/streams)))), nil
}

// Candidates calls to with the keys that were added since the last level ended, in ascending order
// and without duplicates, some at a time. It does not store them. No Adder may be in use. It is for
// a Store that is only used to sort keys; the Store cannot be used after it.
func (s *Store) Candidates(ctx context.Context, to func(keys []uint64) error) error {
	if err := s.failed(); err != nil {
		return err
	}
	in := s.tidy()
	for most := max(2, s.streams-len(in)); len(s.Pending) > most; {
		if err := s.mergePending(ctx, min(max(2, s.streams), len(s.Pending)-most+1)); err != nil {
			return s.fail(err)
		}
	}
	runs, err := s.tables(s.Pending)
	if err != nil {
		return s.fail(err)
	}
	use := s.pool.Lease()
	defer use.Release()
	j := &join{store: s, runs: runs, memory: in}
	from := j.stream(part{memory: in}, use)
	for err == nil {
		var keys []uint64
		if keys, err = from.Next(); err != nil || len(keys) == 0 {
			break
		}
		if err = to(keys); err == nil {
			err = context.Cause(ctx)
		}
	}
	return errors.Join(err, sorted.CloseAll(runs))
}
