package pack

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sync"
	"sync/atomic"
)

// ErrFull is returned by a Set that would have to grow beyond its limit of memory, ErrMany by one
// that has reached its limit of keys.
var (
	ErrFull = errors.New("the limit of memory is reached")
	ErrMany = errors.New("the limit of states is reached")
)

const (
	mostBits  = 12      // states in a chunk of keys, at most, as a power of two
	fewBits   = 4       // and at least
	mostBytes = 1 << 18 // of a chunk with more than the fewest states
	firstBits = 8       // slots of a new table, as a power of two
	wideBits  = 32      // from this size on slots have 64 bits
)

// Set is an exact set of keys of W words. Keys are numbered from 0 in the order of insertion.
//
// The keys are in chunks that never move. The table uses open addressing with linear probing, at
// most four fifths full. A slot holds the number of a key plus one in its low bits (as many as the
// table needs for its size) and a tag of the key's hash in the remaining bits, so that different
// keys nearly always differ in their tags and need not be read. A full table is replaced by one of
// twice the size, filled from the keys alone.
//
// Insertion needs exclusive access; lookups may run concurrently.
type Set struct {
	words  int
	n      int
	in     uint // a chunk has 1<<in keys
	chunks [][]uint64
	bits   int // the table has 1<<bits slots
	narrow []uint32
	wide   []uint64 // instead of narrow, from wideBits on
	limits Limits
	wideAt int // wideBits, except in tests
}

// Limits bound a Set; 0 is no limit.
type Limits struct {
	Bytes int64
	Keys  int64
}

// NewSet returns an empty set of keys of the given number of words.
func NewSet(words int, limits Limits) *Set {
	in := uint(mostBits)
	for in > fewBits && words*8<<in > mostBytes {
		in--
	}
	return &Set{words: words, in: in, bits: firstBits, narrow: make([]uint32, 1<<firstBits), limits: limits, wideAt: wideBits}
}

// Len returns the number of keys.
func (s *Set) Len() int { return s.n }

// Bytes returns the memory taken by keys and table.
func (s *Set) Bytes() int64 {
	return int64(len(s.chunks))*s.chunkBytes() + int64(len(s.narrow))*4 + int64(len(s.wide))*8
}

func (s *Set) chunkBytes() int64 { return int64(s.words) * 8 << s.in }

// At returns key i. It must not be changed.
func (s *Set) At(i int) []uint64 {
	o := (i & (1<<s.in - 1)) * s.words
	return s.chunks[i>>s.in][o : o+s.words : o+s.words]
}

// From returns keys lo, lo+1, … before hi, at least one of them and as many as are next to each
// other. They must not be changed. Later insertions do not affect them.
func (s *Set) From(lo, hi int) []uint64 {
	o := lo & (1<<s.in - 1)
	n := min(hi-lo, 1<<s.in-o)
	return s.chunks[lo>>s.in][o*s.words : (o+n)*s.words : (o+n)*s.words]
}

// hash mixes a key by folded multiplication.
func hash(key []uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, w := range key {
		hi, lo := bits.Mul64(h^w, 0xd6e8feb86659fd93)
		h = hi ^ lo
	}
	hi, lo := bits.Mul64(h^0xa0761d6478bd642f, 0xe7037ed1a0b428db)
	return hi ^ lo
}

// Find returns the number of a key.
func (s *Set) Find(key []uint64) (int, bool) {
	i := s.probe(key, hash(key)).found
	return i, i >= 0
}

// Insert adds a key if it is new, and returns its number and whether it is new. It fails with
// ErrFull or ErrMany if the set would grow beyond a limit, and then leaves the set unchanged.
func (s *Set) Insert(key []uint64) (int, bool, error) {
	return s.insert(key, hash(key))
}

// InsertAll inserts consecutive keys, as Insert does, and writes their numbers to found. It returns
// how many it processed, which is fewer than all only with an error. Because memory is slow, the
// slots of the next few keys are fetched before the first of them is looked up.
func (s *Set) InsertAll(keys []uint64, found []int) (int, error) {
	var hashes [AtOnce]uint64
	n := len(keys) / s.words
	for lo := 0; lo < n; lo += AtOnce {
		hi := min(lo+AtOnce, n)
		s.fetch(keys[lo*s.words:hi*s.words], hashes[:])
		for i := lo; i < hi; i++ {
			j, _, err := s.insert(keys[i*s.words:(i+1)*s.words], hashes[i-lo])
			if err != nil {
				return i, err
			}
			found[i] = j
		}
	}
	return n, nil
}

