package backward

import (
	"encoding/binary"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/space"
)

// codec encodes the kept parts of states as short strings, different for different states, with any
// number of seeds.
type codec struct {
	sys  *rules.System
	keep space.Kept
}

func (c codec) encode(s rules.State) string {
	key := make([]byte, 0, 64)
	key = binary.AppendVarint(key, int64(s.Outcome))
	key = binary.AppendVarint(key, int64(s.Mover))
	key = appendKept(key, c.keep.VarsOf(s), s.Vars)
	key = appendKept(key, c.keep.Pits, s.Seeds)
	return string(key)
}

func appendKept(key []byte, keep []bool, values []int) []byte {
	for i, v := range values {
		if keep == nil || keep[i] {
			key = binary.AppendVarint(key, int64(v))
		}
	}
	return key
}

func (c codec) decode(key string) rules.State {
	s := c.sys.EmptyStart()
	rest := []byte(key)
	next := func() int {
		v, n := binary.Varint(rest)
		rest = rest[n:]
		return int(v)
	}
	s.Outcome, s.Mover = next(), next()
	parts := c.keep.PartsOf(s)
	for i := range s.Vars {
		if parts.HasVar(i) {
			s.Vars[i] = next()
		}
	}
	for i := range s.Seeds {
		if parts.HasPit(i) {
			s.Seeds[i] = next()
		}
	}
	return s
}
