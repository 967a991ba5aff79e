package pack

import (
	"sync/atomic"

	"github.com/mancheck/mancheck/internal/huge"
)

// AtOnce is how many keys or numbers are looked up at once. Memory is slow, and the processor waits
// for all of them together.
const AtOnce = 64

// Numbers is an exact set of numbers below a bound.
type Numbers interface {
	// Add adds numbers and writes to fresh, which has room for all of them, the indexes of those
	// that were not in the set, in ascending order. It returns how many there are. It needs
	// exclusive access.
	Add(numbers []uint64, fresh []int32) int

	// AddShared is Add for concurrent callers. If several add the same number, it is new to exactly
	// one of them.
	AddShared(numbers []uint64, fresh []int32) int

	// Has reports whether a number is in the set. It must not be called during an Add.
	Has(number uint64) bool

	// Bytes returns the memory taken. It depends on what is in the set, and not on the order in
	// which that was added.
	Bytes() int64
}

// Memory is taken in pages when a number of theirs is added: huge ones in a large set.
const (
	smallPage = 18 // of a page, the bits, as a power of two
	hugePage  = 24
	largeSet  = 1 << 26 // bits
)

// Bits is a set of numbers with a bit for each. Numbers in a range that does not occur, like those
// of outcomes, take no memory.
type Bits struct {
	memory *huge.Words
	words  []uint64
	page   uint          // of a page, the bits, as a power of two
	taken  []atomic.Bool // by page: a number of it was added
	used   atomic.Int64  // pages

	loaded uint64 // of no meaning; what is stored here is loaded before the first word is changed
}

// NewBits returns an empty set of numbers below bound.
func NewBits(bound uint64) *Bits {
	m := huge.New(int((bound + 63) / 64))
	page := pageOf(bound)
	return &Bits{memory: m, words: m.Slots, page: page, taken: make([]atomic.Bool, pagesOf(bound, page))}
}

func pageOf(bound uint64) uint {
	if bound >= largeSet {
		return hugePage
	}
	return smallPage
}

func pagesOf(bound uint64, page uint) int64 { return int64((bound + 1<<page - 1) >> page) }

// BitsBytes returns the most memory that a set of Bits with this bound takes.
func BitsBytes(bound uint64) int64 {
	page := pageOf(bound)
	return pagesOf(bound, page) * (1 + 1<<(page-3))
}

// Bytes implements Numbers.
func (s *Bits) Bytes() int64 { return int64(len(s.taken)) + s.used.Load()<<(s.page-3) }

// Free gives the memory back. The set must not be used after that.
func (s *Bits) Free() {
	s.memory.Free()
	s.words = nil
}

// take counts the pages of numbers that were added.
func (s *Bits) take(numbers []uint64, fresh []int32) {
	for _, i := range fresh {
		if p := &s.taken[numbers[i]>>(s.page&63)]; !p.Load() && p.CompareAndSwap(false, true) {
			s.used.Add(1)
		}
	}
}

// Add implements Numbers. There is no branch on whether a number is new, which is hard to predict:
// a wrong prediction would end the overlap of the look-ups.
func (s *Bits) Add(numbers []uint64, fresh []int32) int {
	n := 0
	fresh = fresh[:len(numbers)]
	words := s.words
	loaded := uint64(0)
	for _, x := range numbers {
		loaded |= words[x>>6]
	}
	s.loaded = loaded
	for i, x := range numbers {
		w := &words[x>>6]
		old := *w
		*w = old | 1<<(x&63)
		fresh[n] = int32(i)
		n += int(^old >> (x & 63) & 1)
	}
	s.take(numbers, fresh[:n])
	return n
}

// AddShared implements Numbers. A bit that is set stays so, and needs no atomic operation; so first
// it is looked up which ones are not. They are set one by one, unless another caller was faster.
func (s *Bits) AddShared(numbers []uint64, fresh []int32) int {
	maybe := 0
	fresh = fresh[:len(numbers)]
	words := s.words
	for i, x := range numbers {
		w := atomic.LoadUint64(&words[x>>6])
		fresh[maybe] = int32(i)
		maybe += int(^w >> (x & 63) & 1)
	}
	n := 0
	for _, i := range fresh[:maybe] {
		x := numbers[i]
		bit := uint64(1) << (x & 63)
		if atomic.OrUint64(&words[x>>6], bit)&bit == 0 {
			fresh[n] = i
			n++
		}
	}
	s.take(numbers, fresh[:n])
	return n
}

// Has implements Numbers.
func (s *Bits) Has(x uint64) bool {
	return s.words[x>>6]>>(x&63)&1 == 1
}
