package endgame

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

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
// early if the context does, and can be called again. Errors are those of Build, of the file
// system, and an *OtherError if what was begun is a table for another game.
func Create(ctx context.Context, path string, sys *rules.System, seeds int, p value.Payoff, opts Options) error {
	b, err := newBuilder(ctx, sys, seeds, p, opts)
	if err != nil {
		return err
	}
	defer b.free()
	return drafted(path, func(f file.Handle, partial string) error {
		d := &draft{builder: b, file: f, path: partial, id: b.identity()}
		d.header = headerSize(&d.id)
		if err := d.resume(); err != nil {
			return err
		}
		for s := len(b.layers); s <= seeds; s++ {
			if err := d.add(s); err != nil {
				if errors.As(err, new(*CycleError)) { // there will be no table
					err = errors.Join(err, file.Remove(partial))
				}
				return err
			}
		}
		return d.finish()
	})
}

// drafted has a table written to its file as long as it is not finished, which no other process
// uses then, and gives the file its name.
func drafted(path string, write func(f file.Handle, partial string) error) (err error) {
	partial := path + partialSuffix
	f, err := file.Lock(partial)
	if errors.Is(err, file.ErrLocked) {
		return fmt.Errorf("%s: %w: a table is being built there", partial, err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := write(f, partial); err != nil {
		return err
	}
	if err := file.Rename(partial, path); err != nil {
		return err
	}
	return file.SyncFolder(filepath.Dir(path))
}

// draft is a table that is not finished.
type draft struct {
	*builder
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
	var id Identity
	switch ok, err := d.read(d.lines(), int(d.header), &id); {
	case err != nil:
		return err
	case !ok:
		if complete, err := d.complete(); complete || err != nil {
			return err
		}
		return d.begin()
	}
	if reason := id.differs(&d.id); reason != "" {
		return &OtherError{d.path, reason + "; remove it to begin another"}
	}
	for s := range d.Seeds() + 1 {
		var l Layer
		if ok, err := d.read(d.line(s), lineSize, &l); !ok || err != nil {
			return err
		}
		if ok, err := d.load(s, l.Checksum); !ok || err != nil {
			return err
		}
		d.layers = append(d.layers, l)
	}
	return nil
}

// complete reports whether only the name of the file is missing.
func (d *draft) complete() (bool, error) {
	f, err := Open(d.path)
	if damaged := (*DamagedError)(nil); errors.As(err, &damaged) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer func() { _ = f.Close() }()
	if reason := f.differs(&d.id); reason != "" {
		return false, &OtherError{d.path, reason + "; remove it to begin another"}
	}
	if err := f.load(); err != nil {
		return false, err
	}
	left := len(d.futures)
	f.memory.Each(f.begin, f.memory.Len(), func(part []byte) { copy(d.futures[len(d.futures)-left:], part); left -= len(part) })
	for s, l := range f.Layers {
		if d.Table.layer(s).checksum() != l.Checksum {
			return false, nil
		}
	}
	d.layers = f.Layers
	return true, nil
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

// load reads the futures of a layer; ok is false if they have another checksum.
func (d *draft) load(seeds int, checksum string) (ok bool, err error) {
	l := d.Table.layer(seeds)
	l.eachRange(func(first, end uint64) {
		_, failed := d.file.ReadAt(d.futures[first:end], d.header+int64(first))
		err = errors.Join(err, failed)
	})
	return l.checksum() == checksum, err
}

// add builds a layer and writes it, and then its line.
func (d *draft) add(seeds int) error {
	if err := d.builder.layer(seeds); err != nil {
		return err
	}
	var err error
	l := d.Table.layer(seeds)
	l.eachRange(func(first, end uint64) {
		_, failed := d.file.WriteAt(d.futures[first:end], d.header+int64(first))
		err = errors.Join(err, failed)
	})
	if err = errors.Join(err, d.file.Sync()); err != nil {
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
