package file

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// System is what the program does with the file system. All of it goes through this package, so
// that tests can replace it by one that fails (package faulty).
type System interface {
	OpenFile(path string, flag int, perm fs.FileMode) (Handle, error)
	Stat(path string) (fs.FileInfo, error)
	Lstat(path string) (fs.FileInfo, error)
	ReadDir(path string) ([]fs.DirEntry, error)
	Mkdir(path string, perm fs.FileMode) error
	MkdirAll(path string, perm fs.FileMode) error
	Rename(from, to string) error
	Link(from, to string) error
	Readlink(path string) (string, error)
	Remove(path string) error
	Chtimes(path string, read, changed time.Time) error
}

// Handle is an open file.
type Handle interface {
	io.ReadWriteCloser
	io.ReaderAt
	io.WriterAt
	Name() string
	Stat() (fs.FileInfo, error)
	Chmod(perm fs.FileMode) error
	Chown(user, group int) error
	Truncate(size int64) error
	Sync() error
	Fd() uintptr
}

var system System = operating{}

// Replace makes the package use another System. It is for tests, which call restore at their end
// and use no files at the same time.
func Replace(s System) (restore func()) {
	before := system
	system = s
	return func() { system = before }
}

// Operating is the System of the operating system.
func Operating() System { return operating{} }

type operating struct{}

func (operating) OpenFile(path string, flag int, perm fs.FileMode) (Handle, error) {
	f, err := os.OpenFile(path, flag, perm)
	if err != nil {
		return nil, err
	}
	return f, nil
}
func (operating) Stat(path string) (fs.FileInfo, error)        { return os.Stat(path) }
func (operating) Lstat(path string) (fs.FileInfo, error)       { return os.Lstat(path) }
func (operating) ReadDir(path string) ([]fs.DirEntry, error)   { return os.ReadDir(path) }
func (operating) Mkdir(path string, perm fs.FileMode) error    { return os.Mkdir(path, perm) }
func (operating) MkdirAll(path string, perm fs.FileMode) error { return os.MkdirAll(path, perm) }
func (operating) Rename(from, to string) error                 { return os.Rename(from, to) }
func (operating) Link(from, to string) error                   { return os.Link(from, to) }
func (operating) Readlink(path string) (string, error)         { return os.Readlink(path) }
func (operating) Remove(path string) error                     { return os.Remove(path) }
func (operating) Chtimes(path string, read, changed time.Time) error {
	return os.Chtimes(path, read, changed)
}

// The functions below are those of package os, of the System in use.

// OpenFile opens a file with flags of package os.
func OpenFile(path string, flag int, perm fs.FileMode) (Handle, error) {
	return system.OpenFile(path, flag, perm)
}

// Stat describes what a path leads to.
func Stat(path string) (fs.FileInfo, error) { return system.Stat(path) }

// Lstat describes a file, or a symbolic link itself.
func Lstat(path string) (fs.FileInfo, error) { return system.Lstat(path) }

// ReadDir lists a folder.
func ReadDir(path string) ([]fs.DirEntry, error) { return system.ReadDir(path) }

// Mkdir makes a folder.
func Mkdir(path string, perm fs.FileMode) error { return system.Mkdir(path, perm) }

// MkdirAll makes a folder and those above it, as far as they are missing.
func MkdirAll(path string, perm fs.FileMode) error { return system.MkdirAll(path, perm) }

// Rename gives a file another name, and takes that from what had it.
func Rename(from, to string) error { return system.Rename(from, to) }

// Remove removes a file.
func Remove(path string) error { return system.Remove(path) }

// Chtimes sets the times of a file.
func Chtimes(path string, read, changed time.Time) error { return system.Chtimes(path, read, changed) }

// Read reads a whole file of any sort.
func Read(path string) ([]byte, error) {
	f, err := system.OpenFile(path, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(f)
	_ = f.Close() // it was only read
	return text, err
}

// SyncFolder waits until what was created, renamed and removed in a folder survives a crash of the
// machine, where the system knows of that. A folder that may be written and not read cannot be
// waited for, nor one of a file system that does not sync folders.
func SyncFolder(path string) error {
	if !foldersSync {
		return nil
	}
	f, err := system.OpenFile(path, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	err = f.Sync()
	_ = f.Close() // it was only read
	if errors.Is(err, syscall.EINVAL) {
		return nil
	}
	return err
}
