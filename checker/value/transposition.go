package value

import (
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/mancheck/mancheck/internal/huge"
)

// transpositions is a table of what is known of positions. It has a limited size, and forgets those
// that took the least work. Entries have the whole names of positions, so one is never taken for
// another.
//
// Names are numbers below a limit where the positions have ranks. A number is mixed first, so that
// no bits of it are lost. The upper bits of the result select a bucket, the lower bits are stored
// in the entry with what is known (quotienting: J. Cleary, Compact hash tables using bidirectional
// linear probing, 1984). So an entry is one word, which several searches read and write at the same
// time. Other names have some words, which are stored before what is known, and only one search may
// use the table.
type transpositions struct {
	layout
	words    int   // of a name
	entry    int   // words of an entry
	bucket   int   // words of a bucket
	name     uint  // bits of a mixed name
	index    uint  // bits of the number of a bucket
	maxBytes int64 // bytes
	memory   *huge.Words
	slots    []uint64 // 0: the entry is free
	used     atomic.Int64
	// growing is held by those who read or write, and taken alone by who grows the table.
	growing sync.RWMutex
	grower  sync.Mutex // held by who grows the table, or wants to
}

// layout says how a word stores what is known:
//
//	the part of the name that the bucket does not tell, the lower bound, the upper bound, one more
//	than the step, the work, a bit for a position that is being searched, a bit that is always set
type layout struct {
	rest  uint // bits
	bound uint // bits
	great int  // a bound of that size, or more, is none
}

const (
	stepBits  = 5
	workBits  = 5
	knownBits = stepBits + workBits + 2 // besides the bounds
	busyShift = 62
	mostBound = 24 // bits

	short     = 8 // entries of a bucket, if they are one word: a cache line
	long      = 4
	leastBits = 8  // of the number of a bucket
	mostIndex = 18 // bits, of a table that is empty
)

// bounds are bounds on what the rest of play is worth, for the player to move.
type bounds struct{ lo, hi int }

// known is what is known of a position: bounds, the best step so far, or -1, and how much work that
// took. It is small enough for registers.
type known struct {
	bounds
	step, work int32
	busy       bool // somebody searches it
}

// newTranspositions returns a table that takes at most the given number of bytes, or little more
// than its least size. Names are below the limit, or of any words if that is 0. Greater bounds than
// great are stored as great; 0 is a very great one.
func newTranspositions(words int, limit uint64, great int, bytes int64) *transpositions {
	t := &transpositions{words: words}
	if great == 0 || bits.Len(uint(2*great)) > mostBound {
		great = 1<<(mostBound-1) - 1
	}
	t.bound, t.great = uint(bits.Len(uint(2*great))), great
	t.name = uint(max(bits.Len64(limit-1), leastBits))
	free := 64 - knownBits - 2*t.bound // bits of an entry for the rest of a name
	t.index = max(t.name, free+leastBits) - free
	if limit > 0 && t.index <= mostIndex {
		t.entry, t.bucket, t.rest = 1, short, t.name-t.index
	} else {
		t.index, t.entry, t.bucket = leastBits, words+1, long*(words+1)
	}
	t.maxBytes = bytes
	t.allocate()
	return t
}

func (t *transpositions) allocate() {
	t.memory = huge.New(t.bucket << t.index)
	t.slots = t.memory.Slots
}

// free gives the memory back.
func (t *transpositions) free() { t.memory.Free() }

func (t *transpositions) bytes() int64 { return int64(len(t.slots)) * 8 }

// shared reports whether several searches may use the table.
func (t *transpositions) shared() bool { return t.entry == 1 }

