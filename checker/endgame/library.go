package endgame

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// Source says which file a table is. Who trusts the table trusts that file.
type Source struct {
	File   string `json:"file"`
	Seeds  int    `json:"seeds"`
	SHA256 string `json:"sha256"` // of the file, in hexadecimal
}

// String names the table.
func (s Source) String() string {
	return fmt.Sprintf("the endgame table %s, SHA-256 %s", s.File, s.SHA256)
}

// Library is the tables in a folder, or one table. Its methods may be called at the same time. A
// nil Library has no tables.
type Library struct {
	path   string
	single bool
	files  []*File // the largest table first
}

// OpenLibrary opens the tables in a folder, or one table. Other files in a folder, and tables that
// are not finished, are left out. Errors are those of Open.
func OpenLibrary(path string) (*Library, error) {
	info, err := file.Stat(path)
	if err != nil {
		return nil, err
	}
	l := &Library{path: path}
	if !info.IsDir() {
		f, err := Open(path)
		l.single, l.files = true, []*File{f}
		return l, err
	}
	entries, err := file.ReadDir(path)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		name := filepath.Join(path, e.Name())
		info, err := file.Stat(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) { // a link to nowhere is no table
			return nil, errors.Join(err, l.Close())
		}
		if err != nil || !info.Mode().IsRegular() || strings.HasSuffix(name, partialSuffix) {
			continue
		}
		f, err := Open(name)
		if damaged, is := errors.AsType[*DamagedError](err); is && damaged.Foreign {
			continue
		}
		if err != nil {
			return nil, errors.Join(err, l.Close())
		}
		l.files = append(l.files, f)
	}
	slices.SortStableFunc(l.files, func(a, b *File) int { return cmp.Compare(b.Seeds, a.Seeds) })
	return l, nil
}

// Path is the folder, or the table.
func (l *Library) Path() string { return l.path }

// One reports whether it is one table, and no folder.
func (l *Library) One() bool { return l.single }

// Close closes the tables, which must not be used after that.
func (l *Library) Close() error {
	if l == nil {
		return nil
	}
	errs := lists.Map(l.files, (*File).Close)
	l.files = nil
	return errors.Join(errs...)
}

// Err fails if what was looked up in a table is no longer what it was when it was opened.
func (l *Library) Err() error {
	return errors.Join(lists.Map(l.files, (*File).Err)...)
}

// Find returns the largest table for a game. It is nil if there is none; Refusals says why. Errors
// are those of File.Table, but no *OtherError.
func (l *Library) Find(ctx context.Context, sys *rules.System, p value.Payoff) (*Table, error) {
	b := l.find(sys, p)
	if b == nil {
		return nil, nil
	}
	return b.open(ctx, sys, p)
}

// Source says which file has the table that Find would return. ok is false if there is none.
func (l *Library) Source(sys *rules.System, p value.Payoff) (s Source, ok bool) {
	b := l.find(sys, p)
	if b == nil {
		return Source{}, false
	}
	return b.source(), true
}

// Sources lists the tables for a game of this name, with any rules.
func (l *Library) Sources(system string) []Source {
	if l == nil {
		return nil
	}
	own := lists.Filter(l.files, func(b *File) bool { return b.System == system })
	return lists.Map(own, (*File).source)
}

// Refusals says why tables for a game of the same name are not for this one. They are *OtherErrors.
func (l *Library) Refusals(sys *rules.System, p value.Payoff) []error {
	var list []error
	for _, b := range l.files {
		if err := b.suits(sys, p); err != nil && (l.single || b.System == sys.Name) {
			list = append(list, err)
		}
	}
	return list
}

func (l *Library) find(sys *rules.System, p value.Payoff) *File {
	if l == nil {
		return nil
	}
	return lists.Find(l.files, func(b *File) bool { return b.suits(sys, p) == nil })
}

// source says which file it is. One that cannot be read has no digest: Find says why.
func (f *File) source() Source {
	s := Source{File: f.path, Seeds: f.Seeds}
	if f.load() == nil {
		s.SHA256 = hex.EncodeToString(f.memory.Sum[:])
	}
	return s
}

// open returns the table.
func (f *File) open(ctx context.Context, sys *rules.System, p value.Payoff) (*Table, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.table != nil {
		return f.table, nil
	}
	t, err := f.Table(ctx, sys, p)
	if other := (*OtherError)(nil); errors.As(err, &other) { // the header said that it suits
		err = &DamagedError{Path: f.path, Reason: fmt.Sprintf("its header is wrong: %s", other.Reason)}
	}
	if err != nil {
		return nil, err
	}
	f.table = t
	return t, nil
}

// Source says which file of a library the table is.
func (t *Table) Source() Source { return t.file.source() }

// Each calls look with each live position that has so many seeds in play, and its future: what the
// first player still wins from there on. known is false if the table has none. Pits whose seeds are
// out of play are empty. It ends early with an error of look, that of the context, or one of
// reading the table.
func (t *Table) Each(ctx context.Context, seeds int, look func(st rules.State, future int, known bool) error) error {
	w, l := newWorker(ctx, t), t.whole(seeds)
	for unit := range l.units() {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := w.each(l, unit, func(_ uint64, key []uint64) error {
			f := l.futureOf(w, key)
			return look(w.positions.State(key), f, f != value.NoFuture)
		})
		if err != nil {
			return err
		}
	}
	return t.Err()
}

// Pits lists the pits whose seeds are in play.
func (t *Table) Pits() []int { return t.positions.Pits() }
