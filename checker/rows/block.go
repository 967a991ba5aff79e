package rows

import (
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/mancheck/mancheck/checker/plan"
)

// block is the states with one control and so many seeds in each territory.
type block struct {
	id
	layer   int
	side    int     // the territory whose contents are rows
	seen    matrix  // states that were found
	actions []int32 // that may be legal; nil: not found yet
	lasts   []bool  // by action: it is a last resort

	// Workers that add states lock a block; the rest of it is for the one who plays it.
	sync.Mutex
	stage  stage
	fresh  matrix // states that may not have been seen
	turned matrix // more of these, with rows and columns exchanged; made when it is needed
}

// id tells blocks apart.
type id struct {
	control plan.Key
	totals  [2]int
}

// recentBits is the length of a hash.
const recentBits = 12

// hash returns a number for an id, of few bits.
func (i *id) hash() uint64 {
	h := uint64(i.totals[0]) | uint64(i.totals[1])<<32
	for _, w := range i.control {
		h = (h ^ w) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	return h * 0x9e3779b97f4a7c15 >> (64 - recentBits)
}

// matrix is a set of states: a row for each content of one territory, and in it a bit for each
// content of the other. There is memory for rows that are not empty, and some beside them.
type matrix struct {
	words  int  // of a row
	shift  uint // log2 of the rows of a page
	chunks []*chunk
}

// chunk is 64 rows.
type chunk struct {
	dirty uint64 // those that are not empty
	pages [][]uint64
}

// pageWords is the length of a page, unless a row is longer.
const pageWords = 128

func newMatrix(rows, columns int) matrix {
	words := plan.WordsFor(columns)
	shift := min(bits.Len(uint(max(pageWords/words, 1)))-1, 6)
	return matrix{words, uint(shift), make([]*chunk, (rows+63)/64)}
}

// overhead is the memory of a block besides its chunks.
func (b *block) overhead() int64 { return b.seen.overhead() + b.fresh.overhead() + b.turned.overhead() }

// clear gives back the memory of a block that has no new states. It is none that states go to.
func (b *block) clear(p *pool) {
	p.put(&b.seen, false)
	b.id, b.seen, b.fresh, b.turned = id{totals: [2]int{-1, -1}}, matrix{}, matrix{}, matrix{}
}

// begin is called by who plays a block before all else.
func (b *block) begin(p *pool) {
	b.Lock()
	defer b.Unlock()
	b.stage = played
	b.turn(p)
}

// finish is called at the end. It reports whether the block has got more states meanwhile.
func (b *block) finish(p *pool) (more bool) {
	b.Lock()
	defer b.Unlock()
	if more = b.stage == gaining; more {
		b.stage = queued
		return true
	}
	b.stage = waiting
	p.put(&b.fresh, true)
	return false
}

// take finds the next row, from one on, that may have new states. These are news, and seen from now
// on.
func (b *block) take(p *pool, from int, news *news) (row int, more bool) {
	b.Lock()
	defer b.Unlock()
	if row, more = b.fresh.next(from); more {
		news.n, news.listed = b.see(p, row, news.set), false
	}
	return row, more
}

// overhead is the memory of a matrix besides its chunks.
func (m *matrix) overhead() int64 { return 8 * int64(len(m.chunks)) }

// pool has chunks and pages for matrices. They are empty.
type pool struct {
	sync.Mutex
	pages  map[int][][]uint64 // by length
	chunks map[int][]*chunk   // by number of pages
	bytes  atomic.Int64       // of all that are in use or not
	used   atomic.Int64       // of those that are
}

func newPool() *pool { return &pool{pages: map[int][][]uint64{}, chunks: map[int][]*chunk{}} }

// page returns a page of at least so many words. Lengths are few, so that pages are used again.
func (p *pool) page(words int) []uint64 {
	n := words
	if n < pageWords {
		n = 1 << bits.Len(uint(n-1))
	}
	p.used.Add(8 * int64(n))
	p.Lock()
	defer p.Unlock()
	if list := p.pages[n]; len(list) > 0 {
		p.pages[n] = list[:len(list)-1]
		return list[len(list)-1]
	}
	p.bytes.Add(8 * int64(n))
	return make([]uint64, n)
}

func (p *pool) chunk(pages int) *chunk {
	p.used.Add(chunkBytes(pages))
	p.Lock()
	defer p.Unlock()
	if list := p.chunks[pages]; len(list) > 0 {
		p.chunks[pages] = list[:len(list)-1]
		return list[len(list)-1]
	}
	p.bytes.Add(chunkBytes(pages))
	return &chunk{pages: make([][]uint64, pages)}
}

// chunkBytes is the memory of a chunk besides its pages.
func chunkBytes(pages int) int64 { return 32 + 24*int64(pages) }

// put takes back the memory of a matrix, which is empty then. clean says that all words are 0.
func (p *pool) put(m *matrix, clean bool) {
	p.Lock()
	defer p.Unlock()
	for i, c := range m.chunks {
		if c == nil {
			continue
		}
		for k, page := range c.pages {
			if page == nil {
				continue
			}
			if !clean {
				clear(page)
			}
			p.used.Add(-8 * int64(len(page)))
			p.pages[len(page)] = append(p.pages[len(page)], page)
			c.pages[k] = nil
		}
		c.dirty, m.chunks[i] = 0, nil
		p.used.Add(-chunkBytes(len(c.pages)))
		p.chunks[len(c.pages)] = append(p.chunks[len(c.pages)], c)
	}
}

// row returns a row to which states will be added.
func (m *matrix) row(p *pool, n int) []uint64 {
	return m.rowOf(m.chunk(p, n>>6), p, n&63)
}

// chunk returns the 64 rows that begin with a multiple.
func (m *matrix) chunk(p *pool, n int) *chunk {
	if m.chunks[n] == nil {
		m.chunks[n] = p.chunk(64 >> m.shift)
	}
	return m.chunks[n]
}

// rowOf is row for one of a chunk.
func (m *matrix) rowOf(c *chunk, p *pool, n int) []uint64 {
	c.dirty |= 1 << (n & 63)
	page := &c.pages[n>>m.shift]
	if *page == nil {
		*page = p.page(m.words << m.shift)
	}
	at := n & (1<<m.shift - 1) * m.words
	return (*page)[at : at+m.words : at+m.words]
}

// next returns the first row from one on that is not empty.
func (m *matrix) next(from int) (row int, some bool) {
	for i := from >> 6; i < len(m.chunks); i, from = i+1, 0 {
		if c := m.chunks[i]; c != nil && c.dirty>>(from&63) != 0 {
			return i<<6 + from&63 + bits.TrailingZeros64(c.dirty>>(from&63)), true
		}
	}
	return 0, false
}

// at returns a row that is not empty.
func (m *matrix) at(n int) []uint64 {
	at := n & (1<<m.shift - 1) * m.words
	return m.chunks[n>>6].pages[n&63>>m.shift][at:][:m.words]
}

// turn moves the states in turned to fresh. States are added row by row, which is fast, and turned
// when they are needed, each once.
func (b *block) turn(p *pool) {
	t := &b.turned
	var square [64]uint64
	var rows [64][]uint64
	for at, c := range t.chunks {
		if c == nil {
			continue
		}
		clear(rows[:])
		for set := c.dirty; set != 0; set &= set - 1 {
			r := bits.TrailingZeros64(set)
			rows[r] = t.at(at<<6 + r)
		}
		for i := range t.words {
			n := 0
			for r, row := range rows {
				if square[r] = 0; row != nil {
					square[r], row[i] = row[i], 0
					n += bits.OnesCount64(square[r])
				}
			}
			b.addSquare(p, &square, n, i, at)
		}
	}
	p.put(t, true)
}

// dense is how many of 64 by 64 states make it faster to turn them all at once.
const dense = 80

// addSquare adds n states to a chunk of fresh, given as columns.
func (b *block) addSquare(p *pool, square *[64]uint64, n, at, word int) {
	f := &b.fresh
	if n == 0 {
		return
	}
	c := f.chunk(p, at)
	switch {
	case n < dense:
		for i, x := range square {
			for ; x != 0; x &= x - 1 {
				f.rowOf(c, p, bits.TrailingZeros64(x))[word] |= 1 << i
			}
		}
	default:
		transpose(square)
		for r, x := range square {
			if x != 0 {
				f.rowOf(c, p, r)[word] |= x
			}
		}
	}
}

// transpose exchanges the rows and the columns of a square of bits: ever smaller squares beside the
// diagonal are swapped (Warren, Hacker's Delight, section 7-3).
func transpose(square *[64]uint64) {
	mask := uint64(1)<<32 - 1
	for n := 32; n > 0; n, mask = n/2, mask^mask<<(n/2) {
		for r := 0; r < 64; r = (r + n + 1) &^ n {
			x := (square[r]>>n ^ square[r+n]) & mask
			square[r] ^= x << n
			square[r+n] ^= x
		}
	}
}

// see moves the new states of a row to those that were seen, and to news. It returns how many there
// are.
func (b *block) see(p *pool, row int, news []uint64) (n int) {
	fresh := b.fresh.at(row)
	b.fresh.chunks[row>>6].dirty &^= 1 << (row & 63)
	seen, news := b.seen.row(p, row)[:len(fresh)], news[:len(fresh)]
	for i, x := range fresh {
		fresh[i] = 0
		x &^= seen[i]
		seen[i] |= x
		news[i] = x
		n += bits.OnesCount64(x)
	}
	return n
}

// news is the new states of a row.
type news struct {
	set    []uint64
	n      int      // how many there are
	list   []uint32 // their numbers, if they are listed
	listed bool
}

// states lists them.
func (n *news) states() []uint32 {
	if !n.listed {
		n.list, n.listed = numbers(n.set, n.list[:0]), true
	}
	return n.list
}

// numbers appends the numbers of the bits that are set.
func numbers(set []uint64, list []uint32) []uint32 {
	for i, x := range set {
		for ; x != 0; x &= x - 1 {
			list = append(list, uint32(i<<6+bits.TrailingZeros64(x)))
		}
	}
	return list
}

// queue has the blocks of a layer that may have new states, in the order in which they got them.
type queue struct {
	sync.Mutex
	wake   sync.Cond // there is a block, or there will be none
	now    []*block  // from next on
	next   int
	later  []*block // after these
	busy   int      // workers that have a block
	failed error    // the first one
}

// stage is where a block is.
type stage uint8

const (
	waiting stage = iota // for its layer, or for states
	queued
	played // by a worker
	gaining
)

// fill begins with some blocks.
func (q *queue) fill(list []*block) {
	for _, b := range list {
		b.stage = queued
	}
	q.now, q.next, q.later = append(q.now[:0], list...), 0, q.later[:0]
}

// push adds a block that has got states.
func (q *queue) push(b *block) {
	q.Lock()
	q.later = append(q.later, b)
	q.Unlock()
	q.wake.Signal()
}

// pop returns the next block; nil if there will be none. It waits while others may still add some.
func (q *queue) pop() *block {
	q.Lock()
	defer q.Unlock()
	for q.failed == nil {
		if q.next == len(q.now) {
			q.now, q.next, q.later = q.later, 0, q.now[:0]
		}
		switch {
		case len(q.now) > 0:
			q.next++
			q.busy++
			return q.now[q.next-1]
		case q.busy == 0:
			return nil
		}
		q.wake.Wait()
	}
	return nil
}

// done is called after a block that was popped.
func (q *queue) done(err error) {
	q.Lock()
	if q.busy--; q.failed == nil {
		q.failed = err
	}
	over := q.busy == 0 || q.failed != nil
	q.Unlock()
	if over {
		q.wake.Broadcast()
	}
}
