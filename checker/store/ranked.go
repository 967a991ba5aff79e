package store

import (
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
)

// ranked is states whose keys have ranks. Their ranks are their names. The set begins as a hash
// set, unless a bit for every rank of a live state takes little memory anyway. When the hash set
// takes a good part of that memory, bits replace it. Finished states are few as a rule.
type ranked struct {
	*pack.Ranker
	words   int
	block   int // states of one
	width   int // bits of a rank
	set     pack.Numbers
	memory  int64 // bytes that there are; 0: the set stays as it is
	total   int64 // states
	shelves []shelf
	blocks  [][]uint64 // of the current level
	ends    []int      // by level and shelf: the end of the level's ranks there
}

// shelf is what one worker has found.
type shelf struct {
	ranks pack.List
	block []uint64 // that is being filled
	next  [][]uint64
	free  [][]uint64

	scratch []uint64
	fresh   []int32
	_       [64]byte // so that shelves do not share cache lines
}

func (s *ranked) Names(worker int, keys []uint64) []uint64 {
	h := &s.shelves[worker]
	h.scratch = slices.Grow(h.scratch[:0], len(keys)/s.words)[:len(keys)/s.words]
	s.Ranks(keys, h.scratch)
	return h.scratch
}

func (s *ranked) Add(worker int, keys []uint64, shared bool) ([]uint64, int) {
	h := &s.shelves[worker]
	ranks := s.Names(worker, keys)
	n := len(ranks)
	h.fresh = slices.Grow(h.fresh[:0], n)[:n]
	var k int
	if shared {
		k = s.set.AddShared(ranks, h.fresh[:n])
	} else {
		k = s.set.Add(ranks, h.fresh[:n])
	}
	h.ranks.Append(ranks, h.fresh[:k])
	h.keep(keys, s.words, s.block, h.fresh[:k])
	return ranks, k
}

// keep appends keys to the blocks.
func (h *shelf) keep(keys []uint64, words, block int, fresh []int32) {
	for len(fresh) > 0 {
		if len(h.block) == cap(h.block) {
			h.newBlock(words * block)
		}
		b := h.block
		k := min(len(fresh), (cap(b)-len(b))/words)
		if words == 1 {
			to := b[len(b) : len(b)+k]
			for j, i := range fresh[:k] {
				to[j] = keys[i]
			}
			b = b[:len(b)+k]
		} else {
			for _, i := range fresh[:k] {
				b = append(b, keys[int(i)*words:(int(i)+1)*words]...)
			}
		}
		h.block = b
		fresh = fresh[k:]
	}
}

func (h *shelf) newBlock(size int) {
	h.endBlock()
	if n := len(h.free); n > 0 {
		h.block, h.free = h.free[n-1][:0], h.free[:n-1]
		return
	}
	h.block = make([]uint64, 0, size)
}

func (h *shelf) endBlock() {
	if len(h.block) > 0 {
		h.next = append(h.next, h.block)
	}
	h.block = nil
}

func (s *ranked) Settle(total int64) (int64, error) {
	s.total = total
	return total, nil
}

func (s *ranked) Level() int {
	s.blocks = nil
	for i := range s.shelves {
		h := &s.shelves[i]
		h.endBlock()
		s.blocks = append(s.blocks, h.next...)
		h.next = h.next[:0]
		s.ends = append(s.ends, h.ranks.Len())
	}
	if c, ok := s.set.(*pack.Compact); ok && s.replaces(c, s.Bytes(s.total, 0)) {
		s.set = s.inBits()
	}
	return len(s.blocks)
}

func (s *ranked) Current(_, i int) []uint64 { return s.blocks[i] }

func (s *ranked) Err() error { return nil }

func (s *ranked) Free() {
	if b, is := s.set.(*pack.Bits); is {
		b.Free()
	}
}

// replaces reports whether bits should replace the hash set, as a part of what is used: if they
// take less memory, or if they take not much more, and there is enough.
func (s *ranked) replaces(c *pack.Compact, used int64) bool {
	size, now := pack.BitsBytes(s.Live()), c.Bytes()
	return s.memory > 0 && (size <= now || size/8 <= now && used-now+size <= s.memory/2)
}

// inBits returns the same set with a bit for each rank.
func (s *ranked) inBits() *pack.Bits {
	set := pack.NewBits(s.Size())
	var ranks [4 * pack.AtOnce]uint64
	var fresh [4 * pack.AtOnce]int32
	for i := range s.shelves {
		list := &s.shelves[i].ranks
		for lo := 0; lo < list.Len(); lo += len(ranks) {
			some := ranks[:min(len(ranks), list.Len()-lo)]
			list.Read(lo, some)
			set.Add(some, fresh[:])
		}
	}
	return set
}

func (s *ranked) Release(worker int, block []uint64) {
	h := &s.shelves[worker]
	h.free = append(h.free, block)
}

func (s *ranked) Pieces(level int) []Piece {
	return cut(s.ends, len(s.shelves), level, s.block)
}

// cut lists the pieces of a level, from where it ends on each shelf.
func cut(ends []int, shelves, level, size int) []Piece {
	var list []Piece
	for i := range shelves {
		lo, hi := 0, ends[level*shelves+i]
		if level > 0 {
			lo = ends[(level-1)*shelves+i]
		}
		for ; lo < hi; lo += size {
			list = append(list, Piece{i, lo, min(lo+size, hi)})
		}
	}
	return list
}

func (s *ranked) Read(_ int, p Piece, buffer []uint64) []uint64 {
	var ranks [BlockStates]uint64
	some := ranks[:p.Hi-p.Lo]
	s.shelves[p.Shelf].ranks.Read(p.Lo, some)
	buffer = slices.Grow(buffer[:0], len(some)*s.words)[:len(some)*s.words]
	for i, r := range some {
		s.Unrank(r, buffer[i*s.words:(i+1)*s.words])
	}
	return buffer
}

func (s *ranked) NameBits() int { return s.width }

func (s *ranked) Bytes(total, open int64) int64 {
	return s.set.Bytes() + total*int64(s.shelves[0].ranks.Width()) + open*int64(s.words)*8
}
