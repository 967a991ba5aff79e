package output

import (
	"errors"
	"io"
	"io/fs"

	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/plain"
)

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
