// Package disk keeps the levels of a breadth-first search in files: sets of states that need not
// fit in memory.
//
// A state is a key of a fixed number of 64-bit words, as checker/pack makes them. The package knows
// nothing else about states. Keys are ordered word by word.
//
// A search adds the successors of a level through Adders. They are candidates for the next level.
// Adders collect them in memory. A full buffer is sorted and written to a file as a run: ascending
// keys without duplicates, stored as differences. At the end of the level all runs are merged, and
// the keys of all earlier levels are removed (delayed duplicate detection). What remains is the new
// level, in one file, or with several threads in one file for each of several ranges of keys.
//
// The earlier levels are a few known runs. When there are too many, the smaller ones are merged, so
// that each key is rewritten a logarithmic number of times. Of a known run only those blocks are
// read whose range has candidates. The files of levels are kept, so that a play can be found by
// going back level by level.
//
// The folder has a manifest with the list of files and the caller's own state. Checkpoint replaces
// the manifest atomically, after everything in the list is on the disk. This makes the Store
// crash-safe: after a kill, a crash or a full disk, the search continues from the last checkpoint.
// Files that are not in the manifest are removed. A file in the manifest is never changed, and not
// removed before the next manifest is on the disk. Every block has a checksum; a mismatch is a
// CorruptError.
//
//	disk.go      the Store
//	adder.go     candidates in memory
//	level.go     the end of a level; merging of known runs
//	table.go     tables in the folder
//	manifest.go  the list of files, and how it is replaced
//	fs.go        file operations
package disk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/mancheck/mancheck/checker/sorted"
	"github.com/mancheck/mancheck/internal/file"
)

// Options are the options of a Store.
type Options struct {
	Words    int    // of a key
	Identity string // of the search; a folder with another one is not opened
	Memory   int64  // bytes; at least leastMemory is assumed
	Threads  int    // the number of Adders, and of goroutines at the end of a level; 0 means 1
	Repeat   bool   // keep keys of earlier levels: a level has all candidates
}

const (
	leastMemory = 1 << 20
	blockBytes  = 32 << 10 // bytes of keys in a block, if there is enough memory
)

// Store has the levels of a search in a folder. Only Adders may be used by several goroutines.
type Store struct {
	shape    sorted.Shape
	dir      folder
	lock     file.Handle
	threads  int
	buffer   int // words in the buffer of an Adder
	writing  int // bytes in the buffer of a writer
	streams  int // most streams at the end of a level, for all threads together
	maxKnown int // mostKnown, except in tests
	repeat   bool
	adders   []*Adder
	pool     sorted.Pool

	mu sync.Mutex // guards what Adders change
	manifest
	saved   map[int64]bool // numbers of the files in the manifest on the disk
	garbage []sorted.File  // those of them that the next manifest will not have
	err     error          // the first failure, after which nothing works
}

// Open opens the store in a folder, which it creates if there is none. A folder without a manifest
// must not have files with the names of tables. The error is file.ErrLocked, an *IdentityError, a
// *CorruptError, or one of the file system.
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

// resume makes s the store that the manifest describes.
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
	s.files(func(f sorted.File) { s.saved[f.Number] = true })
	// The last process may have been killed after it renamed this manifest but before that was on
	// the disk. After a crash the older manifest would be there, and still need its files.
	if err := s.dir.syncNames(); err != nil {
		return err
	}
	return m.clean(s.dir)
}

// divide divides the memory: three quarters are for the buffers of Adders, and an eighth is for the
// streams at the end of a level.
func (s *Store) divide(memory int64, words, threads int) {
	s.shape.Words, s.threads, s.maxKnown = words, threads, mostKnown
	s.shape.Block = max(16, min(blockBytes, int(memory>>10))/8/words)
	s.writing = int(memory / 128 / int64(threads))
	s.buffer = int(memory/4*3/int64(threads)/16) / words * words
	s.streams = int(memory / 8 / (sorted.CursorBytes(s.shape) + int64(8*s.shape.Block*words)))
	for range threads {
		s.adders = append(s.adders, &Adder{store: s})
	}
}

// begin writes the first manifest. From then on all tables in the folder belong to this Store.
func (s *Store) begin(o Options) error {
	names, err := s.dir.names()
	if err != nil {
		return err
	}
	for _, name := range names {
		if isTable(name) {
			return &sorted.CorruptError{File: manifestName, Detail: "it is missing, but there is " + name}
		}
	}
	s.manifest = manifest{Format: format, Identity: o.Identity, Words: o.Words, State: json.RawMessage("null")}
	return s.save(s.dir)
}

