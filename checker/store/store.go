// Package store keeps the states that a search by levels has found: an exact set of them, and which
// are in which level. What a state is, and what is looked for, it does not know.
//
//	store.go   what a search asks of a store, and which one suits
//	ranked.go  states that are numbered: a bit for each number, or a hash set
//	wide.go    states that are too wide for that
//
// Package disk has a store in files.
package store

import (
	"math/bits"

	"github.com/mancheck/mancheck/checker/pack"
)

// Store is the set of the states that a search has found, and the levels in which they were found.
//
// A level is kept in two ways. While it is the next or the current one, there are the keys of its
// states, in blocks, for the workers to expand. For traces, it can be read again as long as the
// search lives.
type Store interface {
	// Add adds the keys to the next level, as far as they are new. It returns the names of all of
	// them, which are valid until the worker adds more, if the store is Named; and how many were
	// new, as far as that is known before Settle. With shared set other workers may call it at the
	// same time.
	Add(worker int, keys []uint64, shared bool) (names []uint64, fresh int)

	// Settle returns how many states there are. total is the sum of what Add returned. No more are
	// added to the next level.
	Settle(total int64) (int64, error)

	// Level makes the next level the current one, and returns the number of its blocks.
	Level() int

	// Current returns a block of the current level, and Release says that a worker has expanded it.
	Current(worker, i int) []uint64
	Release(worker int, block []uint64)

	// Pieces lists the parts of a level, and Read returns the keys of one of them. They are read
	// before the pieces of another level are listed.
	Pieces(level int) []Piece
	Read(worker int, p Piece, buffer []uint64) []uint64

	// Err returns the error because of which nothing can be relied upon that the methods returned.
	Err() error

	// Free gives memory back before it is garbage. No other method may be called after that.
	Free()

	// Bytes returns the memory taken, when this many states have been found, open of them in the
	// next and the current level. It does not depend on the order in which they were.
	Bytes(total, open int64) int64
}

// Named is a Store in which each state has a name, a number that no other state has.
type Named interface {
	Store

	// Names returns the names of states that were added, which are valid until the worker calls it
	// again or adds more. It must not be called during an Add.
	Names(worker int, keys []uint64) []uint64

	// NameBits returns the size of names.
	NameBits() int
}

// Piece is some states of a level: those of a shelf from Lo to Hi.
type Piece struct{ Shelf, Lo, Hi int }

// BlockStates is the number of states in a block, unless their keys are long.
const BlockStates = 512

// Kind is a kind of set.
type Kind int

// The kinds of sets in memory.
const (
	Fitting Kind = iota // whatever suits
	InBits
	InHash
	InKeys
)

// Options say how to make a Store.
type Options struct {
	Workers   int
	MaxMemory int64 // bytes that there are
	Kind      Kind
	Tiny      bool // the smallest blocks, for tests
}

func (o Options) block(words int) int {
	if o.Tiny {
		return 2
	}
	return max(1, min(BlockStates, 8192/words))
}

// New returns an empty Store in memory. The boards have most seeds, or with fixed unset at most so
// many.
func New(c *pack.Codec, most int, fixed bool, o Options) Store {
	words := c.Words()
	r, ok := pack.NewRanker(c, most, fixed)
	if !ok || o.Kind == InKeys {
		return newWide(words, o.Workers, o.block(words))
	}
	s := &ranked{Ranker: r, words: words, block: o.block(words), shelves: make([]shelf, o.Workers)}
	s.width = bits.Len64(r.Size() - 1)
	small := min(o.MaxMemory/16, 16<<20)
	s.memory = o.MaxMemory
	switch size := pack.BitsBytes(r.Live()); {
	case o.Kind == InBits || o.Kind == Fitting && size <= small:
		s.set = pack.NewBits(r.Size())
	case o.Kind == InHash:
		s.set, s.memory = pack.NewCompact(s.width), 0
	default:
		s.set = pack.NewCompact(s.width)
	}
	for i := range s.shelves {
		s.shelves[i].ranks = pack.NewList(s.width)
	}
	return s
}

// KindOf returns the kind of set that a Store in memory has now: one in a hash set may become one
// in bits as it grows.
func KindOf(s Store) Kind {
	r, numbered := s.(*ranked)
	if !numbered {
		return InKeys
	}
	if _, is := r.set.(*pack.Bits); is {
		return InBits
	}
	return InHash
}
