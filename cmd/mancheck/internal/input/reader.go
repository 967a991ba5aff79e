// Package input turns what stands on a command line into what the tool works on: paths into declarations, a
// variant and its parameters into a System, a list of moves into moves.
//
//	reader.go    bytes of files and of standard input
//	file.go      a .sow file with its imports, and the Systems of its variants
//	settings.go  -p NAME=VALUE
//	moves.go     lists of moves
package input

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/mancheck/mancheck/dsl"
)

// Stdin is the path that stands for standard input.
const Stdin = "-"

// Reader reads files, and remembers the sources that diagnostics quote. Standard input is read once.
type Reader struct {
	Sources map[string][]byte
	stdin   io.Reader
	typed   []byte // what came from standard input, once it was read
	asked   bool   // standard input was read
}

// NewReader makes a Reader whose standard input is stdin.
func NewReader(stdin io.Reader) *Reader {
	return &Reader{Sources: map[string][]byte{}, stdin: stdin}
}

// Open reads one file. Of a file that is too large for a rules file it reads no more than shows that.
func (r *Reader) Open(path string) ([]byte, error) {
	if path == Stdin {
		return r.standardInput()
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, Reason(err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, errors.New("it is a directory")
	}
	src, err := limited(f)
	return src, Reason(err)
}

// Stream opens a file that may be large.
func (r *Reader) Stream(path string) (io.ReadCloser, error) {
	if path == Stdin {
		return io.NopCloser(r.stdin), nil
	}
	f, err := os.Open(path)
	return f, Reason(err)
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
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
