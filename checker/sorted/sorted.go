// Package sorted keeps sorted lists of keys in files, and merges them.
//
// A key is a fixed number of 64-bit words, as checker/pack makes them. Keys are ordered word by
// word, and a list has each key once. A list is stored as a table: blocks of delta-encoded keys,
// each with a checksum, and an index of the blocks. It is read as a stream. Unions and differences
// of streams are streams again, so the memory does not depend on the length of the lists.
//
//	sorted.go   operations on streams; keys that divide lists into parts of about the same size
//	table.go    the format of files, and writing
//	block.go    delta encoding of keys
//	cursor.go   reading tables
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

// Sample is a key of a list that represents Weight keys.
type Sample struct {
	Key    []uint64
	Weight int64
}

// samples is about the number of samples of a list.
const samples = 64

// SamplesOf returns samples of keys in memory, at equal distances.
func SamplesOf(keys []uint64, w int) []Sample {
	n := len(keys) / w
	step := max(1, n/samples)
	var list []Sample
	for i := 0; i < n; i += step {
		list = append(list, Sample{slices.Clone(keys[i*w : (i+1)*w]), int64(min(step, n-i))})
	}
	return list
}

// Samples returns samples of a table: the first keys of some blocks.
func (t *Table) Samples() ([]Sample, error) {
	step := max(1, t.blocks/samples)
	var list []Sample
	var p page
	p.bytes = make([]byte, pageSize(t.Words))
	for i := 0; i < t.blocks; i += step {
		var e entry
		if err := p.entry(t, i, &e); err != nil {
			return nil, err
		}
		list = append(list, Sample{e.first, t.Keys * int64(min(step, t.blocks-i)) / int64(t.blocks)})
	}
	return list, nil
}

// Range is the keys from Lo up to, but not including, Hi. A nil bound is none.
type Range struct {
	Lo []uint64 `json:",omitempty"`
	Hi []uint64 `json:",omitempty"`
}

// Of returns the part of sorted keys that is in the range.
func (r Range) Of(keys []uint64) []uint64 {
	if r.Hi != nil {
		keys = keys[:Find(keys, r.Hi)*len(r.Hi)]
	}
	if r.Lo != nil {
		keys = keys[Find(keys, r.Lo)*len(r.Lo):]
	}
	return keys
}

// Ranges divides the keys of lists into n ranges, or fewer, of about the same size. list has the
// samples of all lists; it is sorted in place.
func Ranges(list []Sample, n int64) []Range {
	parts := []Range{{}}
	for _, key := range bounds(list, n) {
		parts[len(parts)-1].Hi = key
		parts = append(parts, Range{Lo: key})
	}
	return parts
}

// Weight is that of all samples of a list.
func Weight(list []Sample) int64 { return lists.Sum(list, func(x Sample) int64 { return x.Weight }) }

// bounds returns the keys between ranges.
func bounds(list []Sample, ranges int64) [][]uint64 {
	total := Weight(list)
	slices.SortStableFunc(list, func(a, b Sample) int { return Compare(a.Key, b.Key) })
	var bounds [][]uint64
	sum := int64(0)
	for _, x := range list {
		if sum >= total*int64(len(bounds)+1)/ranges && int64(len(bounds)) < ranges-1 && sum > 0 {
			bounds = append(bounds, x.Key)
		}
		sum += x.Weight
	}
	return slices.CompactFunc(bounds, slices.Equal)
}

// First returns the first key.
func (t *Table) First() ([]uint64, error) {
	p := page{bytes: make([]byte, pageSize(t.Words))}
	var e entry
	err := p.entry(t, 0, &e)
	return e.first, err
}
