package pack

import (
	"runtime"
	"sync/atomic"
)

// Compact is a hash set of numbers that takes a few bytes for each, however many bits they have.
//
// A number is mixed, by a permutation of the numbers of its length. The first bits of the result
// select one of the segments, which are tables that grow on their own: so there are never two
// copies of more than one of them. The next bits are the home of the number among the slots of the
// segment, and only the rest, the remainder, is stored. It lies at its home or in one of the next
// slots. A slot says how far it is from home, so home and remainder, and with them the number, can
// be told from the slot, and the set is exact.
//
// Numbers lie in the order of their homes. So a search ends early, at a number with a later home,
// and the distances stay small.
type Compact struct {
	rest     uint // bits of a mixed number after those that select the segment
	mixer    mixer
	segments []segment
	used     atomic.Int64 // bytes of the tables
}

const (
	segmentBits  = 6 // of the number of segments
	firstSlots   = 6 // of a new segment, as a power of two
	distanceBits = 6 // of a slot. The field has one more than the distance, and 0 in free slots
	distanceMask = 1<<distanceBits - 1
)

// segment is a part of the set, with a lock of its own.
type segment struct {
	busy atomic.Uint32
	n    int
	table
	_ [16]byte // so that segments do not share cache lines
}

// table is the slots of a segment. They are as narrow as the remainders allow, and none is beyond
// them: besides a slot for each home there are as many as the greatest distance.
type table struct {
	bits   uint // of a home
	narrow []uint16
	middle []uint32
	wide   []uint64
}

func newTable(bits, rest uint) table {
	t := table{bits: bits}
	n := 1<<bits + 1<<distanceBits
	switch width := rest - bits + distanceBits; {
	case width <= 16:
		t.narrow = make([]uint16, n)
	case width <= 32:
		t.middle = make([]uint32, n)
	default:
		t.wide = make([]uint64, n)
	}
	return t
}

// NewCompact returns an empty set of numbers of at most the given number of bits.
func NewCompact(width int) *Compact {
	first := min(segmentBits, width/2)
	return &Compact{rest: uint(width - first), mixer: newMixer(width), segments: make([]segment, 1<<first)}
}

// mixer is a permutation of the numbers of some length.
type mixer struct {
	mask  uint64
	shift uint
}

func newMixer(width int) mixer { return mixer{mask: 1<<width - 1, shift: uint(width+1) / 2} }

// mix permutes by what can be undone: a multiplication with an odd number, and the exclusive or
// with the high bits. The high bits of the result depend on all bits of x.
func (m mixer) mix(x uint64) uint64 {
	x ^= x >> (m.shift & 63)
	x = x * 0x9e3779b97f4a7c15 & m.mask
	x ^= x >> (m.shift & 63)
	return x * 0xd6e8feb86659fd93 & m.mask
}

// Bytes implements Numbers.
func (s *Compact) Bytes() int64 { return int64(len(s.segments))*128 + s.used.Load() }

func (t *table) bytes() int64 {
	return int64(len(t.narrow))*2 + int64(len(t.middle))*4 + int64(len(t.wide))*8
}

// Add implements Numbers.
func (s *Compact) Add(numbers []uint64, fresh []int32) int {
	n := 0
	for lo := 0; lo < len(numbers); lo += AtOnce {
		var mixed [AtOnce + 1]uint64
		some := numbers[lo:min(lo+AtOnce, len(numbers))]
		s.fetch(some, mixed[:])
		for i := range some {
			if g, y := s.segment(mixed[i]); s.add(g, y) {
				fresh[n] = int32(lo + i)
				n++
			}
		}
	}
	return n
}

// AddShared implements Numbers.
func (s *Compact) AddShared(numbers []uint64, fresh []int32) int {
	n := 0
	for i, x := range numbers {
		g, y := s.segment(s.mixer.mix(x))
		g.lock()
		isNew := s.add(g, y)
		g.busy.Store(0)
		if isNew {
			fresh[n] = int32(i)
			n++
		}
	}
	return n
}

// lock takes a segment. It is held for well under a microsecond, except when the segment grows.
func (g *segment) lock() {
	for !g.busy.CompareAndSwap(0, 1) {
		runtime.Gosched()
	}
}