// verify checks that the files of the manifest exist, with the right sizes and footers.
func (s *Store) verify() error {
	var err error
	seen := map[int64]bool{}
	s.files(func(f sorted.File) {
		if err != nil || seen[f.Number] {
			return
		}
		seen[f.Number] = true
		var t *sorted.Table
		if t, err = openTable(s.dir, f, s.shape.Words); err == nil {
			err = t.Close()
		}
	})
	return err
}

// Close ends the use of the folder. Everything since the last checkpoint is lost.
func (s *Store) Close() error {
	s.err = errors.Join(s.err, os.ErrClosed)
	if s.lock == nil {
		return nil
	}
	return s.lock.Close()
}

// fail records the first error, after which the Store is useless, and returns that.
func (s *Store) fail(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = err
	}
	return s.err
}

// failed returns the error that fail recorded, or nil.
func (s *Store) failed() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

// State returns what the last Checkpoint was given, or null if there was none.
func (s *Store) State() json.RawMessage { return s.manifest.State }

// Levels returns the number of levels that are complete.
func (s *Store) Levels() int { return len(s.manifest.Levels) }

// Len returns the number of keys in a level.
func (s *Store) Len(level int) int64 { return s.manifest.Levels[level].keys() }

// Bytes returns the size of all files.
func (s *Store) Bytes() int64 {
	sizes := map[int64]int64{}
	add := func(f sorted.File) { sizes[f.Number] = f.Size }
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

// Adder returns the Adder for a thread.
func (s *Store) Adder(thread int) *Adder { return s.adders[thread] }

// number returns a number for a new file.
func (s *Store) number() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Next++
	return s.Next
}

// Checkpoint makes the keys added and the levels ended so far durable: they survive a kill or a
// crash. state is the caller's own. No Adder may be in use.
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
	s.files(func(f sorted.File) {
		if err == nil && !listed[f.Number] && !s.saved[f.Number] {
			err = s.dir.sync(nameOf(f))
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

// sweep removes the files that the last manifest no longer has.
func (s *Store) sweep() error {
	for _, f := range s.garbage {
		if err := s.dir.remove(nameOf(f)); err != nil {
			return err
		}
	}
	s.garbage = nil
	return nil
}

// drop removes the files of a run that is no longer needed. Files that the manifest on the disk
// lists are removed by the next checkpoint.
func (s *Store) drop(r run) error {
	for _, f := range r.Files {
		if s.saved[f.Number] {
			s.garbage = append(s.garbage, f)
		} else if err := s.dir.remove(nameOf(f)); err != nil {
			return err
		}
	}
	return nil
}

// Level is a level opened for reading.
type Level struct {
	tables []*sorted.Table
	blocks int
	pool   *sorted.Pool
}

// Level opens a level. It stays valid when other levels are added.
func (s *Store) Level(level int) (*Level, error) {
	tables, err := s.tables([]run{s.manifest.Levels[level]})
	if err != nil {
		return nil, err
	}
	l := &Level{tables: tables[0], pool: &s.pool}
	for _, t := range l.tables {
		l.blocks += t.Blocks()
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
	use := s.pool.Lease()
	defer use.Release()
	key, _, err := sorted.Difference(ctx, s.shape.Words, sorted.NewCursor(tables[0], nil, nil, use), sorted.NewCursor(tables[1], nil, nil, use))
	return key == nil && err == nil, errors.Join(err, sorted.CloseAll(tables))
}

// Blocks returns the number of blocks. All keys of a block are less than those of the next one.
func (l *Level) Blocks() int { return l.blocks }

// Close closes the files.
func (l *Level) Close() error { return sorted.CloseAll([][]*sorted.Table{l.tables}) }

// Reader reads blocks of a level. Each goroutine needs its own.
type Reader struct {
	cursor *sorted.Cursor
	use    *sorted.Lease
}

// Reader returns a Reader, which must be closed before the level is.
func (l *Level) Reader() *Reader {
	use := l.pool.Lease()
	return &Reader{cursor: sorted.NewCursor(l.tables, nil, nil, use), use: use}
}

// Block returns the keys of a block. They are valid until the next call.
func (r *Reader) Block(i int) ([]uint64, error) { return r.cursor.Block(i) }

// Close returns the memory to the pool.
func (r *Reader) Close() { r.use.Release() }
