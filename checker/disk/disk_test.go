package disk

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"

	"pgregory.net/rapid"

	"github.com/mancheck/mancheck/checker/sorted"
)

// graph is a random graph of keys: the successors of a key depend on its words alone. Many edges
// lead back to earlier levels.
type graph struct {
	words, degree int
	most          uint64
}

func (g graph) start() []uint64 { return make([]uint64, g.words) }

// successors appends the successors of key to list.
func (g graph) successors(list, key []uint64) []uint64 {
	h := uint64(1)
	for _, x := range key {
		h = (h ^ x) * 0x9e3779b97f4a7c15
	}
	for i := range g.degree {
		x := (h ^ uint64(i)*0xd6e8feb86659fd93) * 0xa0761d6478bd642f >> 20 % g.most
		for j := range g.words {
			// The first words differ rarely, and the others use all of their bits.
			list = append(list, x>>(4*(g.words-1-j))*(1+uint64(j)*0x0101010101010101))
		}
	}
	return list
}

// levels is the reference: a search with a map. Keys of a level are in order.
func (g graph) levels() [][]uint64 {
	name := func(key []uint64) string { return fmt.Sprint(key) }
	seen := map[string]bool{name(g.start()): true}
	list := [][]uint64{g.start()}
	for {
		var next []uint64
		for key := range slices.Chunk(list[len(list)-1], g.words) {
			for to := range slices.Chunk(g.successors(nil, key), g.words) {
				if !seen[name(to)] {
					seen[name(to)] = true
					next = append(next, to...)
				}
			}
		}
		if len(next) == 0 {
			return list
		}
		list = append(list, inOrder(next, g.words))
	}
}

// progress is the state of a search that is kept by checkpoints.
type progress struct {
	Done  int // blocks of the last level that were expanded
	Edges int // counted on the way
}

// explorer searches a graph with a Store.
type explorer struct {
	graph
	store *Store
	at    progress
	every int // blocks between checkpoints within a level; 0: none
	saved func()
}

// explore searches to the end, starting from the last checkpoint.
func (e *explorer) explore() error {
	if err := json.Unmarshal(e.store.State(), &e.at); err != nil {
		return err
	}
	if e.store.Levels() == 0 {
		if err := errors.Join(e.store.Adder(0).Add(e.start()), e.end()); err != nil {
			return err
		}
	}
	for e.store.Len(e.store.Levels()-1) > 0 {
		if err := e.expand(); err != nil {
			return err
		}
		if err := e.end(); err != nil {
			return err
		}
	}
	return nil
}

// end ends a level.
func (e *explorer) end() error {
	if _, err := e.store.Settle(0); err != nil {
		return err
	}
	e.at.Done = 0
	return e.save()
}

func (e *explorer) save() error {
	text, err := json.Marshal(e.at)
	if err = errors.Join(err, e.store.Checkpoint(text)); err == nil && e.saved != nil {
		e.saved()
	}
	return err
}

// expand expands the rest of the last level.
func (e *explorer) expand() error {
	var list []uint64
	for blocks := e.store.Level(); e.at.Done < blocks; {
		keys := e.store.Current(0, e.at.Done)
		if err := e.store.Err(); err != nil {
			return err
		}
		e.at.Done++
		for key := range slices.Chunk(keys, e.words) {
			list = e.successors(list[:0], key)
			e.at.Edges += e.degree
			if err := e.store.Adder(int(key[0]) % e.store.Threads).Add(list); err != nil {
				return err
			}
		}
		if e.every > 0 && e.at.Done%e.every == 0 {
			if err := e.save(); err != nil {
				return err
			}
		}
	}
	return e.store.Err()
}

// equal compares all levels of a store with the reference.
func (e *explorer) equal(want [][]uint64) error {
	if n := e.store.Levels() - 1; n != len(want) {
		return fmt.Errorf("%d levels, want %d", n, len(want))
	}
	edges := 0
	for i := range want {
		edges += len(want[i]) / e.words * e.degree
		got, err := e.read(i)
		if err != nil {
			return err
		}
		if !slices.Equal(got, want[i]) {
			return fmt.Errorf("level %d is %x, want %x", i, got, want[i])
		}
	}
	if e.at.Edges != edges {
		return fmt.Errorf("%d edges, want %d", e.at.Edges, edges)
	}
	return nil
}