// FindAll looks up consecutive keys and writes their numbers, or -1, to found.
func (s *Set) FindAll(keys []uint64, found []int) {
	var hashes [AtOnce]uint64
	n := len(keys) / s.words
	for lo := 0; lo < n; lo += AtOnce {
		hi := min(lo+AtOnce, n)
		s.fetch(keys[lo*s.words:hi*s.words], hashes[:])
		for i := lo; i < hi; i++ {
			found[i] = s.probe(keys[i*s.words:(i+1)*s.words], hashes[i-lo]).found
		}
	}
}

// fetch computes the hashes of some keys and touches their slots, and the keys in the slots. The
// loads do not depend on each other, so the processor waits for all of them at once.
func (s *Set) fetch(keys []uint64, hashes []uint64) {
	n := len(keys) / s.words
	var slots [AtOnce]uint64
	for i := range n {
		h := hash(keys[i*s.words : (i+1)*s.words])
		hashes[i] = h
		slots[i] = s.slot(h >> (64 - s.bits))
	}
	var sink uint64
	for _, e := range slots[:n] {
		if i := int(e & s.numbers()); i != 0 {
			i--
			sink |= s.chunks[i>>s.in][(i&(1<<s.in-1))*s.words]
		}
	}
	slots[0] = sink
}

func (s *Set) numbers() uint64 { return 1<<s.bits - 1 }

func (s *Set) slot(i uint64) uint64 {
	if s.wide != nil {
		return s.wide[i]
	}
	return uint64(s.narrow[i])
}

// place is the end of a probe: the key found, or the free slot for it.
type place struct {
	found int // -1: not found
	slot  uint64
}

func (s *Set) probe(key []uint64, h uint64) place {
	if s.wide != nil {
		return probe(s, s.wide, 64, key, h)
	}
	return probe(s, s.narrow, 32, key, h)
}

func probe[E uint32 | uint64](s *Set, slots []E, width int, key []uint64, h uint64) place {
	mask := uint64(len(slots) - 1)
	numbers := E(mask)
	tag := tagOf[E](h, s.bits, width)
	for i := h >> (64 - s.bits); ; i = (i + 1) & mask {
		e := slots[i&mask]
		if e == 0 {
			return place{-1, i}
		}
		if e&^numbers == tag {
			if j := int(e&numbers) - 1; s.holds(j, key) {
				return place{j, i}
			}
		}
	}
}

// tagOf returns the tag of a hash, in place: the bits of a slot above the number. The slot's index
// comes from the hash's high bits, the tag from its low ones.
func tagOf[E uint32 | uint64](h uint64, tableBits, width int) E {
	if tableBits >= width {
		return 0
	}
	return E(h<<tableBits&(1<<width-1)) &^ (1<<tableBits - 1)
}

// holds reports whether key i equals key.
func (s *Set) holds(i int, key []uint64) bool {
	o := (i & (1<<s.in - 1)) * s.words
	chunk := s.chunks[i>>s.in]
	if s.words == 1 {
		return chunk[o] == key[0]
	}
	return slices.Equal(chunk[o:o+s.words], key)
}

func (s *Set) insert(key []uint64, h uint64) (int, bool, error) {
	p := s.probe(key, h)
	if p.found >= 0 {
		return p.found, false, nil
	}
	if s.limits.Keys > 0 && int64(s.n) >= s.limits.Keys {
		return 0, false, ErrMany
	}
	if s.n*5 >= len(s.narrow)*4+len(s.wide)*4 {
		if err := s.grow(); err != nil {
			return 0, false, err
		}
		p = s.probe(key, h)
	}
	if err := s.keep(key); err != nil {
		return 0, false, err
	}
	s.fill(p.slot, h, s.n-1)
	return s.n - 1, true, nil
}

