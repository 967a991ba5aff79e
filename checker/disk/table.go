package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mancheck/mancheck/checker/sorted"
	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/file"
)

// suffix ends the names of tables.
const suffix = ".keys"

// nameOf returns the name of a table.
func nameOf(f sorted.File) string { return fmt.Sprintf("%010d%s", f.Number, suffix) }

// openTable opens a table of keys of w words.
func openTable(dir string, f sorted.File, w int) (*sorted.Table, error) {
	from, err := depot.Folder(dir).Open(context.Background(), nameOf(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &sorted.CorruptError{File: nameOf(f), Detail: "it is missing"}
	}
	if err != nil {
		return nil, err
	}
	return sorted.Open(from, nameOf(f), f, w)
}

// writeTable creates a table, which fill writes. Without keys there is none, and Size is 0.
func (s *Store) writeTable(use *sorted.Lease, fill func(*sorted.Writer) error) (sorted.File, error) {
	f := sorted.File{Number: s.number()}
	name := filepath.Join(s.dir, nameOf(f))
	to, err := file.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return f, err
	}
	w := sorted.NewWriter(to, f.Number, s.shape, s.writing, use)
	if err = fill(w); err == nil {
		f, err = w.Finish()
	}
	if closed := to.Close(); err == nil {
		err = closed
	}
	if err != nil || f.Keys == 0 {
		_ = file.Remove(name) // the first error is reported
	}
	return f, err
}
