// Package input turns what stands on a command line into what the tool works on: paths into
// declarations, a variant and its parameters into a System, a list of moves into moves.
//
//	reader.go    bytes of files and of standard input
//	scope.go     where imports may lead
//	file.go      a .sow file with its imports, the Systems of its variants, and its claims
//	start.go     the start of a game
//	settings.go  -p NAME=VALUE, and -p NAME=VALUES
//	moves.go     lists of moves
package input

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/mancheck/mancheck/dsl"
	"github.com/mancheck/mancheck/internal/file"
)

// Stdin is the path that stands for standard input.
const Stdin = "-"

// Reader reads files, and remembers the sources that diagnostics quote. Standard input is read
// once.
type Reader struct {
	Sources map[string][]byte
	Allowed []string                                 // folders that may be imported from, besides those that always may
	Only    []string                                 // folders that imports have to be in besides; nil: any
	Context context.Context                          // ends the resolution of what was read; may be nil
	Unsaved func(path string) (text []byte, is bool) // what an editor has in the place of a file; may be nil
	Through func(root string, open Opener) Opener    // stands between a rules file and what it opens; may be nil
	stdin   io.Reader
	typed   []byte // what came from standard input, once it was read
	asked   bool   // standard input was read
}

// Opener opens a file for a rules file, by the path that this gives it.
type Opener = func(path string) ([]byte, error)

// NewReader makes a Reader whose standard input is stdin.
func NewReader(stdin io.Reader) *Reader {
	return &Reader{Sources: map[string][]byte{}, stdin: stdin}
}

// Again is the text of a file that was read before, as it was then.
func (r *Reader) Again(path string) ([]byte, error) {
	if text, is := r.Sources[path]; is {
		return text, nil
	}
	return nil, fs.ErrNotExist
}

// Open reads one regular file. Of a file that is too large for a rules file it reads no more than
// shows that.
func (r *Reader) Open(path string) ([]byte, error) {
	if path == Stdin {
		return r.standardInput()
	}
	if text, is := r.unsaved(path); is {
		return text, nil
	}
	f, err := file.Open(path)
	if err != nil {
		return nil, Reason(err)
	}
	defer f.Close()
	src, err := limited(f)
	return src, Reason(err)
}

func (r *Reader) unsaved(path string) ([]byte, bool) {
	if r.Unsaved == nil {
		return nil, false
	}
	return r.Unsaved(filepath.Clean(path))
}

// Imports opens the rules file at root, and what it may import.
func (r *Reader) Imports(root string) Opener {
	if r.Through != nil {
		return r.Through(root, r.imports(root))
	}
	return r.imports(root)
}

func (r *Reader) imports(root string) Opener {
	var from scope
	return func(path string) ([]byte, error) {
		if path == root {
			return r.Open(path)
		}
		if from == nil {
			from = newScope(root, r.Allowed)
		}
		real, err := from.find(path)
		if err == nil {
			err = r.inside(real)
		}
		text, is := r.unsaved(path)
		switch outside := (*OutsideError)(nil); {
		case is && !errors.As(err, &outside): // it may be a file that is not saved yet
			return text, nil
		case err != nil:
			return nil, err
		}
		return r.Open(real)
	}
}

// inside fails for a file that is in none of the folders that imports have to be in.
func (r *Reader) inside(path string) error {
	if r.Only == nil {
		return nil
	}
	var folders scope
	for _, dir := range r.Only {
		if dir, err := realPath(dir); err == nil {
			folders = append(folders, dir)
		}
	}
	if !folders.holds(path) {
		return errElsewhere
	}
	return nil
}

// Stream opens a file that may be large.
func (r *Reader) Stream(path string) (io.ReadCloser, error) {
	if path == Stdin {
		return io.NopCloser(r.stdin), nil
	}
	f, err := file.Open(path)
	if err != nil {
		return nil, Reason(err)
	}
	return f, nil
}

func (r *Reader) standardInput() ([]byte, error) {
	if r.asked {
		return r.typed, nil
	}
	r.asked = true
	src, err := limited(r.stdin)
	r.typed = src
	return src, Reason(err)
}

// limited reads at most one byte more than a rules file may have.
func limited(from io.Reader) ([]byte, error) {
	return io.ReadAll(io.LimitReader(from, dsl.MaxSize+1))
}

// Reason drops the path from an error, which the diagnostic names already.
func Reason(err error) error {
	if at, is := errors.AsType[*fs.PathError](err); is {
		return at.Err
	}
	return err
}
