package pack

import (
	"sync"
	"sync/atomic"
)

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
