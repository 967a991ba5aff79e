package sorted

// Memory returns a Stream of keys in memory, in blocks of this many words.
func Memory(keys []uint64, block int) Stream { return &memory{keys, block} }

// memory is a Stream of keys in memory.
type memory struct {
	keys  []uint64
	block int // words in a block
}

func (m *memory) Next() ([]uint64, error) {
	n := min(len(m.keys), m.block)
	keys := m.keys[:n:n]
	m.keys = m.keys[n:]
	return keys, nil
}

// side is a Stream with the rest of its current block.
type side struct {
	from Stream
	keys []uint64
	end  bool
}

// fill reads the next block if there are no keys left. At the end keys stays empty.
func (s *side) fill() (err error) {
	if len(s.keys) == 0 && !s.end {
		s.keys, err = s.from.Next()
		s.end = len(s.keys) == 0
	}
	return err
}

// union yields the keys of two streams, without duplicates.
type union struct {
	words int
	a, b  side
	out   []uint64 // the block that Next returns
}

// Merge returns the keys of a range that some streams or runs have, and no known run. Each run is
// tables in ascending order. The streams must have only keys of the range.
func Merge(s Shape, r Range, streams []Stream, runs, known [][]*Table, use *Lease) Stream {
	block := s.Block * s.Words
	for _, tables := range runs {
		streams = append(streams, NewCursor(tables, r, use))
	}
	if len(streams) == 0 {
		return Memory(nil, block)
	}
	from := join(streams, s.Words, func() []uint64 { return use.Words(block) })
	for _, tables := range known {
		from = &minus{words: s.Words, from: from, known: NewCursor(tables, r, use)}
	}
	return from
}

// join returns the union of one or more streams, as a balanced tree. room returns memory for a
// block.
func join(streams []Stream, words int, room func() []uint64) Stream {
	if len(streams) == 1 {
		return streams[0]
	}
	half := len(streams) / 2
	return &union{
		words: words, out: room(),
		a: side{from: join(streams[:half], words, room)},
		b: side{from: join(streams[half:], words, room)},
	}
}

func (u *union) Next() ([]uint64, error) {
	n := 0
	for n < len(u.out) {
		if err := u.a.fill(); err != nil {
			return nil, err
		}
		if err := u.b.fill(); err != nil {
			return nil, err
		}
		if len(u.a.keys) == 0 || len(u.b.keys) == 0 {
			if n == 0 {
				return u.rest(), nil
			}
			break
		}
		var i, j, k int
		if u.words == 1 {
			k, i, j = mergeWords(u.out[n:], u.a.keys, u.b.keys)
		} else {
			k, i, j = mergeRecords(u.out[n:], u.a.keys, u.b.keys, u.words)
		}
		n += k
		u.a.keys, u.b.keys = u.a.keys[i:], u.b.keys[j:]
	}
	return u.out[:n], nil
}

// rest returns the current block of the only Stream that has keys left. It is passed on without a
// copy.
func (u *union) rest() []uint64 {
	keys := u.a.keys
	if len(keys) == 0 {
		keys = u.b.keys
	}
	u.a.keys, u.b.keys = nil, nil
	return keys
}

// mergeWords merges until one of the slices is at its end. It returns how much of each was used. It
// does not branch on keys, because their order is unpredictable.
func mergeWords(out, a, b []uint64) (n, i, j int) {
	for n < len(out) && i < len(a) && j < len(b) {
		x, y := a[i], b[j]
		out[n] = min(x, y)
		n++
		i += bit(x <= y)
		j += bit(y <= x)
	}
	return n, i, j
}

// bit returns 1 if b is true, and 0 otherwise. It compiles to code without a branch.
func bit(b bool) int {
	n := 0
	if b {
		n = 1
	}
	return n
}

// mergeRecords is mergeWords for keys of w words.
func mergeRecords(out, a, b []uint64, w int) (n, i, j int) {
	for n < len(out) && i < len(a) && j < len(b) {
		x, y := a[i:i+w], b[j:j+w]
		c := Compare(x, y)
		if c <= 0 {
			copy(out[n:n+w], x)
			i += w
		} else {
			copy(out[n:n+w], y)
		}
		if c >= 0 {
			j += w
		}
		n += w
	}
	return n, i, j
}

