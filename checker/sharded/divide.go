package sharded

import (
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/sorted"
	"github.com/mancheck/mancheck/internal/lists"
)

// ranges divides the keys of blocks into ranges, one for each task.
func (s *Search) ranges(blocks []phase.Block) []sorted.Range {
	all := describe(blocks)
	samples := lists.Flat(all, func(b described) []sorted.Sample { return b.about.Samples })
	return sorted.Ranges(samples, s.parts(keysOf(all)))
}

// parts returns the number of parts for a number of keys.
func (s *Search) parts(keys int64) int64 { return max(1, min(int64(s.Shards), keys/s.Least)) }

// slices divides the tables in a list of blocks into tasks with equally many blocks of tables. args
// makes the arguments of a task from its slices, one for each of its inputs.
func (s *Search) slices(blocks []phase.Block, args func([]slice) any) (tasks []phase.Task) {
	all := describe(bare(blocks))
	total := lists.Sum(all, func(b described) int { return b.about.Blocks })
	parts := min(int(s.parts(keysOf(all))), max(total, 1))
	for p := range parts {
		from, to := total*p/parts, total*(p+1)/parts
		var t phase.Task
		var list []slice
		for _, b := range all {
			n := b.about.Blocks
			if lo, hi := max(from, 0), min(to, n); lo < hi {
				t.Inputs = append(t.Inputs, b.Block)
				list = append(list, slice{lo, hi})
			}
			from, to = from-n, to-n
		}
		t.Args = phase.Encode(args(list))
		tasks = append(tasks, t)
	}
	return tasks
}
