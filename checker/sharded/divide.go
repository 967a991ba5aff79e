package sharded

import (
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/sorted"
)

// ranges divides the keys of blocks into ranges, one for each task.
func (s *Search) ranges(blocks []phase.Block) ([]sorted.Range, error) {
	var samples []sorted.Sample
	total := int64(0)
	for _, b := range blocks {
		a, err := aboutOf(b)
		if err != nil {
			return nil, err
		}
		samples = append(samples, a.Samples...)
		total += a.Table.Keys
	}
	return sorted.Ranges(samples, s.parts(total)), nil
}

// parts returns the number of parts for a number of keys.
func (s *Search) parts(keys int64) int64 { return max(1, min(int64(s.Shards), keys/s.Least)) }

// slices divides the tables in a list of blocks into tasks with equally many blocks of tables. args
// makes the arguments of a task from its slices, one for each of its inputs.
func (s *Search) slices(blocks []phase.Block, args func([]slice) any) ([]phase.Task, error) {
	total := 0
	keys, err := keysOf(blocks)
	if err != nil {
		return nil, err
	}
	bares, err := bare(blocks)
	if err != nil {
		return nil, err
	}
	sizes := make([]int, len(blocks))
	for i, b := range blocks {
		a, err := aboutOf(b)
		if err != nil {
			return nil, err
		}
		sizes[i] = a.Blocks
		total += a.Blocks
	}
	var tasks []phase.Task
	parts := min(int(s.parts(keys)), max(total, 1))
	for p := range parts {
		from, to := total*p/parts, total*(p+1)/parts
		var t phase.Task
		var list []slice
		for i, n := range sizes {
			if lo, hi := max(from, 0), min(to, n); lo < hi {
				t.Inputs = append(t.Inputs, bares[i])
				list = append(list, slice{lo, hi})
			}
			from, to = from-n, to-n
		}
		t.Args = phase.Encode(args(list))
		tasks = append(tasks, t)
	}
	return tasks, nil
}