// minus yields the keys of a Stream that are not in known. It overwrites the blocks of the Stream.
type minus struct {
	words int
	from  Stream
	known *Cursor
	keys  []uint64 // the rest of the current known block
	end   bool     // there are no more known keys
}

func (m *minus) Next() ([]uint64, error) {
	for {
		keys, err := m.from.Next()
		if err != nil || len(keys) == 0 || m.end {
			return keys, err
		}
		if keys, err = m.subtract(keys); err != nil || len(keys) > 0 {
			return keys, err
		}
	}
}

// subtract removes the known keys from a block, in place.
func (m *minus) subtract(keys []uint64) ([]uint64, error) {
	w, n := m.words, 0
	for i := 0; i < len(keys); {
		for !m.end && (len(m.keys) == 0 || Compare(m.keys[len(m.keys)-w:], keys[i:i+w]) < 0) {
			if err := m.advance(keys[i : i+w]); err != nil {
				return nil, err
			}
		}
		if m.end {
			n += copy(keys[n:], keys[i:])
			break
		}
		part := keys[i:]
		part = part[:upTo(part, m.keys[len(m.keys)-w:])]
		known := m.keys[:upTo(m.keys, part[len(part)-w:])]
		if w == 1 {
			n += differenceWords(keys[n:], part, known)
		} else {
			n += differenceRecords(keys[n:], part, known, w)
		}
		m.keys = m.keys[len(known):]
		i += len(part)
	}
	return keys[:n], nil
}

// advance reads the first known block with a key that is not less than key.
func (m *minus) advance(key []uint64) (err error) {
	if err = m.known.seek(key); err == nil {
		m.keys, err = m.known.Next()
		m.end = len(m.keys) == 0
	}
	return err
}

// upTo returns the length of the part of keys that are at most key.
func upTo(keys, key []uint64) int {
	w := len(key)
	n := Find(keys, key) * w
	if n < len(keys) && Compare(keys[n:n+w], key) == 0 {
		n += w
	}
	return n
}

// differenceWords writes the keys that are not known to out, and returns how many there are. out
// may be the memory of keys. The fastest method depends on the ratio of keys to known keys.
func differenceWords(out, keys, known []uint64) int {
	switch {
	case len(known) > 4*len(keys):
		return differenceOfFew(out, keys, known)
	case len(keys) > 64*len(known):
		return differenceRecords(out, keys, known, 1)
	}
	n, i := 0, 0
	for j := 0; i < len(keys) && j < len(known); {
		x, y := keys[i], known[j]
		out[n] = x
		n += bit(x < y)
		i += bit(x <= y)
		j += bit(y <= x)
	}
	return n + copy(out[n:], keys[i:])
}

// differenceOfFew is for few keys and many known ones.
func differenceOfFew(out, keys, known []uint64) int {
	n, j := 0, 0
	for _, x := range keys {
		for j < len(known) && known[j] < x {
			j++
		}
		if j == len(known) || known[j] != x {
			out[n] = x
			n++
		}
	}
	return n
}

// differenceRecords copies the ranges between known keys. It is for keys of any number of words,
// and for few known keys.
func differenceRecords(out, keys, known []uint64, w int) int {
	n := 0
	for j := 0; j < len(known) && len(keys) > 0; j += w {
		x := known[j : j+w]
		i := near(keys, x)
		n += copy(out[n:], keys[:i])
		if i < len(keys) && Compare(keys[i:i+w], x) == 0 {
			i += w
		}
		keys = keys[i:]
	}
	return n + copy(out[n:], keys)
}

// near returns the length of the part of keys that are less than key. It is fast if these are few.
func near(keys, key []uint64) int {
	w, step := len(key), len(key)
	for step < len(keys) && Compare(keys[step-w:step], key) < 0 {
		step *= 2
	}
	lo := step / 2 / w * w
	if step == w {
		lo = 0
	}
	hi := min(step, len(keys))
	return lo + Find(keys[lo:hi], key)*w
}
