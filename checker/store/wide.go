package store

import (
	"slices"

	"github.com/mancheck/mancheck/checker/pack"
)

// wide is states with keys that have no ranks. The set itself has the keys, shelf after shelf in
// the order in which they were added.
type wide struct {
	set     *pack.Wide
	sets    []*pack.Set
	words   int
	block   int        // states of one
	blocks  [][]uint64 // of the current level
	ends    []int      // by level and shelf: the end of the level's keys there
	scratch [][]uint64
	fresh   [][]int32
}

func newWide(words, workers, block int) *wide {
	s := &wide{set: pack.NewWide(words), words: words, block: block, scratch: make([][]uint64, workers), fresh: make([][]int32, workers)}
	s.sets = s.set.Shards()
	return s
}

func (s *wide) Add(worker int, keys []uint64, shared bool) ([]uint64, int) {
	n := len(keys) / s.words
	s.scratch[worker] = slices.Grow(s.scratch[worker][:0], n)[:n]
	s.fresh[worker] = slices.Grow(s.fresh[worker][:0], n)[:n]
	names := s.scratch[worker]
	return names, s.set.Add(keys, names, s.fresh[worker], shared)
}

func (s *wide) Settle(total int64) (int64, error) { return total, nil }

func (s *wide) Level() int {
	for _, set := range s.sets {
		s.ends = append(s.ends, set.Len())
	}
	s.blocks = nil
	for _, p := range s.Pieces(len(s.ends)/len(s.sets) - 1) {
		for p.Lo < p.Hi {
			keys := s.sets[p.Shelf].From(p.Lo, p.Hi)
			s.blocks = append(s.blocks, keys)
			p.Lo += len(keys) / s.words
		}
	}
	return len(s.blocks)
}

func (s *wide) Current(_, i int) []uint64 { return s.blocks[i] }

func (s *wide) Err() error { return nil }

func (s *wide) Free() {}

func (s *wide) Release(int, []uint64) {}

func (s *wide) Pieces(level int) []Piece {
	return cut(s.ends, len(s.sets), level, s.block)
}

func (s *wide) Read(_ int, p Piece, buffer []uint64) []uint64 {
	buffer = buffer[:0]
	for p.Lo < p.Hi {
		keys := s.sets[p.Shelf].From(p.Lo, p.Hi)
		buffer = append(buffer, keys...)
		p.Lo += len(keys) / s.words
	}
	return buffer
}

func (s *wide) Names(worker int, keys []uint64) []uint64 {
	s.scratch[worker] = slices.Grow(s.scratch[worker][:0], len(keys)/s.words)[:len(keys)/s.words]
	names := s.scratch[worker]
	for i := range names {
		names[i] = s.set.Name(keys[i*s.words : (i+1)*s.words])
	}
	return names
}

func (s *wide) NameBits() int { return 40 }

func (s *wide) Bytes(int64, int64) int64 { return s.set.Bytes() }
