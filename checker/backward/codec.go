package backward

import (
	"encoding/binary"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/space"
)

// codec writes the kept parts of states as short strings that differ if the states do, whatever the number of seeds.
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
	for i, k := range keep {
		if k {
			key = binary.AppendVarint(key, int64(values[i]))
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
	for i, k := range c.keep.VarsOf(s) {
		if k {
			s.Vars[i] = next()
		}
	}
	for i, k := range c.keep.Pits {
		if k {
			s.Seeds[i] = next()
		}
	}
	return s
}
