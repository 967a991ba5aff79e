package disk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/checker/sorted"
	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/lists"
)

const (
	manifestName = "manifest"
	lockName     = "lock"
)

// run is a list of ascending keys without duplicates. It is in files, each of which has greater
// keys than the one before.
type run struct {
	Files []sorted.File `json:",omitempty"`
}

// keys returns the number of keys.
func (r run) keys() int64 {
	return lists.Sum(r.Files, func(f sorted.File) int64 { return f.Keys })
}

// known is a run with the keys of one or more levels.
type known struct {
	run
	// Level is the level that the run is, or -1 if it has several.
	Level int
}

// manifest describes the contents of a Store. In the file, a checksum comes before the text.
type manifest struct {
	Format   int
	Identity string
	Words    int
	Next     int64   // the last number given to a file
	Levels   []run   // by level
	Known    []known // together they have all keys of all levels
	Pending  []run   // candidates for the next level
	State    json.RawMessage
}

// castagnoli is the polynomial of the checksum.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// format is the version of the format of manifest and tables.
const format = 1

// IdentityError is the error for a folder that belongs to another search.
type IdentityError struct{ Have, Want string }

func (e *IdentityError) Error() string {
	return fmt.Sprintf("the folder holds the states of another search: %s instead of %s", e.Have, e.Want)
}

// files yields every file, once.
func (m *manifest) files(yield func(sorted.File) bool) {
	seen := map[int64]bool{}
	for _, r := range slices.Concat(m.Levels, m.runsKnown(), m.Pending) {
		for _, f := range r.Files {
			if !seen[f.Number] && !yield(f) {
				return
			}
			seen[f.Number] = true
		}
	}
}

func (m *manifest) runsKnown() []run { return lists.Map(m.Known, func(k known) run { return k.run }) }

// save replaces the manifest on the disk atomically.
func (m *manifest) save(dir string) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	text = fmt.Appendf(nil, "%08x %s\n", crc32.Checksum(text, castagnoli), text)
	return file.Write(filepath.Join(dir, manifestName), text, 0)
}

// loadManifest reads the manifest. It returns nil if there is none.
func loadManifest(dir string) (*manifest, error) {
	text, err := file.Read(filepath.Join(dir, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	sum, text, _ := bytes.Cut(text, []byte(" "))
	text, ended := bytes.CutSuffix(text, []byte("\n"))
	if !ended || string(sum) != fmt.Sprintf("%08x", crc32.Checksum(text, castagnoli)) {
		return nil, &sorted.CorruptError{File: manifestName, Detail: "it has the wrong checksum"}
	}
	m := &manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, &sorted.CorruptError{File: manifestName, Detail: err.Error()}
	}
	return m, nil
}

// clean removes files that are not in the manifest: those that it no longer needs, and those that a
// kill left behind.
func (m *manifest) clean(dir string) error {
	keep := map[string]bool{}
	for f := range m.files {
		keep[nameOf(f)] = true
	}
	entries, err := file.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if name := e.Name(); isTable(name) && !keep[name] || file.Abandoned(name) {
			if err := file.Remove(filepath.Join(dir, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// isTable reports whether a file name is that of a table.
func isTable(name string) bool {
	digits, is := strings.CutSuffix(name, suffix)
	return is && len(digits) >= 10 && strings.Trim(digits, "0123456789") == ""
}

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
