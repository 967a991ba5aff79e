package rows

import (
	"math/bits"
	"slices"

	"github.com/mancheck/mancheck/checker/plan"
)

// block is the states with one control and so many seeds in each territory.
type block struct {
	id
	layer   int
	side    int     // the territory whose contents are rows
	seen    matrix  // states that were found
	fresh   matrix  // states that may not have been seen
	turned  matrix  // more of these, with rows and columns exchanged; made when it is needed
	any     bool    // there may be such states
	actions []int32 // that may be legal; nil: not found yet
}

// id tells blocks apart.
type id struct {
	control plan.Key
	totals  [2]int
}

// matrix is a set of states: a row for each content of one territory, and in it a bit for each
// content of the other. Rows are in pages, which are there if some row of theirs is not empty.
type matrix struct {
	words   int // of a row
	perPage int // rows
	pages   [][]uint64
	dirty   []bool // by row: it is not empty
}

// pageWords is the length of a page, unless a row is longer.
const pageWords = 512

func newMatrix(rows, columns int) matrix {
	words := plan.WordsFor(columns)
	m := matrix{words: words, perPage: max(pageWords/words, 1), dirty: make([]bool, rows)}
	m.pages = make([][]uint64, (rows+m.perPage-1)/m.perPage)
	return m
}

// overhead is the memory of a matrix besides its pages.
func (m *matrix) overhead() int64 { return int64(len(m.dirty) + 8*len(m.pages)) }

// pool has pages for matrices. All of their words are 0.
type pool struct {
	free  map[int][][]uint64 // by length
	bytes int64              // of all pages that are in use or free
}

// page returns a page of a matrix that is new or has been put back.
func (p *pool) page(words int) []uint64 {
	n := max(words, pageWords)
	if list := p.free[n]; len(list) > 0 {
		p.free[n] = list[:len(list)-1]
		return list[len(list)-1]
	}
	p.bytes += 8 * int64(n)
	return make([]uint64, n)
}

// put takes back the pages of a matrix, which is empty then. clean says that their words are 0.
func (p *pool) put(m *matrix, clean bool) {
	for i, page := range m.pages {
		if page == nil {
			continue
		}
		if !clean {
			clear(page)
		}
		p.free[len(page)] = append(p.free[len(page)], page)
		m.pages[i] = nil
	}
}

// row returns a row to which states will be added.
func (m *matrix) row(p *pool, n int) []uint64 {
	m.dirty[n] = true
	page := &m.pages[n/m.perPage]
	if *page == nil {
		*page = p.page(m.words)
	}
	at := n % m.perPage * m.words
	return (*page)[at : at+m.words : at+m.words]
}

// at returns a row, or nil if it is empty.
func (m *matrix) at(n int) []uint64 {
	if !m.dirty[n] {
		return nil
	}
	at := n % m.perPage * m.words
	return m.pages[n/m.perPage][at:][:m.words]
}

// turn moves the states in turned to fresh. States are added row by row, which is fast, and turned
// when they are needed, each once.
func (b *block) turn(p *pool) {
	t := &b.turned
	var square [64]uint64
	var rows [64][]uint64
	for first := 0; first < len(t.dirty); first += 64 {
		dirty := t.dirty[first:min(first+64, len(t.dirty))]
		if !slices.Contains(dirty, true) {
			continue
		}
		for r := range dirty {
			rows[r] = t.at(first + r)
			dirty[r] = false
		}
		clear(rows[len(dirty):])
		for i := range t.words {
			n := 0
			for r, row := range rows {
				if square[r] = 0; row != nil {
					square[r], row[i] = row[i], 0
					n += bits.OnesCount64(square[r])
				}
			}
			b.addSquare(p, &square, n, i<<6, first>>6)
		}
	}
	p.put(t, true)
}

// dense is how many of 64 by 64 states make it faster to turn them all at once.
const dense = 80

// addSquare adds n states to fresh, given as columns, which begin with a row of the block.
func (b *block) addSquare(p *pool, square *[64]uint64, n, row, word int) {
	f := &b.fresh
	switch {
	case n == 0:
	case n < dense:
		for c, x := range square {
			for ; x != 0; x &= x - 1 {
				f.row(p, row+bits.TrailingZeros64(x))[word] |= 1 << c
			}
		}
	default:
		transpose(square)
		for r, x := range square {
			if x != 0 {
				f.row(p, row+r)[word] |= x
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

// take moves the new states of a row to those that were seen, and to news. It returns how many
// there are.
func (b *block) take(p *pool, row int, news []uint64) (n int) {
	fresh := b.fresh.at(row)
	b.fresh.dirty[row] = false
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
