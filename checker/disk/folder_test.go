package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"syscall"

	"github.com/mancheck/mancheck/checker/sorted"
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

// mount returns the folder as it is until the next crash.
func (d *drive) mount() *mounted { return &mounted{d, d.boot} }

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

// mounted is a drive from one crash to the next.
type mounted struct {
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

func (m *mounted) get(name string) (*content, error) {
	c := m.now[name]
	if c == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return c, nil
}

func (m *mounted) create(name string) (io.WriteCloser, error) {
	defer m.mu.Unlock()
	if err := m.enter(); err != nil {
		return nil, err
	}
	if m.now[name] != nil {
		return nil, &fs.PathError{Op: "create", Path: name, Err: fs.ErrExist}
	}
	m.now[name] = &content{}
	return &mountedFile{m, m.now[name]}, nil
}

func (m *mounted) open(name string) (sorted.Source, error) {
	defer m.mu.Unlock()
	if err := m.enter(); err != nil {
		return nil, err
	}
	c, err := m.get(name)
	return &mountedFile{m, c}, err
}

func (m *mounted) read(name string) ([]byte, error) {
	defer m.mu.Unlock()
	if err := m.enter(); err != nil {
		return nil, err
	}
	c, err := m.get(name)
	if err != nil {
		return nil, err
	}
	return slices.Clone(c.bytes), nil
}

func (m *mounted) sync(name string) error {
	defer m.mu.Unlock()
	if err := m.enter(); err != nil {
		return err
	}
	c, err := m.get(name)
	if err == nil {
		c.synced = len(c.bytes)
	}
	return err
}

func (m *mounted) rename(from, to string) error {
	defer m.mu.Unlock()
	if err := m.enter(); err != nil {
		return err
	}
	c, err := m.get(from)
	if err == nil {
		delete(m.now, from)
		m.now[to] = c
	}
	return err
}

func (m *mounted) remove(name string) error {
	defer m.mu.Unlock()
	if err := m.enter(); err != nil {
		return err
	}
	c, err := m.get(name)
	if err == nil {
		m.room += len(c.bytes)
		delete(m.now, name)
	}
	return err
}

func (m *mounted) names() ([]string, error) {
	defer m.mu.Unlock()
	if err := m.enter(); err != nil {
		return nil, err
	}
	return slices.Sorted(maps.Keys(m.now)), nil
}

func (m *mounted) syncNames() error {
	defer m.mu.Unlock()
	if err := m.enter(); err != nil {
		return err
	}
	m.safe = maps.Clone(m.now)
	return nil
}

// mountedFile is an open file of a drive.
type mountedFile struct {
	m *mounted
	c *content
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

func (f *mountedFile) Size() int64 {
	f.m.mu.Lock()
	defer f.m.mu.Unlock()
	return int64(len(f.c.bytes))
}

func (f *mountedFile) Close() error { return nil }