// pack returns the word for what is known, without a name.
func (l *layout) pack(k known) uint64 {
	step := uint64(k.step + 1)
	if step >= 1<<stepBits {
		step = 0
	}
	w := 2 | truth(k.busy)
	w = w<<workBits | uint64(min(k.work, 1<<workBits-1))
	w = w<<stepBits | step
	w = w<<(l.bound&63) | uint64(min(max(k.hi, -l.great), l.great)+l.great)
	w = w<<(l.bound&63) | uint64(min(max(k.lo, -l.great), l.great)+l.great)
	return w << (busyShift - workBits - stepBits - 2*l.bound&63)
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// unpack is the inverse of pack, for what is known where the bounds are within lo and hi anyway.
func (l *layout) unpack(w uint64, lo, hi int) known {
	k := known{busy: w>>busyShift&1 != 0, work: int32(w >> (busyShift - workBits) & (1<<workBits - 1))}
	k.step = int32(w>>(busyShift-workBits-stepBits)&(1<<stepBits-1)) - 1
	w >>= (busyShift - workBits - stepBits - 2*l.bound) & 63
	mask := uint64(1)<<(l.bound&63) - 1
	if k.lo = int(w&mask) - l.great; k.lo < lo || k.lo == -l.great {
		k.lo = lo
	}
	if k.hi = int(w>>(l.bound&63)&mask) - l.great; k.hi > hi || k.hi == l.great {
		k.hi = hi
	}
	return k
}

func (l *layout) work(w uint64) int { return int(w >> (busyShift - workBits) & (1<<workBits - 1)) }

// mix maps the names below the limit to numbers of as many bits, each to another one. All bits of
// a name have influence on the upper bits.
func (t *transpositions) mix(name uint64) uint64 {
	mask := uint64(1)<<(t.name&63) - 1
	name ^= name >> (t.name / 2 & 63)
	return name * 0x9E3779B97F4A7C15 & mask
}

// hash depends on all bits of a name of some words.
func hash(name []uint64) uint64 {
	h := name[0] * 0x9E3779B97F4A7C15
	for _, w := range name[1:] {
		hi, lo := bits.Mul64(h^w, 0xD6E8FEB86659FD93)
		h = hi ^ lo
	}
	return h ^ h<<32
}

// slot returns the place of the bucket of a name, and the part of the name that is in the last word
// of its entry.
func (t *transpositions) slot(name []uint64) (place int, rest uint64) {
	if t.entry == 1 {
		m := t.mix(name[0])
		return int(m>>(t.rest&63)) * short, m & (1<<(t.rest&63) - 1)
	}
	return int(hash(name)>>(64-t.index&63)) * t.bucket, 0
}

// find returns what is known of a position whose bounds are within lo and hi anyway.
func (t *transpositions) find(name []uint64, lo, hi int) known {
	at, rest := t.slot(name)
	if _, w := t.look(name, at, rest); w != 0 {
		return t.unpack(w, lo, hi)
	}
	return known{bounds: bounds{lo, hi}, step: -1}
}

// look returns the place of the entry of a name, which is in the bucket at, and its last word,
// which is 0 if there is none.
func (t *transpositions) look(name []uint64, at int, rest uint64) (place int, w uint64) {
	if t.entry == 1 {
		mask := uint64(1)<<(t.rest&63) - 1
		b := (*[short]uint64)(t.slots[at:])
		for i := range b {
			if w := atomic.LoadUint64(&b[i]); w&mask == rest && w != 0 {
				return at + i, w
			}
		}
		return 0, 0
	}
next:
	for i := at; i < at+t.bucket; i += t.entry {
		for j, n := range name {
			if t.slots[i+j] != n {
				continue next
			}
		}
		if w := t.slots[i+t.words]; w != 0 {
			return i, w
		}
	}
	return 0, 0
}

// fetch brings the bucket of a name into the cache, in the background.
func (t *transpositions) fetch(name []uint64) {
	at, _ := t.slot(name)
	huge.Fetch(&t.slots[at])
}

// store replaces what is known of a position. If there is no room, the position that took the least
// work is forgotten.
func (t *transpositions) store(name []uint64, k known) {
	w := t.pack(k)
	at, rest := t.slot(name)
	place, old := t.look(name, at, rest)
	if old == 0 {
		place = t.victim(at)
	}
	if t.entry == 1 {
		atomic.StoreUint64(&t.slots[place], w|rest)
		return
	}
	copy(t.slots[place:], name)
	t.slots[place+t.words] = w
}

// victim returns the place of the entry of a bucket that is free, or has taken the least work.
func (t *transpositions) victim(at int) int {
	place, least := at, 1<<workBits
	for i := at; i < at+t.bucket; i += t.entry {
		w := atomic.LoadUint64(&t.slots[i+t.entry-1])
		if w == 0 {
			t.used.Add(1)
			return i
		}
		if n := t.work(w); n < least {
			place, least = i, n
		}
	}
	return place
}

// mark notes whether a position is being searched.
func (t *transpositions) mark(name []uint64, busy bool) {
	const bit = 1 << busyShift
	at, rest := t.slot(name)
	switch place, w := t.look(name, at, rest); {
	case w != 0:
		atomic.StoreUint64(&t.slots[place], w&^bit|truth(busy)*bit)
	case busy:
		t.store(name, known{bounds: bounds{-t.great, t.great}, step: -1, busy: true})
	}
}

// full reports whether the table should grow.
func (t *transpositions) full() bool {
	return int(t.used.Load())*t.entry*4 > len(t.slots)*3 && 2*t.bytes() <= t.maxBytes && (t.entry > 1 || t.rest > 0)
}

// growByOne grows the table if it should, and nobody has done so meanwhile. Whoever wants to grow
// it waits here, and not as a writer: those who read look around only when it is full.
func (t *transpositions) growByOne() {
	t.grower.Lock()
	defer t.grower.Unlock()
	if t.full() {
		t.growing.Lock()
		t.grow()
		t.growing.Unlock()
	}
}

// grow doubles the table. Nobody else may use it meanwhile.
func (t *transpositions) grow() {
	before, old := t.memory, t.slots
	t.index++
	t.allocate()
	if t.entry > 1 {
		t.used.Store(0)
		for i := 0; i < len(old); i += t.entry {
			if w := old[i+t.words]; w != 0 {
				at, _ := t.slot(old[i:][:t.words])
				copy(t.slots[t.victim(at):], old[i:][:t.entry])
			}
		}
		before.Free()
		return
	}
	t.rest--
	for at := 0; at < len(old); at += short {
		// The next bit of the name chooses between the two buckets.
		var free [2]int
		to := t.slots[2*at:][:2*short]
		for _, w := range old[at:][:short] {
			if w != 0 {
				half := w >> (t.rest & 63) & 1
				to[int(half)*short+free[half]] = w &^ (1 << (t.rest & 63))
				free[half]++
			}
		}
	}
	before.Free()
}
