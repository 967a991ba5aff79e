package sorted

import (
	"encoding/binary"
	"sort"
)

// Stream yields keys in ascending order and without duplicates, in blocks. A block is valid until
// the next call. An empty block is the end.
type Stream interface {
	Next() ([]uint64, error)
}

// Cursor reads the keys of a range from tables, each of which has greater keys than the one before.
// Blocks that the caller does not need are skipped; see seek.
type Cursor struct {
	tables []*Table
	Range
	t     int // index of the current table
	block int // the next block of that table
	page  page
	raw   []byte
	keys  []uint64
	use   *Lease // owns raw and keys
	here  entry  // scratch for the entry of the block read
	ahead entry  // scratch for entries that seek looks at
}

// page is a page of an index in memory.
type page struct {
	table  *Table
	number int
	bytes  []byte
}

// NewCursor returns a cursor for the keys of a range of tables.
func NewCursor(tables []*Table, r Range, use *Lease) *Cursor {
	return &Cursor{tables: tables, Range: r, use: use}
}

// CursorBytes returns the memory that a cursor over tables of this shape takes.
func CursorBytes(s Shape) int64 {
	return int64(8*s.Block*s.Words + blockRoom(s.Block, s.Words) + pageSize(s.Words))
}

// Block returns the keys of a block of the tables, as if these were one. They are valid until the
// next call.
func (c *Cursor) Block(i int) ([]uint64, error) {
	for c.t = 0; i >= c.tables[c.t].blocks; c.t++ {
		i -= c.tables[c.t].blocks
	}
	c.block = i
	return c.read()
}

// table returns the current table, or nil at the end.
func (c *Cursor) table() *Table {
	for c.t < len(c.tables) && c.block == c.tables[c.t].blocks {
		c.t++
		c.block = 0
	}
	if c.t == len(c.tables) {
		return nil
	}
	return c.tables[c.t]
}

// Next implements Stream.
func (c *Cursor) Next() ([]uint64, error) {
	if c.Lo != nil {
		lo := c.Lo
		c.Lo = nil
		if err := c.seek(lo); err != nil {
			return nil, err
		}
		keys, err := c.read()
		if err != nil {
			return nil, err
		}
		if keys = keys[Find(keys, lo)*len(lo):]; len(keys) > 0 {
			return keys, nil
		}
	}
	return c.read()
}

// seek skips blocks in which all keys are less than key. It does not skip keys within a block.
func (c *Cursor) seek(key []uint64) error {
	t := c.table()
	for t != nil && Compare(t.last, key) < 0 {
		c.block = t.blocks
		t = c.table()
	}
	if t == nil {
		return nil
	}
	// The block to read is the last one whose first key is at most key, or else the next block. It
	// is probably near, so steps begin small and double.
	lo, step := c.block, 1
	hi := lo + 1
	for hi < t.blocks {
		if less, err := c.begins(t, hi, key); err != nil || !less {
			if err != nil {
				return err
			}
			break
		}
		lo, step = hi, 2*step
		hi = lo + step
	}
	hi = min(hi, t.blocks)
	var err error
	c.block = lo + sort.Search(hi-lo-1, func(i int) bool {
		var less bool
		if err == nil {
			less, err = c.begins(t, lo+1+i, key)
		}
		return !less
	})
	return err
}

// begins reports whether the first key of a block is at most key.
func (c *Cursor) begins(t *Table, block int, key []uint64) (bool, error) {
	err := c.page.entry(t, block, &c.ahead)
	return err == nil && Compare(c.ahead.first, key) <= 0, err
}

// read returns the next block, or an empty one at the end.
func (c *Cursor) read() ([]uint64, error) {
	t := c.table()
	if t == nil {
		return nil, nil
	}
	if err := c.page.entry(t, c.block, &c.here); err != nil {
		return nil, err
	}
	if c.Hi != nil && Compare(c.here.first, c.Hi) >= 0 {
		c.t, c.block = len(c.tables), 0
		return nil, nil
	}
	if err := c.load(t); err != nil {
		return nil, err
	}
	c.block++
	keys := c.keys
	if c.Hi != nil && Compare(keys[len(keys)-t.Words:], c.Hi) >= 0 {
		keys = keys[:Find(keys, c.Hi)*t.Words]
	}
	return keys, nil
}

// load reads, checks and decodes the block that c.here describes.
func (c *Cursor) load(t *Table) error {
	e := &c.here
	n := int(e.keys)
	if n == 0 || n > t.Block || int(e.length) > blockRoom(n, t.Words)-slack || e.offset < 0 || e.offset+int64(e.length) > t.index {
		return t.corrupt("entry %d of the index is impossible", c.block)
	}
	if c.raw == nil {
		most := 0
		for _, t := range c.tables {
			most = max(most, t.Block)
		}
		c.raw, c.keys = c.use.getBytes(blockRoom(most, t.Words)), c.use.Words(most*t.Words)
	}
	raw := c.raw[:int(e.length)+slack]
	if err := t.readAt(raw[:e.length], e.offset); err != nil {
		return err
	}
	size := EntrySize(t.Words)
	if checksum(t.Number, int64(c.block), c.page.of(c.block, size)[:size-sumSize], raw[:e.length]) != e.sum {
		return t.corrupt("block %d has the wrong checksum", c.block)
	}
	c.keys = c.keys[:n*t.Words]
	copy(c.keys, e.first)
	if err := decode(c.keys, t.Words, raw); err != nil {
		return t.corrupt("block %d: %v", c.block, err)
	}
	return nil
}

// pageSize returns the size of a full page in a table of keys of w words.
func pageSize(w int) int { return pageEntries*EntrySize(w) + sumSize }

// entry reads the entry of a block from the index of t.
func (p *page) entry(t *Table, block int, e *entry) error {
	size := EntrySize(t.Words)
	if p.table != t || p.number != block/pageEntries {
		if err := p.load(t, block/pageEntries); err != nil {
			return err
		}
	}
	if e.first == nil {
		e.first = make([]uint64, t.Words)
	}
	e.get(p.of(block, size))
	return nil
}

// of returns the bytes of a block's entry. The page must be the one with the entry.
func (p *page) of(block, size int) []byte {
	return p.bytes[block%pageEntries*size:][:size]
}

// load reads and checks page number at of the index of t.
func (p *page) load(t *Table, at int) error {
	n := min(pageEntries, t.blocks-at*pageEntries) * EntrySize(t.Words)
	if p.bytes == nil {
		p.bytes = make([]byte, pageSize(t.Words))
	}
	p.table = nil
	b := p.bytes[:n+sumSize]
	if err := t.readAt(b, t.index+int64(at)*int64(pageSize(t.Words))); err != nil {
		return err
	}
	if checksum(t.Number, int64(at), b[:n]) != binary.LittleEndian.Uint32(b[n:]) {
		return t.corrupt("page %d of the index has the wrong checksum", at)
	}
	p.table, p.number = t, at
	return nil
}

// Find returns the number of keys that are less than key.
func Find(keys, key []uint64) int {
	w := len(key)
	return sort.Search(len(keys)/w, func(i int) bool { return Compare(keys[i*w:(i+1)*w], key) >= 0 })
}
