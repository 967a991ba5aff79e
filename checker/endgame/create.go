package endgame

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/zeebo/xxh3"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/rules"
)

// A table that is not finished is in a file of its own. It has room for the header, then the
// futures, and then lines: the identity, and one for each layer, written when the layer is on the
// disk. What has no such line, or not the checksum in it, is built again. When all layers are there
// the header is written, the lines are cut off, and the file gets its name.

// partialSuffix is added to the name of a table that is not finished.
const partialSuffix = ".partial"

// Create builds a table in a file, which it replaces, or goes on with one that was begun. It ends
// early if the context does, and can be called again. The table is the same for any number of
// threads. An error is a *value.NoTablesError or *CycleError if there is none, a *MemoryError or
// *rules.LimitError, that of the context or of the file system, and an *OtherError if what was
// begun is a table for another game.
func Create(ctx context.Context, path string, sys *rules.System, seeds int, p value.Payoff, opts Options) error {
	b, err := newBuilder(ctx, sys, seeds, p, opts)
	if err != nil {
		return err
	}
	defer b.free()
	return drafted(path, b.Table, func(d *draft) error {
		err := d.resume()
		for s := len(b.layers); s <= seeds && err == nil; s++ {
			if err = b.layer(s); err == nil {
				err = d.add(s)
			}
		}
		if errors.As(err, new(*CycleError)) { // there will be no table
			err = errors.Join(err, file.Remove(d.path))
		}
		return err
	})
}

// drafted has a table written to its file as long as it is not finished, which no other process
// uses then, and gives the file its name.
func drafted(path string, t *Table, write func(d *draft) error) (err error) {
	d := &draft{Table: t, path: path + partialSuffix, id: t.identity()}
	d.header = headerSize(&d.id)
	if d.file, err = Lock(d.path, d.path); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.file.Close()) }()
	if err := write(d); err != nil {
		return err
	}
	if err := d.finish(); err != nil {
		return err
	}
	if err := file.Rename(d.path, path); err != nil {
		return err
	}
	return file.SyncFolder(filepath.Dir(path))
}

// Lock locks a file while a table is built in a place.
func Lock(path, place string) (file.Handle, error) {
	h, err := file.Lock(path)
	if errors.Is(err, file.ErrLocked) {
		err = fmt.Errorf("%s: %w: a table is being built there", place, err)
	}
	return h, err
}

// draft is a table that is not finished.
type draft struct {
	*Table
	file   file.Handle
	path   string
	id     Identity
	header int64
}

// lines is where the lines begin, and line where that of a layer is.
func (d *draft) lines() int64         { return d.header + d.Bytes() }
func (d *draft) line(seeds int) int64 { return d.lines() + d.header + int64(seeds)*lineSize }

