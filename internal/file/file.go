// Package file is the program's only access to the file system. It writes files whole or not at
// all: the text goes into a new file in the same folder, with a name that nobody can foresee, which
// takes the place of the old one when it is complete. If any step fails, the old file is unchanged
// and no other is left behind.
package file

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"
)

// A Mode is a set of choices about a file.
type Mode int

const (
	// Named means that the user named this very file. A symbolic link is followed then, and the
	// file that it leads to replaced; what is no regular file, such as a device or a pipe, is
	// written to as it is, and so is a file with other names (hard links), which would lead to the
	// old text otherwise. Without it a link is replaced itself.
	Named Mode = 1 << iota
	// New means that there must be no such file: the error is fs.ErrExist otherwise.
	New
	// Loose means that the text need not outlast a crash of the machine.
	Loose
	// Private means that only the user may read the file.
	Private
)

// writing is held for reading while a file is written, and for good by Stop.
var writing sync.RWMutex

// Stop waits until no file is half written, and lets no other be begun. It is for a program that
// ends in the middle of its work.
func Stop() { writing.Lock() }

// Write writes a file. One that is replaced keeps its permissions.
func Write(path string, text []byte, mode Mode) error {
	to, old, err := target(path, mode)
	if err != nil {
		return err
	}
	if old != nil && !old.Mode().IsRegular() {
		return pour(to, text, 0)
	}
	writing.RLock()
	defer writing.RUnlock()
	if old != nil && mode&Named != 0 && names(old) > 1 {
		return about(path, pour(to, text, os.O_TRUNC))
	}
	return about(path, replace(to, old, text, mode))
}

// about gives the first error the path that the caller knows: that of the temporary file means
// nothing to anybody.
func about(path string, err error) error {
	var at *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &at):
		return &fs.PathError{Op: at.Op, Path: path, Err: at.Err}
	case errors.As(err, &link):
		return &fs.PathError{Op: link.Op, Path: path, Err: link.Err}
	}
	return err
}

// Try fails if Write would fail for a reason that does not depend on the text. It leaves no trace.
func Try(path string, mode Mode) error {
	to, old, err := target(path, mode)
	if err != nil || old != nil && !old.Mode().IsRegular() {
		return err
	}
	f, err := temporary(to, mode)
	if err == nil {
		err = errors.Join(f.Close(), system.Remove(f.Name()))
	}
	return about(path, err)
}

// target is the file to be written, and what is there now; nil if nothing is.
func target(path string, mode Mode) (string, fs.FileInfo, error) {
	if mode&New != 0 {
		if _, err := system.Lstat(path); err == nil {
			return "", nil, &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
		}
		return path, nil, nil
	}
	if mode&Named == 0 {
		return unnamed(path)
	}
	old, err := system.Stat(path)
	switch {
	case err == nil && old.IsDir():
		return "", nil, &fs.PathError{Op: "write", Path: path, Err: errors.New("it is a directory")}
	case err == nil && old.Mode().IsRegular():
		if path, err = filepath.EvalSymlinks(path); err == nil {
			err = writable(path)
		}
		return path, old, err
	case err == nil:
		return path, old, nil
	case errors.Is(err, fs.ErrNotExist):
		path, err = dangling(path)
		return path, nil, err
	}
	return "", nil, err
}

// writable fails if a file must not be written to, though its folder may.
func writable(path string) error {
	f, err := system.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// unnamed is target for a name that the program made up.
func unnamed(path string) (string, fs.FileInfo, error) {
	old, err := system.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return path, nil, nil
	case err != nil:
		return "", nil, err
	case old.Mode().IsRegular():
		return path, old, writable(path)
	case old.Mode().Type() == fs.ModeSymlink:
		return path, nil, nil
	}
	return "", nil, &fs.PathError{Op: "replace", Path: path, Err: errors.New("it is no regular file")}
}

