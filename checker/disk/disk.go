// Package disk keeps the levels of a breadth-first search in files: sets of states that need not
// fit in memory.
//
// A state is a key of a fixed number of 64-bit words, as checker/pack makes them. The package knows
// nothing else about states. Keys are ordered word by word.
//
// A search adds the successors of a level. They are candidates for the next level. Adders, one for
// each worker, collect them in memory. A full buffer is sorted and written to a file as a run:
// ascending keys without duplicates, stored as differences. At the end of the level all runs are
// merged, and the keys of all earlier levels are removed (delayed duplicate detection). What
// remains is the new level, in one file, or with several threads in one file for each of several
// ranges of keys.
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
//	level.go     the end of a level; merging of known runs; the levels, block by block
//	manifest.go  tables in the folder, and the list of them
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
	Threads  int    // the number of workers, and of goroutines at the end of a level; 0 means 1
	Repeat   bool   // keep keys of earlier levels: a level has all candidates
}

const (
	leastMemory = 1 << 20
	blockBytes  = 32 << 10 // bytes of keys in a block, if there is enough memory
)

// Store has the levels of a search in a folder. It implements store.Store. What is in memory does
// not grow with the number of states.
type Store struct {
	Options
	ctx      context.Context
	shape    sorted.Shape
	dir      string
	lock     file.Handle
	buffer   int // words in the buffer of an Adder
	writing  int // bytes in the buffer of a writer
	streams  int // most streams at the end of a level, for all threads together
	maxKnown int // sorted.MostKnown, except in tests
	adders   []*Adder
	pool     sorted.Pool
	current  reading
	again    reading // of a level that is read again

	mu sync.Mutex // guards what workers change
	manifest
	saved map[int64]bool // numbers of the files in the manifest on the disk
	err   error          // the first failure, after which nothing works
}

// Open opens the store in a folder, which it creates if there is none. A folder without a manifest
// must not have files with the names of tables. The error is file.ErrLocked, an *IdentityError, a
// *CorruptError, or one of the file system. The end of ctx ends the use of the Store.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	if err := file.Mkdir(path, 0o777); err != nil && !errors.Is(err, os.ErrExist) {
		return nil, err
	}
	l, err := file.Lock(filepath.Join(path, lockName))
	if err != nil {
		return nil, about(path, err)
	}
	s, err := open(ctx, path, o)
	if err != nil {
		_ = l.Close()
		return nil, err
	}
	s.lock = l
	return s, nil
}

func open(ctx context.Context, path string, o Options) (*Store, error) {
	o.Threads = max(o.Threads, 1)
	s := &Store{Options: o, ctx: ctx, dir: path, saved: map[int64]bool{}, maxKnown: sorted.MostKnown}
	s.divide()
	m, err := loadManifest(path)
	switch {
	case err != nil:
	case m == nil:
		err = s.begin()
	default:
		err = s.resume(m)
	}
	if err != nil {
		return nil, about(path, err)
	}
	return s, nil
}

// about adds the folder to an error that does not name it.
func about(path string, err error) error {
	if errors.As(err, new(*sorted.CorruptError)) || errors.As(err, new(*IdentityError)) || errors.Is(err, file.ErrLocked) {
		return fmt.Errorf("%s: %w", path, err)
	}
	return err
}

// resume makes s the store that the manifest describes.
func (s *Store) resume(m *manifest) error {
	if m.Format != format {
		return fmt.Errorf("the folder was written by another version: format %d instead of %d", m.Format, format)
	}
	if m.Identity != s.Options.Identity || m.Words != s.shape.Words {
		return &IdentityError{m.Identity, s.Options.Identity}
	}
	s.manifest = *m
	if err := s.verify(); err != nil {
		return err
	}
	for f := range s.files {
		s.saved[f.Number] = true
	}
	// The last process may have been killed after it renamed this manifest but before that was on
	// the disk. After a crash the older manifest would be there, and still need its files.
	if err := file.SyncFolder(s.dir); err != nil {
		return err
	}
	return m.clean(s.dir)
}

// divide divides the memory: three quarters are for the buffers of Adders, and an eighth is for the
// streams at the end of a level.
func (s *Store) divide() {
	words, threads, memory := s.Options.Words, s.Threads, max(s.Memory, leastMemory)
	s.shape = sorted.Shape{Words: words, Block: max(16, min(blockBytes, int(memory>>10))/8/words)}
	s.writing = int(memory / 128 / int64(threads))
	s.buffer = int(memory/4*3/int64(threads)/16) / words * words
	s.streams = int(memory / 8 / (sorted.CursorBytes(s.shape) + int64(8*s.shape.Block*words)))
	for range threads {
		s.adders = append(s.adders, &Adder{store: s})
	}
}

// begin writes the first manifest. From then on all tables in the folder belong to this Store.
func (s *Store) begin() error {
	names, err := file.ReadDir(s.dir)
	if err != nil {
		return err
	}
	for _, e := range names {
		if isTable(e.Name()) {
			return &sorted.CorruptError{File: manifestName, Detail: "it is missing, but there is " + e.Name()}
		}
	}
	s.manifest = manifest{Format: format, Identity: s.Options.Identity, Words: s.shape.Words, State: json.RawMessage("null")}
	return s.save(s.dir)
}

// verify checks that the files of the manifest exist, with the right sizes and footers.
func (s *Store) verify() error {
	for f := range s.files {
		t, err := openTable(s.dir, f, s.shape.Words)
		if err == nil {
			err = t.Close()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Close ends the use of the folder. Everything since the last checkpoint is lost.
func (s *Store) Close() error {
	s.err = errors.Join(s.err, os.ErrClosed)
	err := errors.Join(s.current.close(), s.again.close())
	if s.lock != nil {
		err = errors.Join(err, s.lock.Close())
	}
	return about(s.dir, err)
}

// fail records the first error, after which the Store is useless, and returns that.
func (s *Store) fail(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.err = about(s.dir, err)
	}
	return s.err
}

// Err implements store.Store.
func (s *Store) Err() error {
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

// Bytes implements store.Store.
func (s *Store) Bytes(int64, int64) int64 { return s.Memory }

// Free implements store.Store.
func (s *Store) Free() {}

// number returns a number for a new file.
func (s *Store) number() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Next++
	return s.Next
}

// Checkpoint makes the keys added and the levels ended so far durable: they survive a kill or a
// crash. state is the caller's own. No worker may add keys.
func (s *Store) Checkpoint(state json.RawMessage) error {
	if err := s.Err(); err != nil {
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
	for f := range s.files {
		if listed[f.Number] = true; s.saved[f.Number] {
			continue
		}
		if err := syncFile(filepath.Join(s.dir, nameOf(f))); err != nil {
			return err
		}
	}
	if err := file.SyncFolder(s.dir); err != nil {
		return err
	}
	s.manifest.State = state
	if err := s.save(s.dir); err != nil {
		return err
	}
	s.saved = listed
	return s.clean(s.dir)
}

// syncFile makes the contents of a file survive a crash.
func syncFile(path string) error {
	f, err := file.OpenFile(path, os.O_RDWR, 0) // some systems can sync only files open for writing
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// drop removes the files of runs that are no longer needed. Files that the manifest on the disk
// lists are removed by the next checkpoint.
func (s *Store) drop(runs ...run) error {
	for _, r := range runs {
		for _, f := range r.Files {
			if s.saved[f.Number] {
				continue
			}
			if err := file.Remove(filepath.Join(s.dir, nameOf(f))); err != nil {
				return err
			}
		}
	}
	return nil
}
