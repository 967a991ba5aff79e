package disk

import (
	"errors"

	"github.com/mancheck/mancheck/checker/sorted"
	"github.com/mancheck/mancheck/checker/store"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/internal/lists"
)

// reading is a level that is open for reading.
type reading struct {
	number int
	tables [][]*sorted.Table // nil: none is open
	uses   []*sorted.Lease
	hands  []*sorted.Cursor // by worker
}

// enter opens a level, unless it is open, and returns the number of its blocks.
func (s *Store) enter(r *reading, number int) int {
	if r.tables == nil || r.number != number {
		err := r.close()
		if err == nil {
			r.number = number
			r.tables, err = s.tables(s.manifest.Levels[number])
		}
		if err != nil {
			_ = s.fail(err) // Err returns it
			return 0
		}
		for range s.Threads {
			use := s.pool.Lease()
			r.uses = append(r.uses, use)
			r.hands = append(r.hands, sorted.NewCursor(r.tables[0], sorted.Range{}, use))
		}
	}
	return lists.Sum(r.tables[0], (*sorted.Table).Blocks)
}

// close closes the level, if one is open.
func (r *reading) close() error {
	for _, use := range r.uses {
		use.Release()
	}
	err := sorted.CloseAll(r.tables)
	*r = reading{}
	return err
}

// block returns the keys of a block of an open level.
func (s *Store) block(r *reading, worker, i int) []uint64 {
	keys, err := r.hands[worker].Block(i)
	if err != nil {
		_ = s.fail(err) // Err returns it
	}
	return keys
}

// Level implements store.Store.
func (s *Store) Level() int { return s.enter(&s.current, s.Levels()-1) }

// Current implements store.Store.
func (s *Store) Current(worker, i int) []uint64 { return s.block(&s.current, worker, i) }

// Release implements store.Store.
func (s *Store) Release(int, []uint64) {}

// Pieces implements store.Store. A piece is a block.
func (s *Store) Pieces(level int) []store.Piece {
	blocks := num.Run(0, s.enter(&s.again, level))
	return lists.Map(blocks, func(i int) store.Piece { return store.Piece{Shelf: level, Lo: i, Hi: i + 1} })
}

// Read implements store.Store. One level at a time can be read again.
func (s *Store) Read(worker int, p store.Piece, _ []uint64) []uint64 {
	return s.block(&s.again, worker, p.Lo)
}

// Same reports whether two levels have the same keys.
func (s *Store) Same(a, b int) (bool, error) {
	if s.Len(a) != s.Len(b) {
		return false, nil
	}
	tables, err := s.tables(s.manifest.Levels[a], s.manifest.Levels[b])
	if err != nil {
		return false, about(s.dir, err)
	}
	use := s.pool.Lease()
	defer use.Release()
	all := sorted.Range{}
	key, _, err := sorted.Difference(s.ctx, s.shape.Words, sorted.NewCursor(tables[0], all, use), sorted.NewCursor(tables[1], all, use))
	return key == nil && err == nil, about(s.dir, errors.Join(err, sorted.CloseAll(tables)))
}