// read reads a level, the last block first.
func (e *explorer) read(level int) ([]uint64, error) {
	var all []uint64
	for _, p := range slices.Backward(e.store.Pieces(level)) {
		keys := e.store.Read(0, p, nil)
		if err := e.store.Err(); err != nil {
			return nil, err
		}
		all = slices.Concat(keys, all)
	}
	return all, e.store.Err()
}

// shrink makes the parts of a Store so small that a few keys fill buffers and blocks.
func (s *Store) shrink(block, buffer, streams, known int) {
	s.shape.Block, s.buffer, s.streams, s.maxKnown = block, buffer*s.shape.Words, streams, known
}

// setting is a graph, and how small the parts of a Store are.
type setting struct {
	graph
	threads, block, buffer, streams, known int
}

var settings = rapid.Custom(func(t *rapid.T) setting {
	return setting{
		graph{rapid.SampledFrom(widths).Draw(t, "words"), rapid.IntRange(1, 4).Draw(t, "degree"), rapid.Uint64Range(1, 3000).Draw(t, "keys")},
		rapid.IntRange(1, 3).Draw(t, "threads"), rapid.IntRange(1, 40).Draw(t, "block"),
		rapid.IntRange(1, 200).Draw(t, "buffer"), rapid.IntRange(0, 20).Draw(t, "streams"),
		rapid.IntRange(1, sorted.MostKnown).Draw(t, "known"),
	}
})

func (c setting) open(d *drive) (s *Store, restore func(), err error) {
	s, restore, err = d.open(Options{Words: c.words, Identity: "a graph", Threads: c.threads})
	if err == nil {
		s.shrink(c.block, c.buffer, c.streams, c.known)
	}
	return s, restore, err
}

// TestSearch compares searches with a search in a map.
func TestSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := settings.Draw(t, "setting")
		s, restore, err := c.open(newDrive())
		defer restore()
		if err != nil {
			t.Fatal(err)
		}
		e := &explorer{graph: c.graph, store: s}
		if err := e.explore(); err != nil {
			t.Fatal(err)
		}
		if err := e.equal(c.levels()); err != nil {
			t.Fatal(err)
		}
	})
}

// TestCrashes searches while the machine crashes, or the disk is full, again and again, with other
// parameters after each restart.
func TestCrashes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := settings.Draw(t, "setting")
		d := newDrive()
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		e := &explorer{graph: c.graph}
		mean := 1 + r.IntN(300)
		for crashes := 0; ; crashes++ {
			if crashes < 60 {
				if d.after = -1; r.IntN(3) > 0 {
					d.after = r.IntN(mean)
				}
				d.room = r.IntN(100 * mean)
			} else {
				d.after, d.room = -1, 1<<40
			}
			c.threads, c.block, c.buffer = 1+r.IntN(3), 1+r.IntN(40), 1+r.IntN(200)
			e.every = r.IntN(2) * (1 + r.IntN(10))
			var err error
			var restore func()
			if e.store, restore, err = c.open(d); err == nil {
				err = e.explore()
			}
			if err == nil {
				d.after = -1
				if err := e.equal(c.levels()); err != nil {
					t.Fatal(err)
				}
				restore()
				return
			}
			if !errors.Is(err, errKilled) && !errors.Is(err, syscall.ENOSPC) {
				t.Fatal(err)
			}
			if again := error(nil); e.store != nil {
				if _, again = e.store.Settle(0); again == nil {
					t.Fatalf("a level ended after %v", err)
				}
			}
			restore()
			d.crash(r)
		}
	})
}

// widths are the numbers of words that tests use.
var widths = []int{1, 2, 5}

// inOrder returns the different keys in order, found without the package's own sort.
func inOrder(keys []uint64, w int) []uint64 {
	list := slices.Collect(slices.Chunk(slices.Clone(keys), w))
	slices.SortFunc(list, slices.Compare)
	return slices.Concat(slices.CompactFunc(list, slices.Equal)...)
}
