// Package depot keeps objects that are written once: a folder that several machines share, or, in a
// program built with the tag cloud, a bucket of an object store.
//
// An object has a name, in which slashes separate parts, and its bytes never change. It is there as
// a whole or not at all. Of several writers of one name the first wins, and the others are told so.
// Therefore nothing has to be locked, and work that is repeated, late or done twice does no harm.
// What is large has the hash of its bytes as its name, so that equal blocks are one object.
package depot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"strings"
)

// Depot is a place for objects. Several goroutines, processes and machines may use it. Errors are
// those of package io/fs: fs.ErrNotExist for an object that is missing, and fs.ErrExist for one
// that is there already.
type Depot interface {
	// Put makes an object of a few bytes. The error is fs.ErrExist if there is one of this name.
	Put(ctx context.Context, name string, text []byte) error

	// Get returns the bytes of an object.
	Get(ctx context.Context, name string) ([]byte, error)

	// Create begins an object whose name is not known yet.
	Create(ctx context.Context) (Draft, error)

	// Open opens an object for reading.
	Open(ctx context.Context, name string) (Object, error)

	// Size returns the number of bytes of an object.
	Size(ctx context.Context, name string) (int64, error)

	// List returns the names of the objects whose names begin with a prefix that ends in a slash,
	// in ascending order.
	List(ctx context.Context, prefix string) ([]string, error)

	// Remove removes an object, if it is there.
	Remove(ctx context.Context, name string) error

	// String is where the depot is, as Open of this package takes it.
	String() string
}

// Draft is an object that is being written.
type Draft interface {
	io.Writer

	// Keep gives the object its name. That there is one of this name already is no error: such a
	// name is that of the content.
	Keep(ctx context.Context, name string) error

	// Drop gives the object up. It does nothing after Keep.
	Drop()
}

// Object is an open object. Several goroutines may read it.
type Object interface {
	io.ReaderAt
	io.Closer
	Size() int64
}

// blocks is the prefix of the names of blocks.
const blocks = "block/"

// Block returns the name of the object with a hash.
func Block(hash string) string { return blocks + hash }

// Writer writes a block: an object whose name is the SHA-256 of its bytes.
type Writer struct {
	draft Draft
	hash  hash.Hash
	size  int64
}

// NewWriter begins a block.
func NewWriter(ctx context.Context, d Depot) (*Writer, error) {
	draft, err := d.Create(ctx)
	if err != nil {
		return nil, err
	}
	return &Writer{draft: draft, hash: sha256.New()}, nil
}

func (w *Writer) Write(b []byte) (int, error) {
	n, err := w.draft.Write(b)
	w.hash.Write(b[:n])
	w.size += int64(n)
	return n, err
}

// Keep ends the block, and returns its hash and size.
func (w *Writer) Keep(ctx context.Context) (hash string, size int64, err error) {
	hash = hex.EncodeToString(w.hash.Sum(nil))
	return hash, w.size, w.draft.Keep(ctx, Block(hash))
}

// Drop gives the block up. It does nothing after Keep.
func (w *Writer) Drop() { w.draft.Drop() }

// DamagedError says that an object is not what was written, or is missing.
type DamagedError struct {
	Name   string // of the object
	Detail string
}

func (e *DamagedError) Error() string { return fmt.Sprintf("%s: %s", e.Name, e.Detail) }

// openBlock opens a block, which has to have this size.
func openBlock(ctx context.Context, d Depot, hash string, size int64) (Object, error) {
	name := Block(hash)
	o, err := d.Open(ctx, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &DamagedError{name, "it is missing"}
	case err != nil:
		return nil, err
	case o.Size() != size:
		why := fmt.Sprintf("it has %d bytes and should have %d", o.Size(), size)
		return nil, errors.Join(&DamagedError{name, why}, o.Close())
	}
	return o, nil
}

// Check reads a block and compares it with its hash and size. The error is a *DamagedError, or one
// of reading.
func Check(ctx context.Context, d Depot, hash string, size int64) error {
	o, err := openBlock(ctx, d, hash, size)
	if err != nil {
		return err
	}
	defer func() { _ = o.Close() }() // it was only read
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(o, 0, size)); err != nil {
		return err
	}
	if hex.EncodeToString(h.Sum(nil)) != hash {
		return &DamagedError{Block(hash), "its content is not that of its name"}
	}
	return ctx.Err()
}

// Read reads a whole block, and compares what was read with its hash and size. The error is a
// *DamagedError, or one of reading. (To call Check and read the block then would not do: the second
// time something else may be read.)
func Read(ctx context.Context, d Depot, hash string, size int64) ([]byte, error) {
	o, err := openBlock(ctx, d, hash, size)
	if err != nil {
		return nil, err
	}
	defer func() { _ = o.Close() }() // it was only read
	text := make([]byte, size)
	if _, err := o.ReadAt(text, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != hash {
		return nil, &DamagedError{Block(hash), "its content is not that of its name"}
	}
	return text, ctx.Err()
}

// valid fails if a name is none of an object.
func valid(name string) error {
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || strings.HasPrefix(part, ".") || strings.ContainsAny(part, `\:`) {
			return &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
		}
	}
	return nil
}

// Path returns where an object is as a file, if the depot has files.
func Path(d Depot, name string) (string, bool) {
	if p, is := d.(interface{ Path(string) (string, bool) }); is {
		return p.Path(name)
	}
	return "", false
}
