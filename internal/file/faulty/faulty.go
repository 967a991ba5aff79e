// Package faulty is a file system for tests in which the n-th call fails or misbehaves. A test that
// runs for every n shows how a program handles each failure that can occur (SQLite is tested in the
// same way).
package faulty

import (
	"io"
	"io/fs"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/mancheck/mancheck/internal/file"
)

// Kind is a way to go wrong.
type Kind int

const (
	// Fails lets the call fail as a disk with a defect does.
	Fails Kind = iota
	// Shortens lets a read find the end of the file, and a write stop half way. Other calls are
	// right.
	Shortens
	// Alters flips a bit of what a read finds. Other calls are right.
	Alters
	// Full lets this write and all later ones fail: there is no more room.
	Full
)

// Kinds lists all of them.
var Kinds = []Kind{Fails, Shortens, Alters, Full}

func (k Kind) String() string { return [...]string{"fails", "shortens", "alters", "full"}[k] }

// System is the operating system's files, with one call that misbehaves.
type System struct {
	Kind Kind
	At   int // the number of the call, from 1 on; 0: all calls are right

	mu     sync.Mutex
	calls  int
	struck string
	file.System
}

// New returns a System. It takes its place with file.Replace.
func New(kind Kind, at int) *System { return &System{Kind: kind, At: at, System: file.Operating()} }

// Calls is how many calls there have been.
func (s *System) Calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

// Struck says which call went wrong; it is empty if none did.
func (s *System) Struck() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.struck
}

// effect is what a call is about.
type effect int

const (
	other effect = iota // it can only fail
	reads
	writes
)

// strikes counts a call, and reports whether it is the one that misbehaves.
func (s *System) strikes(op, path string, e effect) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	switch {
	case s.At == 0 || s.calls < s.At:
		return false
	case s.Kind == Full && e == writes: // from then on
	case s.calls > s.At, s.Kind == Full, s.Kind == Alters && e != reads, s.Kind == Shortens && e == other:
		return false
	}
	s.struck = op + " " + path
	return true
}

func (s *System) fault(op, path string) error {
	if s.Kind == Full {
		return &fs.PathError{Op: op, Path: path, Err: syscall.ENOSPC}
	}
	return &fs.PathError{Op: op, Path: path, Err: syscall.EIO}
}

func (s *System) call(op, path string, e effect) error {
	if s.strikes(op, path, e) {
		return s.fault(op, path)
	}
	return nil
}

// OpenFile opens a file whose calls count, too.
func (s *System) OpenFile(path string, flag int, perm fs.FileMode) (file.Handle, error) {
	e := other
	if flag&os.O_CREATE != 0 && s.Kind == Full {
		e = writes
	}
	if err := s.call("open", path, e); err != nil {
		return nil, err
	}
	f, err := s.System.OpenFile(path, flag, perm)
	if err != nil {
		return nil, err
	}
	return &handle{f, s}, nil
}

// Stat may fail.
func (s *System) Stat(path string) (fs.FileInfo, error) {
	if err := s.call("stat", path, other); err != nil {
		return nil, err
	}
	return s.System.Stat(path)
}

// Lstat may fail.
func (s *System) Lstat(path string) (fs.FileInfo, error) {
	if err := s.call("lstat", path, other); err != nil {
		return nil, err
	}
	return s.System.Lstat(path)
}

// ReadDir may fail.
func (s *System) ReadDir(path string) ([]fs.DirEntry, error) {
	if err := s.call("readdir", path, other); err != nil {
		return nil, err
	}
	return s.System.ReadDir(path)
}

// Mkdir may fail.
func (s *System) Mkdir(path string, perm fs.FileMode) error {
	if err := s.made("mkdir", path); err != nil {
		return err
	}
	return s.System.Mkdir(path, perm)
}

// MkdirAll may fail.
func (s *System) MkdirAll(path string, perm fs.FileMode) error {
	if err := s.made("mkdir", path); err != nil {
		return err
	}
	return s.System.MkdirAll(path, perm)
}