// fetch mixes at most AtOnce numbers, and reads their home slots. That they were read is left after
// the mixed numbers.
func (s *Compact) fetch(numbers, mixed []uint64) {
	var sink uint64
	for i, x := range numbers {
		x = s.mixer.mix(x)
		mixed[i] = x
		g, y := s.segment(x)
		sink |= g.first(y >> ((s.rest - g.bits) & 63))
	}
	mixed[AtOnce] = sink
}

// first returns the contents of a slot.
func (t *table) first(home uint64) uint64 {
	switch {
	case t.narrow != nil:
		return uint64(t.narrow[home])
	case t.middle != nil:
		return uint64(t.middle[home])
	case t.wide != nil:
		return t.wide[home]
	}
	return 0
}

// segment returns the segment of a mixed number, and the number's other bits.
func (s *Compact) segment(x uint64) (*segment, uint64) {
	return &s.segments[x>>(s.rest&63)], x & (1<<(s.rest&63) - 1)
}

// Has implements Numbers.
func (s *Compact) Has(x uint64) bool {
	g, y := s.segment(s.mixer.mix(x))
	return g.bits > 0 && g.find(y, s.rest).found
}

// spot is where a number is, or should be.
type spot struct {
	found bool
	slot  uint64
	entry uint64 // what the slot should hold; 0: the distance is too great
}

func (t *table) find(y uint64, rest uint) spot {
	left := (rest - t.bits) & 63
	home, remainder := y>>left, y&(1<<left-1)
	switch {
	case t.narrow != nil:
		return find(t.narrow, home, uint16(remainder))
	case t.middle != nil:
		return find(t.middle, home, uint32(remainder))
	}
	return find(t.wide, home, remainder)
}

func find[E uint16 | uint32 | uint64](slots []E, home uint64, remainder E) spot {
	entry := remainder<<distanceBits | 1
	for i := home; ; i++ {
		e := slots[i]
		if e == entry {
			return spot{found: true}
		}
		if e&distanceMask < entry&distanceMask {
			return spot{slot: i, entry: uint64(entry)}
		}
		if entry&distanceMask == distanceMask {
			return spot{}
		}
		entry++
	}
}

// add adds a number to its segment and reports whether it is new.
func (s *Compact) add(g *segment, y uint64) bool {
	if g.bits == 0 {
		g.table = newTable(min(firstSlots, s.rest), s.rest)
		s.used.Add(g.bytes())
	}
	for {
		p := g.find(y, s.rest)
		if p.found {
			return false
		}
		if (g.n < 1<<g.bits*4/5 || g.bits == s.rest) && g.put(p) {
			g.n++
			return true
		}
		s.grow(g)
	}
}

// put enters a number at its spot, unless some number would be too far from home.
func (t *table) put(p spot) bool {
	switch {
	case p.entry == 0:
		return false
	case t.narrow != nil:
		return put(t.narrow, p.slot, uint16(p.entry))
	case t.middle != nil:
		return put(t.middle, p.slot, uint32(p.entry))
	}
	return put(t.wide, p.slot, p.entry)
}

func put[E uint16 | uint32 | uint64](slots []E, i uint64, entry E) bool {
	free := i
	for ; slots[free] != 0; free++ {
		if slots[free]&distanceMask == distanceMask {
			return false
		}
	}
	for ; free > i; free-- {
		slots[free] = slots[free-1] + 1
	}
	slots[i] = entry
	return true
}

// grow doubles the slots until all numbers are close enough to their homes.
func (s *Compact) grow(g *segment) {
	old := g.table
	for bits := old.bits + 1; ; bits++ {
		g.table = newTable(bits, s.rest)
		if g.refill(&old, s.rest) {
			break
		}
	}
	s.used.Add(g.bytes() - old.bytes())
}

// refill adds all numbers of another table.
func (t *table) refill(old *table, rest uint) bool {
	switch {
	case old.narrow != nil:
		return refill(t, old, old.narrow, rest)
	case old.middle != nil:
		return refill(t, old, old.middle, rest)
	}
	return refill(t, old, old.wide, rest)
}

func refill[E uint16 | uint32 | uint64](t, old *table, slots []E, rest uint) bool {
	left := rest - old.bits
	for i, e := range slots {
		if e == 0 {
			continue
		}
		home := uint64(i) + 1 - uint64(e&distanceMask)
		if !t.put(t.find(home<<left|uint64(e>>distanceBits), rest)) {
			return false
		}
	}
	return true
}
