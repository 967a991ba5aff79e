// Package sorted keeps sorted lists of keys in files, and merges them.
//
// A key is a fixed number of 64-bit words, as checker/pack makes them. Keys are ordered word by
// word, and a list has each key once. A list is stored as a table: blocks of delta-encoded keys,
// each with a checksum, and an index of the blocks. It is read as a stream. Unions and differences
// of streams are streams again, so the memory does not depend on the length of the lists.
//
//	sorted.go   operations on streams
//	table.go    the format of files, and writing
//	block.go    delta encoding of keys
//	cursor.go   reading tables
//	samples.go  keys that divide lists into parts of about the same size
//	merge.go    unions and differences of streams
//	sort.go     radix sort
//	pool.go     reused buffers
package sorted

import (
	"context"
	"errors"
	"slices"
)

// Pour writes a stream to a table. It checks the context between blocks.
func Pour(ctx context.Context, w *Writer, from Stream) error {
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		keys, err := from.Next()
		if err != nil || len(keys) == 0 {
			return err
		}
		if err := w.Add(keys); err != nil {
			return err
		}
	}
}

// Difference returns the first key that only one of two streams has, or nil if they have the same
// keys. first says that the first stream has the key. The streams may be divided into blocks
// differently.
func Difference(ctx context.Context, words int, a, b Stream) (key []uint64, first bool, err error) {
	x, y := side{from: a}, side{from: b}
	for {
		if err := errors.Join(x.fill(), y.fill(), ctx.Err()); err != nil {
			return nil, false, err
		}
		n := min(len(x.keys), len(y.keys))
		if n == 0 {
			switch {
			case len(x.keys) > 0:
				return slices.Clone(x.keys[:words]), true, nil
			case len(y.keys) > 0:
				return slices.Clone(y.keys[:words]), false, nil
			}
			return nil, false, nil
		}
		if !slices.Equal(x.keys[:n], y.keys[:n]) {
			i := 0
			for x.keys[i] == y.keys[i] {
				i++
			}
			i -= i % words
			p, q := x.keys[i:i+words], y.keys[i:i+words]
			if Compare(p, q) < 0 {
				return slices.Clone(p), true, nil
			}
			return slices.Clone(q), false, nil
		}
		x.keys, y.keys = x.keys[n:], y.keys[n:]
	}
}

// CloseAll closes tables.
func CloseAll(runs [][]*Table) error {
	var errs []error
	for _, r := range runs {
		for _, t := range r {
			errs = append(errs, t.Close())
		}
	}
	return errors.Join(errs...)
}
