package sorted

import (
	"slices"

	"github.com/mancheck/mancheck/internal/lists"
)

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
