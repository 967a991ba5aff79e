package file

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// ErrChanged says that a file was written to while it was read: what was read may never have been
// its contents.
var ErrChanged = errors.New("it was changed while it was read")

// Open opens a regular file for reading. Anything else is an error at once: a pipe could keep the
// program waiting, and to open a device may do something. Read ends with ErrChanged, and not with
// io.EOF, if the file is not as it was when it was opened.
func Open(path string) (Handle, error) {
	info, err := system.Stat(path)
	if err == nil {
		err = Regular(path, info)
	}
	if err != nil {
		return nil, err
	}
	// It may have become a pipe since.
	f, err := system.OpenFile(path, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil {
		err = Regular(path, info)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &steady{Handle: f, was: info}, nil
}

// steady is a file that must not change.
type steady struct {
	Handle
	was  fs.FileInfo
	read int64
}

func (f *steady) Read(b []byte) (int, error) {
	n, err := f.Handle.Read(b)
	f.read += int64(n)
	if !errors.Is(err, io.EOF) || f.was.Size() == 0 { // the system's own files have no size
		return n, err
	}
	is, failed := f.Stat()
	switch {
	case failed != nil:
		return n, failed
	case f.read != f.was.Size(), is.Size() != f.was.Size(), !is.ModTime().Equal(f.was.ModTime()):
		return n, &fs.PathError{Op: "read", Path: f.Name(), Err: ErrChanged}
	}
	return n, err
}

// Regular fails if a path leads to something else than a regular file.
func Regular(path string, info fs.FileInfo) error {
	switch {
	case info.Mode().IsRegular():
		return nil
	case info.IsDir():
		return &fs.PathError{Op: "open", Path: path, Err: errors.New("it is a directory")}
	}
	return &fs.PathError{Op: "open", Path: path, Err: errors.New("it is no regular file")}
}

// ErrLocked says that another process, or another part of this one, has locked a file.
var ErrLocked = errors.New("another process uses it")

// Lock opens a file for reading and writing, makes it if it is missing, and locks it where the
// system can. The error is ErrLocked if somebody else has done so. The lock ends when the file is
// closed, and with the process, however that ends.
func Lock(path string) (Handle, error) {
	for {
		f, err := system.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		err = flock(f)
		if err == nil {
			if same, err := still(f, path); same {
				return f, nil
			} else if err != nil {
				return nil, errors.Join(err, f.Close())
			}
		}
		_ = f.Close() // nothing was written
		if err != nil {
			return nil, err
		}
	}
}

// still reports whether an open file has its path. Whoever had locked it before may have given it
// another name, or removed it.
func still(f Handle, path string) (bool, error) {
	is, err := f.Stat()
	if err != nil {
		return false, err
	}
	at, err := system.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil && os.SameFile(is, at), err
}
