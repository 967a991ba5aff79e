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
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/mancheck/mancheck/internal/lists"
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

// MostKnown is the number of known runs above which some are folded into one. Every candidate is
// compared with all of them, but a lower number means more folding.
const MostKnown = 8

// Fold sorts runs by size, and returns how many of the smallest to fold if there are too many.
// These have together at least half as many keys as the next one, so each time a key comes into a
// run that is larger by a constant factor.
func Fold[R any](runs []R, keys func(R) int64) int {
	slices.SortStableFunc(runs, func(a, b R) int { return cmp.Compare(keys(a), keys(b)) })
	n, sum := 0, int64(0)
	for n < len(runs) && (n < 2 || keys(runs[n]) <= 2*sum) {
		sum += keys(runs[n])
		n++
	}
	return n
}

// OpenAll opens the tables of runs. After an error none of them is open.
func OpenAll[T any](runs [][]T, open func(T) (*Table, error)) (list [][]*Table, err error) {
	for _, r := range runs {
		var tables []*Table
		for _, x := range r {
			t, err := open(x)
			if err != nil {
				return nil, errors.Join(err, CloseAll(append(list, tables)))
			}
			tables = append(tables, t)
		}
		list = append(list, tables)
	}
	return list, nil
}

// CloseAll closes tables.
func CloseAll(runs [][]*Table) error {
	return errors.Join(lists.Map(slices.Concat(runs...), (*Table).Close)...)
}
