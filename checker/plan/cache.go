package plan

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
)

// Cache has the plans and tables that were made so far. Planners in several goroutines share it:
// what is in it never changes, and is read without locks.
type Cache struct {
	words       int
	seeds       int
	Territories [2]*Territory
	sinks       Key
	ranged      []pack.Field // of these, those that are compared
	compared    Key          // their bits
	bytes       atomic.Int64

	adding sync.Mutex // held to change what follows
	byHash map[uint64][]*scripted
	rows   map[rowsOf]*Rows
	last   int                                  // words of the last chunk of ends
	ends   atomic.Pointer[[]*[endsChunk]uint64] // for each end the place of the known content, and the rest
	all    atomic.Pointer[[]*scripted]          // by number
}

// scripted is a script for a territory, with its tables.
type scripted struct {
	script residual.Script
	side   int
	number uint32
	tables []atomic.Pointer[Table] // by total; nil: not made yet
}

// Rows are the contents of a territory with one total, as they are held in states of one control,
// and what was made for the actions there. What is in sinks is no part of the control: it has no
// influence, and stays there.
type Rows struct {
	side   int // that varies
	places int // actions
	made   []made
	adding sync.Mutex // held to change made and others, and with ranged fields to read them
	others []made
}

// rowsOf tells Rows apart.
type rowsOf struct {
	control Key
	side    int
	own     int
	filled  bool // the territory that varies has seeds
}

// made is a script and its ends.
type made struct {
	script uint32 // its number, from 1; 0: not made yet; illegal: there is none. It is set last
	ends   uint32 // where they begin
	next   uint32 // another one, for other values of the ranged fields; its place in Rows.others from 1, or 0
	within [residual.MostRanged]residual.Span
	many   uint16 // ends
	why    residual.Causes
}

// illegal is the number of a script by which an action is never legal.
const illegal = 1<<32 - 1

// endsChunk is the words of a chunk of ends. Those of one script fit, since scripts are short.
const endsChunk = 1 << 14

// The memory of a made, and of a table besides its contents.
const (
	madeBytes  = 20
	tableBytes = 256
)

// NewCache returns an empty Cache, for states of so many words with at most the given number of
// seeds. The course of play does not depend on what is in the fields of sinks, which lose no seeds.
// Those that are ranged lose none, too, but are compared.
func NewCache(words, seeds int, t [2]*Territory, sinks Key, ranged []pack.Field) *Cache {
	c := &Cache{words: words, seeds: seeds, Territories: t, sinks: sinks, ranged: ranged, byHash: map[uint64][]*scripted{}, rows: map[rowsOf]*Rows{}, last: endsChunk}
	c.ends.Store(&[]*[endsChunk]uint64{})
	c.all.Store(&[]*scripted{})
	for _, f := range ranged {
		c.compared[f.Word] |= f.Mask << f.Shift
	}
	c.sinks.Or(c.compared)
	return c
}

// Bytes is the memory of plans, tables and contents.
func (c *Cache) Bytes() int64 {
	return c.bytes.Load() + c.Territories[0].Bytes() + c.Territories[1].Bytes()
}

// Rows returns what the contents of a territory with own seeds have in common in states of a
// control, which has so many actions. The other territory varies, and has total seeds.
func (c *Cache) Rows(control *Key, side, own, total, actions int) *Rows {
	at := rowsOf{control: control.Without(&c.sinks), side: side, own: own, filled: total > 0}
	c.adding.Lock()
	defer c.adding.Unlock()
	r := c.rows[at]
	if r == nil {
		r = &Rows{side: side, places: actions, made: make([]made, c.Territories[1-side].Size(own)*actions)}
		c.rows[at] = r
		c.bytes.Add(madeBytes*int64(len(r.made)) + 128)
	}
	return r
}

// add keeps what a Specialist has made. Equal scripts are kept once. What was in the ranged fields
// is left out.
func (c *Cache) add(s *residual.Specialist, side int, before Key) made {
	m := made{script: illegal, many: uint16(len(s.Ends)), why: s.Why, within: s.Within}
	if s.Script.Illegal() {
		return m
	}
	h := uint64(side)
	for _, x := range s.Script {
		h = (h ^ x) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	c.adding.Lock()
	defer c.adding.Unlock()
	m.ends = c.addEnds(s.Ends, side, before)
	for _, e := range c.byHash[h] {
		if e.side == side && slices.Equal(e.script, s.Script) {
			m.script = e.number
			return m
		}
	}
	all := *c.all.Load()
	e := &scripted{script: slices.Clone(s.Script), side: side, number: uint32(len(all) + 1), tables: make([]atomic.Pointer[Table], c.seeds+1)}
	all = append(all, e)
	c.all.Store(&all)
	c.byHash[h] = append(c.byHash[h], e)
	c.bytes.Add(int64(8*(len(s.Script)+len(e.tables))) + 256)
	m.script = e.number
	return m
}

// addEnds keeps the ends of a script, and returns where they begin.
func (c *Cache) addEnds(list [][residual.MostWords]uint64, side int, before Key) uint32 {
	if len(list) == 0 {
		return 0
	}
	own, chunks := c.Territories[1-side], *c.ends.Load()
	if c.last+len(list)*(c.words+1) > endsChunk {
		chunks = append(chunks, new([endsChunk]uint64))
		c.ends.Store(&chunks)
		c.last = 0
		c.bytes.Add(8 * endsChunk)
	}
	begin := uint32((len(chunks)-1)*endsChunk + c.last)
	ends := chunks[len(chunks)-1][:c.last]
	for i := range list {
		var end Key
		copy(end[:], list[i][:c.words])
		ends = append(ends, own.place(&end))
		end = end.Without(&own.Mask)
		for w, n := range before {
			end[w] -= n
		}
		ends = append(ends, end[:c.words]...)
	}
	c.last = len(ends)
	return begin
}

// table returns the table of a script for the contents with a total. isNew says that it was made.
func (c *Cache) table(s *scripted, total int) (t *Table, isNew bool, err error) {
	if t := s.tables[total].Load(); t != nil {
		return t, false, nil
	}
	n := c.Territories[s.side].Size(total)
	if n > MostContents || c.Territories[s.side].With(total) == nil {
		return nil, false, ErrLarge
	}
	t = &Table{script: s.script, side: s.side, total: total, To: slices.Repeat([]uint32{Unknown}, n), left: n}
	if !s.tables[total].CompareAndSwap(nil, t) {
		return s.tables[total].Load(), false, nil
	}
	c.bytes.Add(int64(4*n) + tableBytes)
	return t, true, nil
}
