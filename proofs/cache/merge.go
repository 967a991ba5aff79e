package cache

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/mancheck/mancheck/internal/file"
)

// Merged counts the entries of a folder that was merged into a store.
type Merged struct {
	Added   int // entries that the store did not have
	Known   int // entries that it had just like this
	Kept    int // entries that it had otherwise, and kept
	Old     int // entries of another version of the format, which nobody would find
	Damaged int // files that are no entries
}

// Merge puts the entries of another folder into the store as they are: with the marks of those who
// made them. So who believes an entry does not change, and each is checked when it is asked for, as
// any other. An entry that the store has is kept; warn is called with each file that is damaged.
// The error is one of reading the folder, or of writing.
func (s *Store) Merge(ctx context.Context, from string, warn func(error)) (m Merged, err error) {
	files, err := entriesIn(from)
	if err != nil {
		return m, err
	}
	for _, path := range files {
		if ctx.Err() != nil {
			return m, context.Cause(ctx)
		}
		if err := s.take(path, &m, warn); err != nil {
			return m, err
		}
	}
	return m, nil
}

// entriesIn lists the files of a store by name.
func entriesIn(dir string) (files []string, err error) {
	folders, err := file.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, f := range folders {
		if b, err := hex.DecodeString(f.Name()); !f.IsDir() || err != nil || len(b) != 1 {
			continue
		}
		at := filepath.Join(dir, f.Name())
		list, err := file.ReadDir(at)
		if err != nil {
			return nil, err
		}
		for _, e := range list {
			if path := filepath.Join(at, e.Name()); !file.Abandoned(path) {
				files = append(files, path)
			}
		}
	}
	return files, nil
}

// keyAt is the key whose entry has this path.
func keyAt(path string) (k Key, ok bool) {
	dir, name := filepath.Split(path)
	b, err := hex.DecodeString(filepath.Base(dir) + name)
	return k, err == nil && copy(k[:], b) == len(b) && len(b) == len(k)
}

// take puts one entry into the store.
func (s *Store) take(path string, m *Merged, warn func(error)) error {
	k, data, err := s.entry(path)
	switch {
	case errors.Is(err, errOld):
		m.Old++
	case err != nil:
		m.Damaged++
		warn(err)
	default:
		return s.add(k, data, m)
	}
	return nil
}

var errOld = errors.New("an entry of another version")

// entry reads an entry as it is. It fails if nobody would believe it.
func (s *Store) entry(path string) (k Key, data []byte, err error) {
	if data, err = read(path); err != nil {
		return k, nil, err
	}
	k, named := keyAt(path)
	version, is := bytes.CutPrefix(data, []byte(formatName))
	if named && is && !bytes.HasPrefix(version, []byte(formatVersion+"\n")) {
		return k, nil, errOld
	}
	if _, _, err := s.unseal(k, data); err != nil || !named {
		return k, nil, fmt.Errorf("%s: %w", path, errDamaged)
	}
	return k, data, nil
}

// add writes an entry, if there is none.
func (s *Store) add(k Key, data []byte, m *Merged) error {
	if err := file.MkdirAll(filepath.Dir(s.Path(k)), 0o777); err != nil {
		return err
	}
	switch err := file.Write(s.Path(k), data, file.New|file.Loose); {
	case err == nil:
		m.Added++
		return nil
	case !errors.Is(err, fs.ErrExist):
		return err
	}
	_, there, err := s.entry(s.Path(k))
	switch {
	case err == nil && bytes.Equal(there, data):
		m.Known++
	case err == nil:
		m.Kept++
	default: // what is damaged is as good as missing
		if err := file.Write(s.Path(k), data, file.Loose); err != nil {
			return err
		}
		m.Added++
	}
	return nil
}
