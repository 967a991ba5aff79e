package pack

import "sync/atomic"

// AtOnce is how many keys or numbers are looked up at once. Memory is slow, and the processor waits
// for all of them together.
const AtOnce = 64

// Numbers is an exact set of numbers below a bound.
type Numbers interface {
	// Add adds numbers and writes to fresh, which has room for all of them, the indexes of those
	// that were not in the set, in ascending order. It returns how many there are. It needs
	// exclusive access.
	Add(numbers []uint64, fresh []int32) int

	// AddShared is Add for concurrent callers. Of several that add a number, one is told that it is
	// new.
	AddShared(numbers []uint64, fresh []int32) int

	// Has reports whether a number is in the set. It must not be called during an Add.
	Has(number uint64) bool

	// Bytes returns the memory taken. It depends on what is in the set, and not on the order in
	// which that was added.
	Bytes() int64
}

const (
	pageBits  = 18 // of a page, as a power of two
	pageWords = 1 << (pageBits - 6)
)

// Bits is a set of numbers with a bit for each. A page of bits is allocated when one of them is
// set, so numbers in a range that does not occur, like those of outcomes, take no memory.
type Bits struct {
	pages []atomic.Pointer[[pageWords]uint64]
	used  atomic.Int64
}

// NewBits returns an empty set of numbers below bound.
func NewBits(bound uint64) *Bits {
	return &Bits{pages: make([]atomic.Pointer[[pageWords]uint64], (bound+1<<pageBits-1)>>pageBits)}
}

// BitsBytes returns the most memory that a set of Bits with this bound takes.
func BitsBytes(bound uint64) int64 {
	pages := int64((bound + 1<<pageBits - 1) >> pageBits)
	return pages * (pageWords + 1) * 8
}

// Bytes implements Numbers.
func (s *Bits) Bytes() int64 { return int64(len(s.pages))*8 + s.used.Load()*pageWords*8 }

// page returns the page with this number, which it allocates if need be.
func (s *Bits) page(i uint64) *[pageWords]uint64 {
	if p := s.pages[i].Load(); p != nil {
		return p
	}
	return s.newPage(i)
}

func (s *Bits) newPage(i uint64) *[pageWords]uint64 {
	if s.pages[i].CompareAndSwap(nil, new([pageWords]uint64)) {
		s.used.Add(1)
	}
	return s.pages[i].Load()
}

// Add implements Numbers. There is no branch on whether a number is new, which is hard to predict:
// a wrong prediction would end the overlap of the look-ups.
func (s *Bits) Add(numbers []uint64, fresh []int32) int {
	n := 0
	fresh = fresh[:len(numbers)]
	for i, x := range numbers {
		w := &s.page(x >> pageBits)[x>>6&(pageWords-1)]
		old := *w
		*w = old | 1<<(x&63)
		fresh[n] = int32(i)
		n += int(^old >> (x & 63) & 1)
	}
	return n
}

// AddShared implements Numbers. A bit that is set stays so, and needs no atomic operation; so first
// it is looked up which ones are not. They are set one by one, unless another caller was faster.
func (s *Bits) AddShared(numbers []uint64, fresh []int32) int {
	maybe := 0
	fresh = fresh[:len(numbers)]
	for i, x := range numbers {
		w := atomic.LoadUint64(&s.page(x >> pageBits)[x>>6&(pageWords-1)])
		fresh[maybe] = int32(i)
		maybe += int(^w >> (x & 63) & 1)
	}
	n := 0
	for _, i := range fresh[:maybe] {
		x := numbers[i]
		bit := uint64(1) << (x & 63)
		if atomic.OrUint64(&s.page(x >> pageBits)[x>>6&(pageWords-1)], bit)&bit == 0 {
			fresh[n] = i
			n++
		}
	}
	return n
}

// Has implements Numbers.
func (s *Bits) Has(x uint64) bool {
	p := s.pages[x>>pageBits].Load()
	return p != nil && p[x>>6&(pageWords-1)]>>(x&63)&1 == 1
}
