package backward

import (
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
)

// store is an exact set of states, numbered in the order in which they were added. When a state has
// more seeds than a key has room for, all are packed anew.
type store struct {
	sys    *rules.System
	keep   rules.Kept
	codec  *pack.Codec
	set    *pack.Set
	limits pack.Limits
	key    []uint64

	beforeWidening func() error // adds what is packed for keys of the present length; may be nil
}

func newStore(sys *rules.System, keep rules.Kept, limits pack.Limits) *store {
	s := &store{sys: sys, keep: keep, limits: limits}
	s.adopt(s.codecFor(leastBits))
	return s
}

// leastBits is the size of the first fields for seeds.
const leastBits = 4

// codecFor returns a codec of what is kept with at least seedBits bits for the seeds of a pit. Its
// keys are ordered as states are.
func (s *store) codecFor(seedBits int) *pack.Codec {
	return pack.NewOrdered(s.sys, seedBits, s.keep)
}

// adopt makes s an empty store of keys of c.
func (s *store) adopt(c *pack.Codec) {
	s.codec, s.set, s.key = c, pack.NewSet(c.Words(), s.limits), make([]uint64, c.Words())
}

func (s *store) len() int { return s.set.Len() }

// bytes is the memory allocated for the states.
func (s *store) bytes() int64 { return s.set.Bytes() }

// read writes state i into f.
func (s *store) read(i int, f *pack.Flat) { s.codec.Unpack(s.set.At(i), f) }

// find returns the number of a state.
func (s *store) find(f *pack.Flat) (int, bool) {
	if s.codec.Pack(f, s.key) != nil {
		return 0, false
	}
	return s.set.Find(s.key)
}

// pack appends the key of f to keys, which are packed anew if f needs a wider key.
func (s *store) pack(f *pack.Flat, keys []uint64) ([]uint64, error) {
	n := len(keys)
	keys = slices.Grow(keys, s.codec.Words())[:n+s.codec.Words()]
	err := s.codec.Pack(f, keys[n:])
	if !errors.Is(err, pack.ErrRange) {
		return keys, err
	}
	narrow := s.codec
	if s.beforeWidening != nil {
		if err := s.beforeWidening(); err != nil {
			return nil, err
		}
	}
	if err := s.widen(f); err != nil {
		return nil, err
	}
	keys = append(s.repack(narrow, keys[:n]), make([]uint64, s.codec.Words())...)
	return keys, s.codec.Pack(f, keys[len(keys)-s.codec.Words():])
}

// widen packs all states anew, with room for the seeds of f. Both sets count against the limit, as
// the memory of the old one is not released at once.
func (s *store) widen(f *pack.Flat) error {
	old := *s
	c := s.codecFor(old.codec.BitsFor(f))
	if both := old.bytes() + old.bytes()*int64(c.Words())/int64(old.codec.Words()); s.limits.Bytes > 0 && both > s.limits.Bytes {
		return pack.ErrFull
	}
	s.adopt(c)
	state := pack.NewFlat(s.sys)
	for i := range old.len() {
		old.read(i, state)
		if err := s.add(state); err != nil {
			*s = old
			return err
		}
	}
	return nil
}

// add adds a state for which keys have room.
func (s *store) add(f *pack.Flat) error {
	if err := s.codec.Pack(f, s.key); err != nil {
		return err
	}
	_, _, err := s.set.Insert(s.key)
	return err
}

// repack returns keys of a narrower codec as keys of the present one.
func (s *store) repack(narrow *pack.Codec, keys []uint64) []uint64 {
	state := pack.NewFlat(s.sys)
	var wide []uint64
	for key := range slices.Chunk(keys, narrow.Words()) {
		narrow.Unpack(key, state)
		_ = s.codec.Pack(state, s.key) // it has room for all that was in the narrower key
		wide = append(wide, s.key...)
	}
	return wide
}
