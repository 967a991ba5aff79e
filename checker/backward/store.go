package backward

import (
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/space"
)

// store is an exact set of states, numbered in the order in which they were added. When a state has
// more seeds than a key has room for, all are packed anew.
type store struct {
	codec  *codec
	set    *pack.Set
	limits pack.Limits
	key    []uint64

	beforeWidening func() error // adds what is packed for keys of the present length; may be nil
}

func newStore(sys *rules.System, keep space.Kept, limits pack.Limits) *store {
	s := &store{limits: limits}
	s.adopt(newCodec(sys, keep, leastBits))
	return s
}

// adopt makes s an empty store of keys of c.
func (s *store) adopt(c *codec) {
	s.codec, s.set, s.key = c, pack.NewSet(c.words, s.limits), make([]uint64, c.words)
}

func (s *store) len() int { return s.set.Len() }

// bytes is the memory allocated for the states.
func (s *store) bytes() int64 { return s.set.Bytes() }

// read writes state i into f.
func (s *store) read(i int, f *pack.Flat) { s.codec.unpack(s.set.At(i), f) }

// find returns the number of a state.
func (s *store) find(f *pack.Flat) (int, bool) {
	if s.codec.pack(f, s.key) != nil {
		return 0, false
	}
	return s.set.Find(s.key)
}

// pack appends the key of f to keys, which are packed anew if f needs a wider key.
func (s *store) pack(f *pack.Flat, keys []uint64) ([]uint64, error) {
	n := len(keys)
	keys = slices.Grow(keys, s.codec.words)[:n+s.codec.words]
	err := s.codec.pack(f, keys[n:])
	if !errors.Is(err, errWide) {
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
	keys = append(s.repack(narrow, keys[:n]), make([]uint64, s.codec.words)...)
	return keys, s.codec.pack(f, keys[len(keys)-s.codec.words:])
}

// widen packs all states anew, with room for the seeds of f. Both sets count against the limit, as
// the memory of the old one is not released at once.
func (s *store) widen(f *pack.Flat) error {
	old := *s
	c := newCodec(old.codec.sys, old.codec.keep, old.codec.bitsFor(f))
	if both := old.bytes() + old.bytes()*int64(c.words)/int64(old.codec.words); s.limits.Bytes > 0 && both > s.limits.Bytes {
		return pack.ErrFull
	}
	s.adopt(c)
	state := pack.NewFlat(c.sys)
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
	if err := s.codec.pack(f, s.key); err != nil {
		return err
	}
	_, _, err := s.set.Insert(s.key)
	return err
}

// repack returns keys of a narrower codec as keys of the present one.
func (s *store) repack(narrow *codec, keys []uint64) []uint64 {
	state := pack.NewFlat(narrow.sys)
	var wide []uint64
	for key := range slices.Chunk(keys, narrow.words) {
		narrow.unpack(key, state)
		_ = s.codec.pack(state, s.key) // it has room for all that was in the narrower key
		wide = append(wide, s.key...)
	}
	return wide
}
