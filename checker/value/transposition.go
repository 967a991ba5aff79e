package value

import (
	"math/bits"

	"github.com/mancheck/mancheck/internal/huge"
)

// transpositions is a table of what is known of positions. It has a limited size, and forgets those
// that took the least work. A position is told by its whole name, so nothing is ever taken for
// something else.
//
// Four entries are a bucket, which is as long as a cache line if names have one word. A position is
// in the bucket that the hash of its name selects.
type transpositions struct {
	words  int // of a name
	memory *huge.Words
	slots  []uint64 // of each entry: the name, then what is known; 0: the entry is free
	shift  uint
	used   int
	most   int // buckets

	fetched uint64 // of no meaning; what is stored here is loaded first
}

const (
	bucket     = 4
	firstShift = 64 - 8 // 256 buckets
)

// newTranspositions returns a table that takes at most so many bytes, or little more than its least
// size.
func newTranspositions(words int, bytes int64) *transpositions {
	t := &transpositions{words: words, shift: firstShift}
	t.most = int(max(bytes/int64(bucket*(words+1)*8), 1<<(64-firstShift)))
	t.allocate()
	return t
}

func (t *transpositions) allocate() {
	t.memory = huge.New(t.size())
	t.slots = t.memory.Slots
}

// free gives the memory back.
func (t *transpositions) free() { t.memory.Free() }

func (t *transpositions) buckets() int { return 1 << (64 - t.shift) }
func (t *transpositions) size() int    { return t.buckets() * bucket * (t.words + 1) }
func (t *transpositions) bytes() int64 { return int64(len(t.slots)) * 8 }

// known is what is known of a position, for the player to move: bounds on what the rest of play is
// worth, the best step so far, and how much work that took.
//
//	bits 0-23 lower bound, 24-47 upper bound, 48-55 one more than the step, 56-63 work
type known uint64

const (
	boundBits = 24
	mostBound = 1<<(boundBits-1) - 1 // a bound of that is none
	noStep    = 0xff
)

func clip(v int) int { return max(min(v, mostBound), -mostBound) }

func newKnown(lo, hi, step, work int) known {
	const mask = 1<<boundBits - 1
	if step < 0 || step >= noStep {
		step = noStep - 1
	}
	k := uint64(clip(lo)) & mask
	k |= uint64(clip(hi)) & mask << boundBits
	return known(k | uint64(step+1)<<48 | uint64(work)<<56)
}

// lo and hi are bounds within what the caller knows anyway.
func (k known) lo(none int) int {
	if v := int(int64(k<<(64-boundBits)) >> (64 - boundBits)); v > -mostBound && k != 0 {
		return max(v, none)
	}
	return none
}

func (k known) hi(none int) int {
	if v := int(int64(k<<(64-2*boundBits)) >> (64 - boundBits)); v < mostBound && k != 0 {
		return min(v, none)
	}
	return none
}

// step is the best step so far, or a number that no position has.
func (k known) step() int { return int(k>>48&0xff) - 1 }
func (k known) work() int { return int(k >> 56) }

// hash depends on all bits of a name.
func (t *transpositions) hash(name []uint64) uint64 {
	h := name[0] * 0x9E3779B97F4A7C15
	for _, w := range name[1:] {
		hi, lo := bits.Mul64(h^w, 0xD6E8FEB86659FD93)
		h = hi ^ lo
	}
	return h ^ h<<32
}

// at returns the place of the bucket of a name.
func (t *transpositions) at(name []uint64) int {
	return int(t.hash(name)>>(t.shift&63)) * bucket * (t.words + 1)
}

// find returns what is known of a position; 0 is nothing.
func (t *transpositions) find(name []uint64) known {
	if t.words == 1 {
		b := t.slots[t.at(name):][:2*bucket]
		for i := 0; i < len(b); i += 2 {
			if b[i] == name[0] && b[i+1] != 0 {
				return known(b[i+1])
			}
		}
		return 0
	}
	if i := t.entry(name); i >= 0 {
		return known(t.slots[i+t.words])
	}
	return 0
}

// fetch brings the buckets of some names into the cache. Memory is slow, and the processor waits
// for all of them together.
func (t *transpositions) fetch(names []uint64) {
	sum := uint64(0)
	for ; len(names) > 0; names = names[t.words:] {
		sum += t.slots[t.at(names[:t.words])]
	}
	t.fetched = sum
}

// entry returns the place of the entry of a name, or -1.
func (t *transpositions) entry(name []uint64) int {
	i := t.at(name)
next:
	for range bucket {
		e := t.slots[i : i+t.words+1]
		i += t.words + 1
		if e[t.words] == 0 {
			continue
		}
		for w, n := range name {
			if e[w] != n {
				continue next
			}
		}
		return i - t.words - 1
	}
	return -1
}

// store replaces what is known of a position. If there is no room, the position that took the least
// work is forgotten.
func (t *transpositions) store(name []uint64, k known) {
	i := t.entry(name)
	if i < 0 {
		i = t.at(name)
		least := i
		for n := range bucket {
			j := i + n*(t.words+1)
			if t.slots[j+t.words] == 0 {
				least = j
				t.used++
				break
			}
			if known(t.slots[j+t.words]).work() < known(t.slots[least+t.words]).work() {
				least = j
			}
		}
		i = least
		copy(t.slots[i:], name)
	}
	t.slots[i+t.words] = uint64(k)
	if t.used*4 > t.buckets()*bucket*3 && 2*t.buckets() <= t.most {
		t.grow()
	}
}

// grow doubles the table.
func (t *transpositions) grow() {
	before, old := t.memory, t.slots
	t.shift--
	t.allocate()
	t.used = 0
	for i := 0; i < len(old); i += t.words + 1 {
		if k := old[i+t.words]; k != 0 {
			t.store(old[i:i+t.words], known(k))
		}
	}
	before.Free()
}