// resume reads the layers that are there.
func (d *draft) resume() error {
	var h Header
	begun, err := d.read(d.lines(), int(d.header), &h.Identity)
	if !begun && err == nil { // maybe only the name of the file is missing
		f, err := Open(d.path)
		if errors.As(err, new(*DamagedError)) {
			return d.begin()
		}
		if err != nil {
			return err
		}
		h = f.Header
		if err := f.Close(); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	if reason := h.differs(&d.id); reason != "" {
		return &OtherError{d.path, reason + "; remove it to begin another"}
	}
	for s := range d.Seeds() + 1 {
		var l Layer
		if !begun {
			l = h.Layers[s]
		} else if ok, err := d.read(d.line(s), lineSize, &l); !ok || err != nil {
			return err
		}
		err := d.each(s, d.file.ReadAt)
		if same := d.layer(s).checksum() == l.Checksum; !same && !begun && err == nil {
			d.layers = nil
			return d.begin()
		} else if !same || err != nil {
			return err
		}
		d.layers = append(d.layers, l)
	}
	return nil
}

// begin makes the file that of a table of which nothing is known. There must be nothing in it, or
// something that was begun for this table.
func (d *draft) begin() error {
	if err := d.mine(); err != nil {
		return err
	}
	if err := d.file.Truncate(d.line(d.Seeds() + 1)); err != nil {
		return err
	}
	if _, err := d.file.WriteAt(seal(d.id), d.lines()); err != nil {
		return err
	}
	return errors.Join(d.file.Sync(), file.SyncFolder(filepath.Dir(d.path)))
}

// mine fails if the file is not empty and of another size.
func (d *draft) mine() error {
	info, err := d.file.Stat()
	if err != nil {
		return err
	}
	switch info.Size() {
	case 0, d.lines(), d.line(d.Seeds() + 1):
		return nil
	}
	return &OtherError{d.path, "it is something else, or a table of another size; remove it to begin another"}
}

// read reads a line; ok is false if there is none.
func (d *draft) read(at int64, size int, v any) (ok bool, err error) {
	text := make([]byte, size)
	n, err := d.file.ReadAt(text, at)
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	return unseal(text[:n], v), nil
}

// each reads or writes the futures of a layer.
func (d *draft) each(seeds int, move func(futures []byte, at int64) (int, error)) (err error) {
	d.layer(seeds).eachRange(func(first, end uint64) {
		_, failed := move(d.futures[first:end], d.header+int64(first))
		err = errors.Join(err, failed)
	})
	return err
}

// add writes a layer, and then its line.
func (d *draft) add(seeds int) error {
	if err := errors.Join(d.each(seeds, d.file.WriteAt), d.file.Sync()); err != nil {
		return err
	}
	if _, err := d.file.WriteAt(seal(d.layers[seeds]), d.line(seeds)); err != nil {
		return err
	}
	return d.file.Sync()
}

// finish makes the file a table.
func (d *draft) finish() error {
	text := append([]byte(magic), seal(Header{d.id, d.layers})...)
	for int64(len(text)) < d.header {
		text = append(text, ' ')
	}
	if _, err := d.file.WriteAt(text, 0); err != nil {
		return err
	}
	if err := d.file.Sync(); err != nil {
		return err
	}
	if err := d.file.Truncate(d.lines()); err != nil {
		return err
	}
	return d.file.Sync()
}

// Assemble writes a table with the given futures to a file, which it replaces. The futures are
// never all in memory. layer calls put with the futures of all entries of a layer, in pieces of
// consecutive ranks, and returns the number of entries for positions from which play may go on for
// ever. Until the file is complete, it has the name of an unfinished table.
func Assemble(path string, sys *rules.System, positions *value.Positions, p value.Payoff,
	layer func(seeds int, put func(rank uint64, futures []byte) error) (cyclic uint64, err error),
) error {
	t := &Table{sys: sys, payoff: p, positions: positions}
	return drafted(path, t, func(d *draft) error {
		if err := d.mine(); err != nil {
			return err
		}
		if err := d.file.Truncate(d.header + t.Bytes()); err != nil {
			return err
		}
		for s := range t.Seeds() + 1 {
			if err := d.take(s, layer); err != nil {
				return err
			}
		}
		return nil
	})
}

// take writes a layer.
func (d *draft) take(seeds int, layer func(int, func(uint64, []byte) error) (uint64, error)) error {
	cyclic, err := layer(seeds, func(rank uint64, futures []byte) error {
		_, err := d.file.WriteAt(futures, d.header+int64(rank))
		return err
	})
	if err != nil {
		return err
	}
	l, h := d.layer(seeds), xxh3.New()
	l.eachRange(func(first, end uint64) {
		_, failed := io.Copy(h, io.NewSectionReader(d.file, d.header+int64(first), int64(end-first)))
		err = errors.Join(err, failed)
	})
	out := l.describe()
	out.Cyclic, out.Checksum = cyclic*l.images, fmt.Sprintf("%016x", h.Sum64())
	d.layers = append(d.layers, out)
	return err
}
