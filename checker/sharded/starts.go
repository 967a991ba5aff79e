package sharded

import (
	"errors"
	"math/bits"
	"path/filepath"

	"github.com/mancheck/mancheck/checker/disk"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/sorted"
	"github.com/mancheck/mancheck/rules"
)

// listed is the tally of the task that lists the starts.
type listed struct{ Room int }

// starts lists the starts.
func (w *work) starts() (phase.Result, error) {
	room := 0
	err := w.allStarts()(w.ctx, func(st rules.State) error {
		pit, _, _ := w.rules.Seeds(st)
		room = max(room, pit)
		return nil
	})
	if err != nil {
		return phase.Result{}, err
	}
	room = 1<<bits.Len(uint(room)) - 1
	if w.codec, err = w.Search.codec(room); err != nil {
		return phase.Result{}, err
	}
	blocks, err := w.listStarts()
	return phase.Result{Outputs: blocks, Tally: phase.Encode(listed{room})}, err
}

// listStarts writes the starts.
func (w *work) listStarts() ([]phase.Block, error) {
	flat, key := pack.NewFlat(w.sys), make([]uint64, w.codec.Words())
	return w.sort(func(add func(keys []uint64) error) error {
		return w.allStarts()(w.ctx, func(st rules.State) error {
			flat.Set(st)
			if err := w.codec.Pack(flat, key); err != nil {
				return err
			}
			return add(key)
		})
	})
}

// program is the memory of a process apart from the keys that a task sorts: for the program, the
// rules, and the buffers of blocks.
const program = 72 << 20

// sort writes the keys that fill adds, sorted and without duplicates, as the first output of the
// task. It is an external merge sort: its memory does not depend on the number of keys.
func (w *work) sort(fill func(add func(keys []uint64) error) error) (blocks []phase.Block, err error) {
	s, err := disk.Open(w.ctx, filepath.Join(w.env.Scratch, "runs"), disk.Options{
		Words: w.codec.Words(), Identity: "task", Memory: (w.env.Memory - program) / 2, Threads: 1,
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := fill(s.Adder(0).Add); err != nil {
		return nil, err
	}
	return w.write(0, func(to *sorted.Writer, _ *sorted.Lease) error { return s.Candidates(to) })
}
