package forward

import (
	"math/bits"

	"github.com/mancheck/mancheck/checker/pack"
)

// states is the set of the states found, and the levels in which they were found. A name is a
// number for a state that no other has.
//
// A level is kept in two ways. While it is the next or the current one, there are the keys of its
// states, in blocks, for the workers to expand. For traces, it can be read again as long as the
// search lives.
//
// States on disk (ondisk.go) are the exception: there is one way to read them, they have no names,
// and how many of the keys added are new is known only when the level ends.
type states interface {
	// add adds the keys to the next level, as far as they are new, and returns the names of all of
	// them, which are valid until the worker adds more, and how many were new. With shared set
	// other workers may call it at the same time.
	add(worker int, keys []uint64, shared bool) (names []uint64, fresh int)

	// settle returns how many states there are, total as far as was known. No more are added to the
	// next level.
	settle(total int64) (int64, error)

	// level makes the next level the current one, and returns the number of its blocks.
	level() int

	// current returns a block of the current level, and release says that a worker has expanded it.
	current(worker, i int) []uint64
	release(worker int, block []uint64)

	// pieces lists the parts of a level, and read returns the keys of one of them.
	pieces(level int) []piece
	read(worker int, p piece, buffer []uint64) []uint64

	// err returns the error because of which nothing can be relied upon that the methods returned.
	err() error

	// free gives memory back before it is garbage. No other method may be called after that.
	free()

	// names returns the names of states that were added, which are valid until the worker calls it
	// again or adds more. It must not be called during an add.
	names(worker int, keys []uint64) []uint64
	nameBits() int

	// bytes returns the memory taken, when this many states have been found, open of them in the
	// next and the current level. It does not depend on the order in which they were.
	bytes(total, open int64) int64
}

// piece is some states of a level: those of a shelf from lo to hi.
type piece struct{ shelf, lo, hi int }

// blockStates is the number of states in a block, unless their keys are long.
const blockStates = 512

func blockSize(words int, o Options) int {
	if o.tiny {
		return 2
	}
	return max(1, min(blockStates, 8192/words))
}

// kind is a kind of set.
type kind int

const (
	fitting kind = iota // whatever suits
	inBits
	inHash
	inKeys
)

// newStates returns an empty set for so many workers. The boards have most seeds, or with fixed
// unset at most so many.
func newStates(c *pack.Codec, most int, fixed bool, workers int, o Options) states {
	r, ok := pack.NewRanker(c, most, fixed)
	if !ok || o.set == inKeys {
		return newWide(c.Words(), workers, blockSize(c.Words(), o))
	}
	s := &ranked{Ranker: r, words: c.Words(), block: blockSize(c.Words(), o), shelves: make([]shelf, workers)}
	s.width = bits.Len64(r.Size() - 1)
	small := min(o.MaxMemory/16, 16<<20)
	s.most = o.MaxMemory
	switch size := pack.BitsBytes(r.Live()); {
	case o.set == inBits || o.set == fitting && size <= small:
		s.set = pack.NewBits(r.Size())
	case o.set == inHash:
		s.set, s.most = pack.NewCompact(s.width), 0
	default:
		s.set = pack.NewCompact(s.width)
	}
	for i := range s.shelves {
		s.shelves[i].ranks = pack.NewList(s.width)
	}
	return s
}