// dangling is the place for a file that does not exist: where a symbolic link leads to, or the path
// itself.
func dangling(path string) (string, error) {
	const most = 40 // links, as in Linux
	for range most {
		to, err := system.Readlink(path)
		if err != nil {
			return path, nil
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
	}
	return "", &fs.PathError{Op: "write", Path: path, Err: errors.New("too many symbolic links")}
}

// pour writes into a file that is not to be replaced. If that is no regular file, it may take as
// long as its reader does.
func pour(path string, text []byte, flag int) error {
	f, err := system.OpenFile(path, os.O_WRONLY|flag, 0)
	if err != nil {
		return err
	}
	if _, err = f.Write(text); err == nil && flag != 0 {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// replace puts a new file in the place of the old one, if there is one.
func replace(path string, old fs.FileInfo, text []byte, mode Mode) error {
	f, err := temporary(path, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err == nil && old != nil {
		keepOwner(f, old)
		err = f.Chmod(old.Mode().Perm())
	}
	if err == nil && mode&Loose == 0 {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = place(f.Name(), path, mode)
	}
	if err == nil && mode&Loose == 0 {
		sweep(path)
		err = SyncFolder(filepath.Dir(path))
	}
	if err != nil {
		_ = system.Remove(f.Name()) // what went wrong first is what counts
	}
	return err
}

// prefix is what the names of files begin with that are to take the place of path.
func prefix(path string) string {
	const longest = 100 // names may have 255 bytes
	return fmt.Sprintf(".%.*s.", longest, filepath.Base(path))
}

// abandoned are the names of such files.
var abandoned = regexp.MustCompile(`^\..*\.[A-Z2-7]{26}\.part$`)

// Abandoned reports whether a file has the name of one that was to take the place of another, and
// was left behind if it is old: the program was killed.
func Abandoned(path string) bool { return abandoned.MatchString(filepath.Base(path)) }

// sweep removes what was left behind a day ago or more of a file that has been written now. That it
// may fail does no harm.
func sweep(path string) {
	dir := filepath.Dir(path)
	list, _ := system.ReadDir(dir)
	for _, e := range list {
		if !strings.HasPrefix(e.Name(), prefix(path)) || !Abandoned(e.Name()) {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > 24*time.Hour {
			_ = system.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// temporary makes the file that is to take the place of path.
func temporary(path string, mode Mode) (Handle, error) {
	name := filepath.Join(filepath.Dir(path), prefix(path)+rand.Text()+".part")
	perm := fs.FileMode(0o666)
	if mode&Private != 0 {
		perm = 0o600
	}
	return system.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
}

// place gives a complete file its name.
func place(from, to string, mode Mode) error {
	if mode&New == 0 {
		return system.Rename(from, to)
	}
	err := system.Link(from, to)
	if err == nil {
		return system.Remove(from)
	}
	if is, taken := system.Lstat(to); taken == nil {
		// NFS may repeat a call that was done, and say that the name is taken: by this very file.
		if ours, failed := system.Lstat(from); failed == nil && os.SameFile(is, ours) {
			return system.Remove(from)
		}
		return &fs.PathError{Op: "create", Path: to, Err: fs.ErrExist}
	}
	return system.Rename(from, to) // a file system without links
}

// scratch is what the names of folders for files that nobody else needs begin with.
const scratch = "mancheck-task-"

// Scratch makes a folder for files that nobody else needs, in the system's folder for such, and
// returns what removes it. Folders that programs left behind that were killed a week ago or more
// are removed, too.
func Scratch() (path string, remove func(), err error) {
	abandonedScratch.Do(removeScratch)
	path, err = os.MkdirTemp("", scratch)
	return path, func() { _ = os.RemoveAll(path) }, err
}

var abandonedScratch sync.Once

// removeScratch removes what was left behind. That it may fail does no harm.
func removeScratch() {
	list, _ := os.ReadDir(os.TempDir())
	for _, e := range list {
		if !strings.HasPrefix(e.Name(), scratch) || !e.IsDir() {
			continue
		}
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > 7*24*time.Hour {
			_ = os.RemoveAll(filepath.Join(os.TempDir(), e.Name()))
		}
	}
}
