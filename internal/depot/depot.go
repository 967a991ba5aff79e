// Package depot is a store of write-once objects: a folder that several machines share or, in a
// program built with the tag cloud, a bucket of an object store.
//
// An object has a name, in which slashes separate parts, and its bytes never change. It appears as
// a whole or not at all. Put is put-if-absent: of several writers of one name the first wins, and
// the others get an error. Therefore no locks are needed, and it does no harm to repeat work or to
// finish it late. Large objects are content-addressed blocks: equal blocks are one object.
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

// Depot is a store of objects, which several goroutines, processes and machines may use. Errors are
// those of package io/fs: fs.ErrNotExist for a missing object, and fs.ErrExist for an object that
// exists already.
type Depot interface {
	// Put creates a small object. The error is fs.ErrExist if there is an object of this name.
	Put(ctx context.Context, name string, text []byte) error

	// Get returns the bytes of an object.
	Get(ctx context.Context, name string) ([]byte, error)

	// Create begins an object whose name is not yet known.
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

	// String returns the location of the depot, as accepted by the function Open.
	String() string
}

// Draft is an object that is being written.
type Draft interface {
	io.Writer

	// Keep completes the object under a name. It is no error if there is an object of this name
	// already, since the name is a hash of the content.
	Keep(ctx context.Context, name string) error

	// Drop discards the object. It does nothing after Keep.
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

// Keep completes the block, and returns its hash and size.
func (w *Writer) Keep(ctx context.Context) (hash string, size int64, err error) {
	hash = hex.EncodeToString(w.hash.Sum(nil))
	return hash, w.size, w.draft.Keep(ctx, Block(hash))
}

// Drop discards the block. It does nothing after Keep.
func (w *Writer) Drop() { w.draft.Drop() }

// DamagedError says that an object is not what was written, or is missing.
type DamagedError struct {
	Name   string // of the object
	Detail string
}

func (e *DamagedError) Error() string { return fmt.Sprintf("%s: %s", e.Name, e.Detail) }

// OpenBlock opens a block. The error is a *DamagedError if it is missing or has another size.
func OpenBlock(ctx context.Context, d Depot, hash string, size int64) (Object, error) {
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

// Check reads a block and compares it with its hash and size. The error is a *DamagedError or a
// read error.
func Check(ctx context.Context, d Depot, hash string, size int64) error {
	return Copy(ctx, d, hash, size, io.Discard)
}

// Copy is Check, and writes the block to a writer, which does not have the block after an error.
func Copy(ctx context.Context, d Depot, hash string, size int64, to io.Writer) error {
	o, err := OpenBlock(ctx, d, hash, size)
	if err != nil {
		return err
	}
	defer func() { _ = o.Close() }() // it was only read
	h := sha256.New()
	if _, err := io.Copy(io.MultiWriter(h, to), io.NewSectionReader(o, 0, size)); err != nil {
		return err
	}
	if hex.EncodeToString(h.Sum(nil)) != hash {
		return &DamagedError{Block(hash), "its content is not that of its name"}
	}
	return ctx.Err()
}

// Read reads a whole block, and compares what it has read with the hash and size. The error is a
// *DamagedError or a read error. (It is not enough to call Check before reading: the second read
// may return something else.)
func Read(ctx context.Context, d Depot, hash string, size int64) ([]byte, error) {
	o, err := OpenBlock(ctx, d, hash, size)
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

// valid fails if a name is not valid for an object.
func valid(name string) error {
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || strings.HasPrefix(part, ".") || strings.ContainsAny(part, `\:`) {
			return &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
		}
	}
	return nil
}

// Path returns the path of an object, if the depot is a folder.
func Path(d Depot, name string) (string, bool) {
	if p, is := d.(interface{ Path(string) (string, bool) }); is {
		return p.Path(name)
	}
	return "", false
}

// Where returns the path of an object, or its URL if it is in a bucket.
func Where(d Depot, name string) string {
	if path, is := Path(d, name); is {
		return path
	}
	bucket, query, has := strings.Cut(d.String(), "?")
	where := strings.TrimSuffix(bucket, "/") + "/" + name
	if has {
		where += "?" + query
	}
	return where
}
