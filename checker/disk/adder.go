package disk

// Adder takes candidates of the next level. Each is for one goroutine.
type Adder struct {
	store *Store
	keys  []uint64
	tmp   []uint64 // for sorting; as long as keys may get
}

// Add adds keys, one after another. They may be repeated, and may be of earlier levels.
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

// tidy sorts the keys and removes repetitions.
func (a *Adder) tidy() {
	sortKeys(a.keys, a.tmp[:len(a.keys)], a.store.words)
	a.keys = unique(a.keys, a.store.words)
}

// full makes room: it takes more memory, while there is more for it, or else writes the keys to a
// file, unless most of them are repetitions.
func (a *Adder) full() error {
	if most := a.store.buffer; len(a.tmp) < most {
		a.grow(min(most, max(4*len(a.tmp), firstBuffer*a.store.words)))
		return nil
	}
	a.tidy()
	if len(a.keys) <= len(a.tmp)/2 {
		return nil
	}
	return a.flush()
}

// firstBuffer is the number of keys in the first buffer of an Adder.
const firstBuffer = 1 << 13

// grow makes room for so many words.
func (a *Adder) grow(words int) {
	a.tmp = nil // so that it may be collected first
	keys := make([]uint64, len(a.keys), words)
	copy(keys, a.keys)
	a.keys, a.tmp = keys, make([]uint64, words)
}

// flush writes the keys, which are tidy, to a file.
func (a *Adder) flush() error {
	s := a.store
	use := lease{pool: &s.pool}
	defer use.release()
	w, err := newWriter(s.dir, s.number(), s.shape, s.writing, &use)
	if err != nil {
		return err
	}
	if err := w.add(a.keys); err != nil {
		w.abandon()
		return err
	}
	f, err := w.finish()
	if err != nil {
		return err
	}
	a.keys = a.keys[:0]
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Pending = append(s.Pending, run{[]stored{f}})
	return nil
}
