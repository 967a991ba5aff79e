// Package output writes files that the command line asks for.
package output

import (
	"bytes"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/mancheck/mancheck/internal/file"
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