// made is a call that needs room and has nothing to shorten.
func (s *System) made(op, path string) error {
	if s.Kind == Full {
		return s.call(op, path, writes)
	}
	return s.call(op, path, other)
}

// Rename may fail.
func (s *System) Rename(from, to string) error {
	if err := s.call("rename", to, other); err != nil {
		return err
	}
	return s.System.Rename(from, to)
}

// Link may fail.
func (s *System) Link(from, to string) error {
	if err := s.call("link", to, other); err != nil {
		return err
	}
	return s.System.Link(from, to)
}

// Readlink may fail.
func (s *System) Readlink(path string) (string, error) {
	if err := s.call("readlink", path, other); err != nil {
		return "", err
	}
	return s.System.Readlink(path)
}

// Remove may fail.
func (s *System) Remove(path string) error {
	if err := s.call("remove", path, other); err != nil {
		return err
	}
	return s.System.Remove(path)
}

// Chtimes may fail.
func (s *System) Chtimes(path string, read, changed time.Time) error {
	if err := s.call("chtimes", path, other); err != nil {
		return err
	}
	return s.System.Chtimes(path, read, changed)
}

// handle is an open file.
type handle struct {
	file.Handle
	s *System
}

func (h *handle) Read(b []byte) (int, error) {
	return h.read(b, func(b []byte) (int, error) { return h.Handle.Read(b) })
}

func (h *handle) ReadAt(b []byte, at int64) (int, error) {
	return h.read(b, func(b []byte) (int, error) { return h.Handle.ReadAt(b, at) })
}

func (h *handle) read(b []byte, read func([]byte) (int, error)) (int, error) {
	if !h.s.strikes("read", h.Name(), reads) {
		return read(b)
	}
	if h.s.Kind == Fails {
		return 0, h.s.fault("read", h.Name())
	}
	n, err := read(b)
	if h.s.Kind == Shortens {
		return n / 2, io.EOF
	}
	if n > 0 {
		b[n/2] ^= 1 << (n % 8)
	}
	return n, err
}

func (h *handle) Write(b []byte) (int, error) {
	return h.write(b, func(b []byte) (int, error) { return h.Handle.Write(b) })
}

func (h *handle) WriteAt(b []byte, at int64) (int, error) {
	return h.write(b, func(b []byte) (int, error) { return h.Handle.WriteAt(b, at) })
}

func (h *handle) write(b []byte, write func([]byte) (int, error)) (int, error) {
	if !h.s.strikes("write", h.Name(), writes) {
		return write(b)
	}
	n, _ := write(b[:len(b)/2])
	if h.s.Kind == Shortens {
		return n, io.ErrShortWrite
	}
	return n, h.s.fault("write", h.Name())
}

func (h *handle) Truncate(size int64) error {
	if err := h.s.made("truncate", h.Name()); err != nil {
		return err
	}
	return h.Handle.Truncate(size)
}

// Sync may fail; where there is no more room it is the first call to notice.
func (h *handle) Sync() error {
	if err := h.s.made("sync", h.Name()); err != nil {
		return err
	}
	return h.Handle.Sync()
}

func (h *handle) Stat() (fs.FileInfo, error) {
	if err := h.s.call("stat", h.Name(), other); err != nil {
		return nil, err
	}
	return h.Handle.Stat()
}

func (h *handle) Chmod(perm fs.FileMode) error {
	if err := h.s.call("chmod", h.Name(), other); err != nil {
		return err
	}
	return h.Handle.Chmod(perm)
}

func (h *handle) Chown(user, group int) error {
	if err := h.s.call("chown", h.Name(), other); err != nil {
		return err
	}
	return h.Handle.Chown(user, group)
}

// Close closes the file, also where it fails.
func (h *handle) Close() error {
	err := h.s.call("close", h.Name(), other)
	if failed := h.Handle.Close(); err == nil {
		err = failed
	}
	return err
}