// keep appends a key.
func (s *Set) keep(key []uint64) error {
	if s.n&(1<<s.in-1) == 0 {
		if s.limits.Bytes > 0 && s.Bytes()+s.chunkBytes() > s.limits.Bytes {
			return s.full()
		}
		s.chunks = append(s.chunks, make([]uint64, s.words<<s.in))
	}
	copy(s.chunks[s.n>>s.in][(s.n&(1<<s.in-1))*s.words:], key)
	s.n++
	return nil
}

func (s *Set) full() error {
	return fmt.Errorf("%w: %d states take %d MB", ErrFull, s.n, s.Bytes()>>20)
}

// fill enters key i with hash h at a free slot.
func (s *Set) fill(slot, h uint64, i int) {
	if s.wide != nil {
		s.wide[slot] = tagOf[uint64](h, s.bits, 64) | uint64(i+1)
		return
	}
	s.narrow[slot] = tagOf[uint32](h, s.bits, 32) | uint32(i+1)
}

// grow doubles the table. Old and new table count against the limit, since the memory of the old
// one is not released at once.
func (s *Set) grow() error {
	slots, size := int64(2)<<s.bits, int64(4)
	if s.bits+1 >= s.wideAt {
		size = 8
	}
	if s.limits.Bytes > 0 && s.Bytes()+slots*size > s.limits.Bytes {
		return s.full()
	}
	s.bits++
	s.narrow, s.wide = nil, nil
	if size == 8 {
		s.wide = make([]uint64, slots)
	} else {
		s.narrow = make([]uint32, slots)
	}
	s.refill()
	return nil
}

// refill enters all keys into an empty table.
func (s *Set) refill() {
	mask := s.numbers()
	for i := range s.n {
		h := hash(s.At(i))
		slot := h >> (64 - s.bits)
		for s.slot(slot) != 0 {
			slot = (slot + 1) & mask
		}
		s.fill(slot, h, i)
	}
}

// Wide is a Set for concurrent use: several Sets, each with its own lock. It is for keys too wide
// to have ranks.
type Wide struct {
	shards [1 << wideShards]shard
	bytes  atomic.Int64
}

// wideShards is the number of Sets, as a power of two.
const wideShards = 4

type shard struct {
	sync.Mutex
	*Set
	bytes int64
}

// NewWide returns an empty set of keys of the given number of words.
func NewWide(words int) *Wide {
	w := new(Wide)
	for i := range w.shards {
		w.shards[i].Set = NewSet(words, Limits{})
	}
	return w
}

// Bytes returns the memory taken.
func (w *Wide) Bytes() int64 { return w.bytes.Load() }

// Shards returns the Sets. They must not be used during an Add.
func (w *Wide) Shards() []*Set {
	list := make([]*Set, len(w.shards))
	for i := range list {
		list[i] = w.shards[i].Set
	}
	return list
}

// Add adds consecutive keys, writes their names, which are different for different keys, and to
// fresh the indexes of those that were not in the set. It returns how many there are. With shared
// unset it needs exclusive access.
func (w *Wide) Add(keys []uint64, names []uint64, fresh []int32, shared bool) int {
	n, words := 0, w.shards[0].words
	for i := range names {
		key := keys[i*words : (i+1)*words]
		h := hash(key)
		of := shardOf(h)
		s := &w.shards[of]
		if shared {
			s.Lock()
		}
		j, isNew, _ := s.insert(key, h) // no limits, so no error
		if isNew {
			fresh[n] = int32(i)
			n++
			w.account(s)
		}
		if shared {
			s.Unlock()
		}
		names[i] = uint64(j)<<wideShards | of
	}
	return n
}

// account notes what a shard takes, in which there is a new key.
func (w *Wide) account(s *shard) {
	if b := s.Set.Bytes(); b != s.bytes {
		w.bytes.Add(b - s.bytes)
		s.bytes = b
	}
}

// Name returns the name of a key that is in the set. It must not be called during an Add.
func (w *Wide) Name(key []uint64) uint64 {
	h := hash(key)
	of := shardOf(h)
	return uint64(w.shards[of].probe(key, h).found)<<wideShards | of
}

// shardOf selects a shard by bits of the hash that the shard's table does not use.
func shardOf(h uint64) uint64 { return h >> 28 & (1<<wideShards - 1) }
