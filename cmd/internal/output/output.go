// Package output writes files that the command line asks for.
package output

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/plain"
)

// Dir is a folder that files are put into. It is made when the first one is.
type Dir struct {
	Path   string
	Prefix string // of all names
	Force  bool   // replace files
}

// Write writes a file and gives its path. A file that is there already must be the same.
func (d Dir) Write(name string, text []byte) (string, error) {
	path := filepath.Join(d.Path, d.Prefix+name)
	if err := file.MkdirAll(d.Path, 0o777); err != nil {
		return "", err
	}
	if d.Force {
		return path, file.Write(path, text, 0)
	}
	err := file.Write(path, text, file.New)
	if errors.Is(err, fs.ErrExist) {
		return path, same(path, text)
	}
	return path, err
}

// same fails if the file holds something else.
func same(path string, text []byte) error {
	info, err := file.Lstat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &KeptError{path + " is no regular file: it is left as it is"}
	}
	old, err := file.Read(path)
	if err != nil {
		return err
	}
	if !bytes.Equal(old, text) {
		return &KeptError{path + " exists and is different; --force replaces it"}
	}
	return nil
}

// Base is the name that files made from the file at path have in common: its own without the
// ending.
func Base(path, ending string) string {
	if path == "-" {
		return "stdin"
	}
	return strings.TrimSuffix(filepath.Base(path), ending)
}

// File is a file that the user named for the output of a command.
type File struct {
	Path  string            // empty: standard output
	Force bool              // replace whatever there is
	Own   func([]byte) bool // whether a file is an earlier output of the command, which may be replaced; nil: none is known
}

// Free fails if the file may not be replaced, or cannot be written. It serves to tell so before a
// long search.
func (f File) Free() error {
	if f.Path == "" {
		return nil
	}
	return advised(f.Path, file.Try(f.Path, f.mode()))
}

// Write writes the file, or else to standard output.
func (f File) Write(stdout io.Writer, text []byte) error {
	if f.Path == "" {
		_, err := stdout.Write(text)
		return err
	}
	return advised(f.Path, file.Write(f.Path, plain.Text(text), f.mode()))
}

// mode lets a device or pipe be written to, which loses nothing by it.
func (f File) mode() file.Mode {
	info, err := file.Stat(f.Path)
	switch {
	case f.Force, err == nil && !info.Mode().IsRegular() && !info.IsDir():
		return file.Named
	case err == nil && info.Mode().IsRegular() && f.Own != nil:
		if old, err := file.Read(f.Path); err == nil && f.Own(old) {
			return file.Named
		}
	}
	return file.New
}

// advised says how a file can be replaced that is there already.
func advised(path string, err error) error {
	if errors.Is(err, fs.ErrExist) {
		return &KeptError{path + " exists; --force replaces it"}
	}
	return err
}

// KeptError is that a file is there already, and was not replaced.
type KeptError struct{ text string }

func (e *KeptError) Error() string { return e.text }
