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
// be computed from the slot, and the set is exact.
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
	mix := mixer{mask: 1<<width - 1, shift: uint(width+1) / 2}
	return &Compact{rest: uint(width - first), mixer: mix, segments: make([]segment, 1<<first)}
}

// mixer is a permutation of the numbers of some length.
type mixer struct {
	mask  uint64
	shift uint
}

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

// Add implements Numbers. Most numbers are known, and nearly all of these are found at once.
func (s *Compact) Add(numbers []uint64, fresh []int32) int {
	n := 0
	for lo := 0; lo < len(numbers); lo += AtOnce {
		var mixed [AtOnce]uint64
		var maybe [AtOnce]int32
		some := numbers[lo:min(lo+AtOnce, len(numbers))]
		for _, i := range maybe[:s.lookUp(some, &mixed, &maybe)] {
			if g, y := s.segment(mixed[i]); s.add(g, y) {
				fresh[n] = int32(lo) + i
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

// lanes is a one in each of four narrow slots.
const lanes = 1 | 1<<16 | 1<<32 | 1<<48

// lookUp mixes at most AtOnce numbers, and finds those that are in the first four slots from home
// on, if slots are narrow. It writes the indexes of the others to maybe. Other slots are only read.
//
// As in Bits.Add there is no branch on what is found. The slots are read in a loop of their own, of
// few instructions, so that the processor waits for many of them at the same time.
func (s *Compact) lookUp(numbers []uint64, mixed *[AtOnce]uint64, maybe *[AtOnce]int32) int {
	var entries, slots [AtOnce]uint64
	var homes [AtOnce]uint32
	for i, x := range numbers {
		x = s.mixer.mix(x)
		mixed[i&(AtOnce-1)] = x
		g, y := s.segment(x)
		left := (s.rest - g.bits) & 63
		homes[i&(AtOnce-1)] = uint32(y >> left)
		// A number in the next slot, with the same home, has a greater distance by one.
		entries[i&(AtOnce-1)] = (y&(1<<left-1)<<distanceBits|1)*lanes + (1<<16 | 2<<32 | 3<<48)
	}
	for i := range numbers {
		g, home := &s.segments[mixed[i&(AtOnce-1)]>>(s.rest&63)], uint64(homes[i&(AtOnce-1)])
		if g.narrow == nil {
			slots[i&(AtOnce-1)] = ^entries[i&(AtOnce-1)] | g.first(home)&1
			continue
		}
		at := g.narrow[home : home+4]
		slots[i&(AtOnce-1)] = uint64(at[0]) | uint64(at[1])<<16 | uint64(at[2])<<32 | uint64(at[3])<<48
	}
	n := 0
	for i := range numbers {
		other := slots[i&(AtOnce-1)] ^ entries[i&(AtOnce-1)]
		same := (other - lanes) & ^other & (lanes << 15) // not 0 if one of the four is 0
		maybe[n&(AtOnce-1)] = int32(i)
		n += int(1 - (same|-same)>>63)
	}
	return n
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

// refill adds all numbers of another table to an empty one, and reports whether they fit.
func (t *table) refill(old *table, rest uint) bool {
	switch {
	case old.narrow != nil:
		return refill(t, old, old.narrow, rest)
	case old.middle != nil:
		return refill(t, old, old.middle, rest)
	}
	return refill(t, old, old.wide, rest)
}

func refill[F uint16 | uint32 | uint64](t, old *table, from []F, rest uint) bool {
	switch {
	case t.narrow != nil:
		return move(t.narrow, from, old.bits, t.bits, rest)
	case t.middle != nil:
		return move(t.middle, from, old.bits, t.bits, rest)
	}
	return move(t.wide, from, old.bits, t.bits, rest)
}

// move moves the numbers in slots with homes of some bits to empty slots with homes of more bits,
// in the order of their homes. Numbers of one home are not in the order of their new ones.
func move[E, F uint16 | uint32 | uint64](to []E, from []F, bits, more, rest uint) bool {
	left := rest - more // bits of a new remainder
	next := uint64(0)   // the first free slot after all that are taken
	for i := 0; i < len(from); {
		if from[i] == 0 {
			i++
			continue
		}
		home := uint64(i) + 1 - uint64(from[i]&distanceMask)
		end := i + 1
		for end < len(from) && from[end] != 0 && uint64(end)+1-uint64(from[end]&distanceMask) == home {
			end++
		}
		for part := range uint64(1) << (more - bits) {
			for _, e := range from[i:end] {
				remainder := uint64(e >> distanceBits)
				if remainder>>left != part {
					continue
				}
				target := home<<(more-bits) | part
				next = max(next, target)
				distance := next - target + 1
				if distance > distanceMask {
					return false
				}
				to[next] = E(remainder&(1<<left-1)<<distanceBits | distance)
				next++
			}
		}
		i = end
	}
	return true
}
