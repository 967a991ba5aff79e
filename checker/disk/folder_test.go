package disk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/mancheck/mancheck/internal/file"
)

// errKilled is the error of every operation after a crash, so that the dead Store can do no more.
var errKilled = errors.New("killed")

// content is what is in a file, and how much of it survives a crash of the machine.
type content struct {
	bytes  []byte
	synced int
}

// drive is a disk that fills up and crashes. Only what was synced is sure to survive a crash.
type drive struct {
	mu    sync.Mutex
	now   map[string]*content
	safe  map[string]*content // names that were synced
	room  int                 // bytes left to write
	after int                 // operations until a crash; < 0: none
	boot  int
}

func newDrive() *drive {
	return &drive{now: map[string]*content{}, safe: map[string]*content{}, room: 1 << 40, after: -1}
}

// folder is the path of the only folder of a drive.
const folder = "drive"

// open opens a store on the drive, which takes the place of the file system until restore is
// called.
func (d *drive) open(o Options) (s *Store, restore func(), err error) {
	restore = file.Replace(&mounted{drive: d, since: d.boot})
	s, err = open(context.Background(), folder, o)
	return s, restore, err
}

// crash loses some of what was not synced: ends of files, and names.
func (d *drive) crash(r *rand.Rand) {
	d.boot++
	d.after = -1
	names := maps.Clone(d.safe)
	if r.IntN(2) == 0 { // only a kill
		names = maps.Clone(d.now)
	} else {
		for name, c := range d.now {
			if d.safe[name] != c && r.IntN(2) == 0 {
				names[name] = c
			}
		}
		for _, c := range names {
			if lost := len(c.bytes) - c.synced; lost > 0 {
				c.bytes = c.bytes[:c.synced+r.IntN(lost+1)]
			}
		}
	}
	d.now, d.safe = names, maps.Clone(names)
}

// mounted is the file system of a drive from one crash to the next. Only the base names of paths
// count.
type mounted struct {
	file.System // nil: no other methods are called
	*drive
	since int
}

// enter begins an operation.
func (m *mounted) enter() error {
	m.mu.Lock()
	if m.since != m.boot || m.after == 0 {
		return errKilled
	}
	if m.after > 0 {
		m.after--
	}
	return nil
}

func (m *mounted) OpenFile(path string, flag int, _ fs.FileMode) (file.Handle, error) {
	defer m.mu.Unlock()
	if err := m.enter(); err != nil {
		return nil, err
	}
	name := filepath.Base(path)
	c, create := m.now[name], flag&os.O_CREATE != 0
	switch {
	case path == folder:
	case c != nil && create:
		return nil, &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	case create:
		c = &content{}
		m.now[name] = c
	case c == nil:
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return &mountedFile{m: m, c: c, name: path}, nil
}

func (m *mounted) Rename(from, to string) error {
	defer m.mu.Unlock()
	if err := m.enter(); err != nil {
		return err
	}
	from, to = filepath.Base(from), filepath.Base(to)
	c := m.now[from]
	if c == nil {
		return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrNotExist}
	}
	delete(m.now, from)
	m.now[to] = c
	return nil
}

func (m *mounted) Remove(path string) error {
	defer m.mu.Unlock()
	if err := m.enter(); err != nil {
		return err
	}
	name := filepath.Base(path)
	c := m.now[name]
	if c == nil {
		return &fs.PathError{Op: "remove", Path: path, Err: fs.ErrNotExist}
	}
	m.room += len(c.bytes)
	delete(m.now, name)
	return nil
}

func (m *mounted) Lstat(path string) (fs.FileInfo, error) {
	defer m.mu.Unlock()
	if err := m.enter(); err != nil {
		return nil, err
	}
	c := m.now[filepath.Base(path)]
	if c == nil {
		return nil, &fs.PathError{Op: "stat", Path: path, Err: fs.ErrNotExist}
	}
	return info{name: filepath.Base(path), size: int64(len(c.bytes))}, nil
}

func (m *mounted) ReadDir(string) (list []fs.DirEntry, err error) {
	defer m.mu.Unlock()
	if err := m.enter(); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(m.now)) {
		list = append(list, fs.FileInfoToDirEntry(info{name: name, size: int64(len(m.now[name].bytes))}))
	}
	return list, nil
}

// info describes a file of a drive.
type info struct {
	name string
	size int64
}

func (i info) Name() string     { return i.name }
func (i info) Size() int64      { return i.size }
func (info) Mode() fs.FileMode  { return 0o600 }
func (info) ModTime() time.Time { return time.Now() }
func (info) IsDir() bool        { return false }
func (info) Sys() any           { return nil }

// mountedFile is an open file of a drive.
type mountedFile struct {
	file.Handle // nil: no other methods are called
	m           *mounted
	c           *content // nil: it is the folder
	name        string
	at          int64 // of the next Read
}

func (f *mountedFile) Name() string            { return f.name }
func (f *mountedFile) Chmod(fs.FileMode) error { return nil }

// Sync makes the contents of a file survive a crash, or the names in the folder.
func (f *mountedFile) Sync() error {
	defer f.m.mu.Unlock()
	if err := f.m.enter(); err != nil {
		return err
	}
	if f.c == nil {
		f.m.safe = maps.Clone(f.m.now)
	} else {
		f.c.synced = len(f.c.bytes)
	}
	return nil
}

// Write writes what there is room for.
func (f *mountedFile) Write(b []byte) (int, error) {
	defer f.m.mu.Unlock()
	if err := f.m.enter(); err != nil {
		return 0, err
	}
	n := min(len(b), f.m.room)
	f.c.bytes = append(f.c.bytes, b[:n]...)
	f.m.room -= n
	if n < len(b) {
		return n, fmt.Errorf("write: %w", syscall.ENOSPC)
	}
	return n, nil
}

func (f *mountedFile) Read(b []byte) (int, error) {
	n, err := f.ReadAt(b, f.at)
	f.at += int64(n)
	return n, err
}

func (f *mountedFile) ReadAt(b []byte, at int64) (int, error) {
	defer f.m.mu.Unlock()
	if err := f.m.enter(); err != nil {
		return 0, err
	}
	if at >= int64(len(f.c.bytes)) {
		return 0, io.EOF
	}
	n := copy(b, f.c.bytes[at:])
	if n < len(b) {
		return n, io.EOF
	}
	return n, nil
}

func (f *mountedFile) Stat() (fs.FileInfo, error) { return f.m.Lstat(f.name) }

func (f *mountedFile) Close() error { return nil }
