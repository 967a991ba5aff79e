// Package disk keeps the levels of a breadth-first search in files: sets of states that need not
// fit in memory.
//
// A state is a key of a fixed number of 64-bit words, such as checker/pack makes; the package knows
// nothing else about it. Keys are ordered word by word.
//
// A search adds the successors of a level, which are candidates of the next one, through Adders.
// These collect them in memory; when a buffer is full it is sorted, and written to a file as a run:
// ascending keys without repetition, stored as differences. At the end of the level all runs are
// merged, and the keys of all earlier levels are removed (delayed duplicate detection). What is
// left is the new level, in a file or, with several threads, in several with a range of keys each.
//
// The earlier levels are known as a few runs. When there are many, the smaller ones are merged, so
// that each key is rewritten only as often as a logarithm. Of a known run only those blocks are
// read in whose range there are candidates. The files of levels remain, so that a play can be found
// by going back level by level.
//
// The folder has a manifest, which lists the files and has the caller's own state. It is replaced
// as a whole by Checkpoint, after everything in it is on the disk. So after a kill, a crash or a
// full disk the search goes on from the last checkpoint: files that are not in the manifest are
// removed, and no file that is in it is ever changed, nor removed before the next manifest. Every
// block has a checksum, and what does not agree with it is a CorruptError, not a key.
//
//	disk.go      the Store
//	adder.go     candidates in memory
//	level.go     the end of a level; merging of known runs
//	merge.go     unions and differences of streams of keys
//	cursor.go    reading of tables
//	table.go     the format of files, and writing
//	block.go     keys as differences
//	manifest.go  what there is, for good
//	sort.go      radix sort
//	pool.go      buffers that are used again
//	fs.go        the file operations
package disk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/mancheck/mancheck/internal/file"
)

// Options say what a Store is for and how much it may take.
type Options struct {
	Words    int    // of a key
	Identity string // of what is searched. A folder with another one is not opened
	Memory   int64  // bytes; at least leastMemory is assumed
	Threads  int    // the number of Adders, and of goroutines at the end of a level; at least 1
	Repeat   bool   // keys of earlier levels are not left out: a level is all candidates
}

const (
	leastMemory = 1 << 20
	blockBytes  = 32 << 10 // of keys in a block, if there is enough memory
)

// Store is the levels of a search in a folder. Except for the Adders, it is for one goroutine.
type Store struct {
	shape
	dir      folder
	lock     file.Handle
	threads  int
	buffer   int // words in the buffer of an Adder
	writing  int // bytes in the buffer of a writer
	streams  int // most streams at the end of a level, in all threads
	maxKnown int // mostKnown, except in tests
	repeat   bool
	adders   []*Adder
	pool     pool

	mu sync.Mutex // of what Adders change
	manifest
	saved   map[int64]bool // files in the manifest on the disk
	garbage []stored       // of these, those that the next manifest does without
	err     error          // the first failure; nothing can be done after it
}

// Open opens the store in a folder, which it makes if there is none. A folder in which no Store was
// must not have files that look as if one had been. Errors: file.ErrLocked, an *IdentityError, a
// *CorruptError, or an error of the file system.
func Open(path string, o Options) (*Store, error) {
	if err := file.Mkdir(path, 0o777); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, err
	}
	l, err := file.Lock(filepath.Join(path, lockName))
	if err != nil {
		return nil, err
	}
	s, err := open(osFolder(path), o)
	if err != nil {
		_ = l.Close()
		return nil, err
	}
	s.lock = l
	return s, nil
}

