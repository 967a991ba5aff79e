package file

import (
	"errors"
	"io/fs"
	"os"
)

// Open opens a regular file for reading. Anything else is an error at once: a pipe could keep the
// program waiting, and to open a device may do something.
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
	return f, nil
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
