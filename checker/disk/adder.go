package disk

import "github.com/mancheck/mancheck/checker/sorted"

// Adder collects candidates for the next level in memory. Each worker has its own.
type Adder struct {
	store *Store
	keys  []uint64
	tmp   []uint64 // scratch for sorting; its length bounds that of keys
}

// Add adds keys, one after another. They may repeat, and may be in earlier levels.
func (a *Adder) Add(keys []uint64) error {
	for len(keys) > 0 {
		if len(a.keys) == len(a.tmp) {
			if err := a.full(); err != nil {
				return a.store.fail(err)
			}
		}
		n := min(len(keys), len(a.tmp)-len(a.keys))
		a.keys = append(a.keys, keys[:n]...)
		keys = keys[n:]
	}
	return nil
}

// Adder returns the Adder of a worker.
func (s *Store) Adder(worker int) *Adder { return s.adders[worker] }

// Add implements store.Store.
func (s *Store) Add(worker int, keys []uint64, _ bool) ([]uint64, int) {
	_ = s.adders[worker].Add(keys) // Err returns the error
	return nil, 0
}

// tidy sorts the keys and removes duplicates.
func (a *Adder) tidy() {
	sorted.Sort(a.keys, a.tmp[:len(a.keys)], a.store.shape.Words)
	a.keys = sorted.Unique(a.keys, a.store.shape.Words)
}

// full makes room for more keys. It takes more memory while there is some, then removes duplicates,
// and writes the keys to a file unless most of them were duplicates.
func (a *Adder) full() error {
	if most := a.store.buffer; len(a.tmp) < most {
		a.grow(min(most, max(4*len(a.tmp), firstBuffer*a.store.shape.Words)))
		return nil
	}
	a.tidy()
	if len(a.keys) <= len(a.tmp)/2 {
		return nil
	}
	return a.flush()
}

// firstBuffer is the number of keys in the first buffer of an Adder. Buffers grow, because most
// levels are small.
const firstBuffer = 1 << 13

// grow makes room for this many words.
func (a *Adder) grow(words int) {
	a.tmp = nil // so that it can be collected before the next allocation
	keys := make([]uint64, len(a.keys), words)
	copy(keys, a.keys)
	a.keys, a.tmp = keys, make([]uint64, words)
}

// flush writes the keys to a file, as a run. They must be tidy.
func (a *Adder) flush() error {
	s := a.store
	use := s.pool.Lease()
	defer use.Release()
	f, err := s.writeTable(use, func(w *sorted.Writer) error { return w.Add(a.keys) })
	if err != nil {
		return err
	}
	a.keys = a.keys[:0]
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Pending = append(s.Pending, run{[]sorted.File{f}})
	return nil
}