func open(dir folder, o Options) (*Store, error) {
	s := &Store{dir: dir, repeat: o.Repeat, saved: map[int64]bool{}}
	s.divide(max(o.Memory, leastMemory), o.Words, max(o.Threads, 1))
	m, err := loadManifest(dir)
	if err != nil {
		return nil, err
	}
	if m == nil {
		err = s.begin(o)
	} else {
		err = s.resume(m, o)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// resume makes s what the manifest says.
func (s *Store) resume(m *manifest, o Options) error {
	if m.Format != format {
		return fmt.Errorf("the folder was written by another version: format %d instead of %d", m.Format, format)
	}
	if m.Identity != o.Identity || m.Words != o.Words {
		return &IdentityError{m.Identity, o.Identity}
	}
	s.manifest = *m
	if err := s.verify(); err != nil {
		return err
	}
	s.files(func(f stored) { s.saved[f.Number] = true })
	// The last process may have been killed after it renamed this manifest and before that was on
	// the disk. The older manifest there still needs its files.
	if err := s.dir.syncNames(); err != nil {
		return err
	}
	return m.clean(s.dir)
}

// divide divides the memory: most of it is for the buffers of Adders, an eighth for the streams at
// the end of a level.
func (s *Store) divide(memory int64, words, threads int) {
	s.words, s.threads, s.maxKnown = words, threads, mostKnown
	s.block = max(16, min(blockBytes, int(memory>>10))/8/words)
	s.writing = int(memory / 128 / int64(threads))
	s.buffer = int(memory/4*3/int64(threads)/16) / words * words
	s.streams = int(memory / 8 / (cursorBytes(s.shape) + int64(8*s.block*words)))
	for range threads {
		s.adders = append(s.adders, &Adder{store: s})
	}
}

// begin makes the first manifest. After that all tables in the folder are of this Store.
func (s *Store) begin(o Options) error {
	names, err := s.dir.names()
	if err != nil {
		return err
	}
	for _, name := range names {
		if isTable(name) {
			return &CorruptError{manifestName, "it is missing, but there is " + name}
		}
	}
	s.manifest = manifest{Format: format, Identity: o.Identity, Words: o.Words, State: json.RawMessage("null")}
	return s.save(s.dir)
}

// verify checks that the files of the manifest are there, with the right size and end.
func (s *Store) verify() error {
	var err error
	seen := map[int64]bool{}
	s.files(func(f stored) {
		if err != nil || seen[f.Number] {
			return
		}
		seen[f.Number] = true
		var t *table
		if t, err = openTable(s.dir, f, s.words); err == nil {
			err = t.close()
		}
	})
	return err
}

// Close ends the use of the folder. What was done since the last checkpoint is lost.
func (s *Store) Close() error {
	s.err = errors.Join(s.err, os.ErrClosed)
	if s.lock == nil {
		return nil
	}
	return s.lock.Close()
}

// fail records an error after which the Store is of no use, and returns it, or an earlier one.
func (s *Store) fail(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
	return s.err
}

// failed returns the error of fail.
func (s *Store) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// State returns what was given to the last Checkpoint; null if there was none.
func (s *Store) State() json.RawMessage { return s.manifest.State }

// Levels returns the number of levels that are complete.
func (s *Store) Levels() int { return len(s.manifest.Levels) }

// Len returns the number of keys in a level.
func (s *Store) Len(level int) int64 { return s.manifest.Levels[level].keys() }

// Bytes returns the size of all files.
func (s *Store) Bytes() int64 {
	sizes := map[int64]int64{}
	add := func(f stored) { sizes[f.Number] = f.Size }
	s.mu.Lock()
	defer s.mu.Unlock()
	s.files(add)
	each(run{s.garbage}, add)
	n := int64(0)
	for _, size := range sizes {
		n += size
	}
	return n
}

// Adder returns the Adder of a thread.
func (s *Store) Adder(thread int) *Adder { return s.adders[thread] }

// number returns the number of a new file.
func (s *Store) number() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Next++
	return s.Next
}

// Checkpoint makes what was added and the levels that were ended outlast a kill or a crash. The
// state is the caller's. No Adder may be in use.
func (s *Store) Checkpoint(state json.RawMessage) error {
	if err := s.failed(); err != nil {
		return err
	}
	if err := s.checkpoint(state); err != nil {
		return s.fail(err)
	}
	return nil
}

func (s *Store) checkpoint(state json.RawMessage) error {
	for _, a := range s.adders {
		if len(a.keys) > 0 {
			a.tidy()
			if err := a.flush(); err != nil {
				return err
			}
		}
	}
	listed := map[int64]bool{}
	var err error
	s.files(func(f stored) {
		if err == nil && !listed[f.Number] && !s.saved[f.Number] {
			err = s.dir.sync(f.name())
		}
		listed[f.Number] = true
	})
	if err == nil {
		err = s.dir.syncNames()
	}
	if err != nil {
		return err
	}
	s.manifest.State = state
	if err := s.save(s.dir); err != nil {
		return err
	}
	s.saved = listed
	return s.sweep()
}

// sweep removes the files that the last manifest did without.
func (s *Store) sweep() error {
	for _, f := range s.garbage {
		if err := s.dir.remove(f.name()); err != nil {
			return err
		}
	}
	s.garbage = nil
	return nil
}

// drop removes the files of a run that is needed no more, or has them removed by the next
// checkpoint.
func (s *Store) drop(r run) error {
	for _, f := range r.Files {
		if s.saved[f.Number] {
			s.garbage = append(s.garbage, f)
		} else if err := s.dir.remove(f.name()); err != nil {
			return err
		}
	}
	return nil
}

// Level is a level that is open for reading.
type Level struct {
	tables []*table
	blocks int
	pool   *pool
}

// Level opens a level. It remains valid when others are added.
func (s *Store) Level(level int) (*Level, error) {
	tables, err := s.tables([]run{s.manifest.Levels[level]})
	if err != nil {
		return nil, err
	}
	l := &Level{tables: tables[0], pool: &s.pool}
	for _, t := range l.tables {
		l.blocks += t.blocks
	}
	return l, nil
}

// Same reports whether two levels have the same keys.
func (s *Store) Same(ctx context.Context, a, b int) (bool, error) {
	if s.Len(a) != s.Len(b) {
		return false, nil
	}
	tables, err := s.tables([]run{s.manifest.Levels[a], s.manifest.Levels[b]})
	if err != nil {
		return false, err
	}
	use := lease{pool: &s.pool}
	defer use.release()
	same, err := sameKeys(ctx, newCursor(tables[0], nil, nil, &use), newCursor(tables[1], nil, nil, &use))
	return same, errors.Join(err, closeAll(tables))
}

// sameKeys compares streams.
func sameKeys(ctx context.Context, a, b stream) (bool, error) {
	x, y := side{from: a}, side{from: b}
	for {
		if err := errors.Join(x.fill(), y.fill(), ctx.Err()); err != nil {
			return false, err
		}
		n := min(len(x.keys), len(y.keys))
		if n == 0 {
			return len(x.keys) == len(y.keys), nil
		}
		if !slices.Equal(x.keys[:n], y.keys[:n]) {
			return false, nil
		}
		x.keys, y.keys = x.keys[n:], y.keys[n:]
	}
}

// Blocks returns the number of blocks. The keys of a block are less than those of the next one.
func (l *Level) Blocks() int { return l.blocks }

// Close closes the files.
func (l *Level) Close() error { return closeAll([][]*table{l.tables}) }

// Reader reads blocks of a level. It is for one goroutine.
type Reader struct {
	cursor *cursor
	use    lease
}

// Reader returns a Reader, which has to be closed before the level is.
func (l *Level) Reader() *Reader {
	r := &Reader{use: lease{pool: l.pool}}
	r.cursor = newCursor(l.tables, nil, nil, &r.use)
	return r
}

// Block returns the keys of a block, which are valid until the next call.
func (r *Reader) Block(i int) ([]uint64, error) {
	c := r.cursor
	for c.t = 0; i >= c.tables[c.t].blocks; c.t++ {
		i -= c.tables[c.t].blocks
	}
	c.block = i
	return c.read()
}

// Close gives the memory back.
func (r *Reader) Close() { r.use.release() }
