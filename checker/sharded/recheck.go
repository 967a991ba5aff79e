package sharded

import (
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/sorted"
	"github.com/mancheck/mancheck/internal/depot"
)

// beforeAll is the number of moves of a level before the first one: it leads to the starts.
const beforeAll = -1

// rechecked is what a task that plays the moves again tells.
type rechecked struct {
	Figures *forward.Figures
	Bad     []uint64 `json:",omitempty"` // the first state that satisfies the goal
	Stuck   int      `json:",omitempty"` // how many of the outputs, the last ones, are stuck states
}

// recheck derives what states lead to, and checks that none satisfies the goal. Each block is read
// as a whole first, and compared with its hash.
func (w *work) recheck() (phase.Result, error) {
	var p place
	t := &w.phase.Tasks[w.task]
	if err := decode(t.Args, &p); err != nil {
		return phase.Result{}, err
	}
	if p.Level == beforeAll {
		blocks, err := w.listStarts()
		return phase.Result{Outputs: blocks, Tally: phase.Encode(rechecked{Figures: &forward.Figures{}})}, err
	}
	for _, b := range t.Inputs {
		if err := depot.Check(w.ctx, w.env.Depot, b.Hash, b.Size); err != nil {
			return phase.Result{}, err
		}
	}
	played := slow{w.rules, w.in.Within(w.ctx)}
	g, err := played.On(w.codec)
	if err != nil {
		return phase.Result{}, err
	}
	var part *forward.Part
	var bad []uint64
	words := w.codec.Words()
	blocks, err := w.sort(func(add func(keys []uint64) error) (err error) {
		if part, err = forward.NewPart(w.ctx, played, w.codec, p.Level, forward.Query{}, add); err != nil {
			return err
		}
		return w.each(p.Slices, func(keys []uint64) error {
			for left := keys; w.Goal != nil && bad == nil && len(left) > 0; left = left[words:] {
				yes, err := g.(*slowGame).holds(w.Goal, left[:words])
				if err != nil {
					return err
				}
				if yes {
					bad = slices.Clone(left[:words])
				}
			}
			return part.Examine(keys)
		})
	})
	if err != nil {
		return phase.Result{}, err
	}
	var stuck []phase.Block
	if w.StuckSteps {
		if stuck, err = w.writeStuck(part.Stuck()); err != nil {
			return phase.Result{}, err
		}
	}
	return phase.Result{Outputs: append(blocks, stuck...), Tally: phase.Encode(rechecked{part.Figures(), bad, len(stuck)})}, nil
}

// writeStuck writes the stuck states of a task, which are in order.
func (w *work) writeStuck(keys []uint64) ([]phase.Block, error) {
	var pool sorted.Pool
	use := pool.Lease()
	defer use.Release()
	return w.write(1, use, func(to *sorted.Writer) error { return to.Add(keys) })
}

// confirming says what a task compares: in a range of keys, what a level leads to, less the levels
// up to that one, and the next level.
type confirming struct {
	span
	Level int
}

// confirm compares what a level leads to with the next level.
func (w *work) confirm() (phase.Result, error) {
	var m confirming
	if err := decode(w.phase.Tasks[w.task].Args, &m); err != nil {
		return phase.Result{}, err
	}
	left := w.phase.Inputs
	cut := func(sizes []int) (lists [][]phase.Block) {
		for _, n := range sizes {
			lists, left = append(lists, left[:n]), left[n:]
		}
		return lists
	}
	led, levels := cut(w.Led), cut(w.Levels)
	var runs [][]phase.Block
	for _, b := range led[m.Level+1] {
		runs = append(runs, []phase.Block{b})
	}
	k := len(runs)
	runs = append(runs, levels[:m.Level+1]...)
	last := len(runs)
	if m.Level+1 < len(levels) {
		runs = append(runs, levels[m.Level+1])
	} else {
		runs = append(runs, nil)
	}
	open, err := w.tables(m.span, runs)
	if err != nil {
		return phase.Result{}, err
	}
	var pool sorted.Pool
	use := pool.Lease()
	defer use.Release()
	from := sorted.Memory(nil, 1)
	if k > 0 {
		from = w.merged(m.span, open[:k], open[k:last], use)
	}
	key, leads, err := sorted.Difference(w.ctx, w.codec.Words(), from, sorted.NewCursor(open[last], m.Lo, m.Hi, use))
	wrong := ""
	switch {
	case key != nil && leads:
		wrong = fmt.Sprintf("level %d leads to state %x, which no level has", m.Level, key)
	case key != nil:
		wrong = fmt.Sprintf("level %d does not lead to state %x of the next one, or it is in an earlier one", m.Level, key)
	}
	return phase.Result{Tally: phase.Encode(wrong)}, errors.Join(err, sorted.CloseAll(open))
}