// ranked is states whose keys have ranks. Their ranks are their names. The set begins as a hash
// set, unless a bit for every rank of a live state takes little memory anyway. When the hash set
// takes a good part of that memory, bits replace it. Finished states are few as a rule.
type ranked struct {
	*pack.Ranker
	words   int
	block   int // states of one
	width   int // bits of a rank
	set     pack.Numbers
	most    int64 // bytes that there are; 0: the set stays as it is
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

func (s *ranked) names(worker int, keys []uint64) []uint64 {
	h := &s.shelves[worker]
	h.scratch = resized(h.scratch, len(keys)/s.words)
	s.Ranks(keys, h.scratch)
	return h.scratch
}

func (s *ranked) add(worker int, keys []uint64, shared bool) ([]uint64, int) {
	h := &s.shelves[worker]
	ranks := s.names(worker, keys)
	n := len(ranks)
	h.fresh = resized(h.fresh, n)
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

func (s *ranked) settle(total int64) (int64, error) {
	s.total = total
	return total, nil
}

func (s *ranked) level() int {
	s.blocks = nil
	for i := range s.shelves {
		h := &s.shelves[i]
		h.endBlock()
		s.blocks = append(s.blocks, h.next...)
		h.next = h.next[:0]
		s.ends = append(s.ends, h.ranks.Len())
	}
	if c, ok := s.set.(*pack.Compact); ok && s.replaces(c, s.bytes(s.total, 0)) {
		s.set = s.inBits()
	}
	return len(s.blocks)
}

func (s *ranked) current(_, i int) []uint64 { return s.blocks[i] }

func (s *ranked) err() error { return nil }

func (s *ranked) free() {
	if b, is := s.set.(*pack.Bits); is {
		b.Free()
	}
}

// replaces reports whether bits should replace the hash set, as a part of what is used: if they
// take less memory, or if they take not much more, and there is enough.
func (s *ranked) replaces(c *pack.Compact, used int64) bool {
	size, now := pack.BitsBytes(s.Live()), c.Bytes()
	return s.most > 0 && (size <= now || size/8 <= now && used-now+size <= s.most/2)
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

func (s *ranked) release(worker int, block []uint64) {
	h := &s.shelves[worker]
	h.free = append(h.free, block)
}

func (s *ranked) pieces(level int) []piece {
	return cut(s.ends, len(s.shelves), level, s.block)
}

// cut lists the pieces of a level, from where it ends on each shelf.
func cut(ends []int, shelves, level, size int) []piece {
	var list []piece
	for i := range shelves {
		lo, hi := 0, ends[level*shelves+i]
		if level > 0 {
			lo = ends[(level-1)*shelves+i]
		}
		for ; lo < hi; lo += size {
			list = append(list, piece{i, lo, min(lo+size, hi)})
		}
	}
	return list
}

func (s *ranked) read(_ int, p piece, buffer []uint64) []uint64 {
	var ranks [blockStates]uint64
	some := ranks[:p.hi-p.lo]
	s.shelves[p.shelf].ranks.Read(p.lo, some)
	buffer = resized(buffer, len(some)*s.words)
	for i, r := range some {
		s.Unrank(r, buffer[i*s.words:(i+1)*s.words])
	}
	return buffer
}

func (s *ranked) nameBits() int { return s.width }

func (s *ranked) bytes(total, open int64) int64 {
	return s.set.Bytes() + total*int64(s.shelves[0].ranks.Width()) + open*int64(s.words)*8
}

// wide is states with keys that have no ranks. The set itself has the keys, shelf after shelf in
// the order in which they were added.
type wide struct {
	set     *pack.Wide
	sets    []*pack.Set
	words   int
	block   int        // states of one
	blocks  [][]uint64 // of the current level
	ends    []int      // by level and shelf: the end of the level's keys there
	scratch [][]uint64
	fresh   [][]int32
}

func newWide(words, workers, block int) *wide {
	s := &wide{set: pack.NewWide(words), words: words, block: block, scratch: make([][]uint64, workers), fresh: make([][]int32, workers)}
	s.sets = s.set.Shards()
	return s
}

func (s *wide) add(worker int, keys []uint64, shared bool) ([]uint64, int) {
	n := len(keys) / s.words
	s.scratch[worker] = resized(s.scratch[worker], n)
	s.fresh[worker] = resized(s.fresh[worker], n)
	names := s.scratch[worker]
	return names, s.set.Add(keys, names, s.fresh[worker], shared)
}

func (s *wide) settle(total int64) (int64, error) { return total, nil }

func (s *wide) level() int {
	for _, set := range s.sets {
		s.ends = append(s.ends, set.Len())
	}
	s.blocks = nil
	for _, p := range s.pieces(len(s.ends)/len(s.sets) - 1) {
		for p.lo < p.hi {
			keys := s.sets[p.shelf].From(p.lo, p.hi)
			s.blocks = append(s.blocks, keys)
			p.lo += len(keys) / s.words
		}
	}
	return len(s.blocks)
}

func (s *wide) current(_, i int) []uint64 { return s.blocks[i] }

func (s *wide) err() error { return nil }

func (s *wide) free() {}

func (s *wide) release(int, []uint64) {}

func (s *wide) pieces(level int) []piece {
	return cut(s.ends, len(s.sets), level, s.block)
}

func (s *wide) read(_ int, p piece, buffer []uint64) []uint64 {
	buffer = buffer[:0]
	for p.lo < p.hi {
		keys := s.sets[p.shelf].From(p.lo, p.hi)
		buffer = append(buffer, keys...)
		p.lo += len(keys) / s.words
	}
	return buffer
}

func (s *wide) names(worker int, keys []uint64) []uint64 {
	s.scratch[worker] = resized(s.scratch[worker], len(keys)/s.words)
	names := s.scratch[worker]
	for i := range names {
		names[i] = s.set.Name(keys[i*s.words : (i+1)*s.words])
	}
	return names
}

func (s *wide) nameBits() int { return 40 }

func (s *wide) bytes(int64, int64) int64 { return s.set.Bytes() }

// resized returns a slice of n elements, s if it is long enough.
func resized[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	return s[:n]
}
