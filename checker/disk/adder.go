package disk

// Adder takes candidates of the next level. Each is for one goroutine.
type Adder struct {
	store *Store
	keys  []uint64
	tmp   []uint64 // for sorting; nil until the first key is added
}

// Add adds keys, one after another. They may be repeated, and may be of earlier levels.
func (a *Adder) Add(keys []uint64) error {
	if a.tmp == nil {
		a.keys, a.tmp = make([]uint64, 0, a.store.buffer), make([]uint64, a.store.buffer)
	}
	for len(keys) > 0 {
		if len(a.keys) == cap(a.keys) {
			if err := a.full(); err != nil {
				return a.store.fail(err)
			}
		}
		n := min(len(keys), cap(a.keys)-len(a.keys))
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

// full makes room: it writes the keys to a file, unless most of them are repetitions.
func (a *Adder) full() error {
	a.tidy()
	if len(a.keys) <= cap(a.keys)/2 {
		return nil
	}
	return a.flush()
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
	s.Pending = append(s.Pending, run{[]file{f}})
	return nil
}
