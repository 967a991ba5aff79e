package sharded

import (
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/sorted"
	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/lists"
)

// beforeAll is the number of a pseudo-level before the first, whose successors are the starts.
const beforeAll = -1

// rechecked is the tally of a recheck task.
type rechecked struct {
	Figures *forward.Figures
	Bad     []uint64 `json:",omitempty"` // the first state that satisfies the goal, or in which a condition has no value
	Stuck   int      `json:",omitempty"` // number of outputs, from the last, with stuck states
}

// recheck derives the successors of states, checks that no state satisfies the goal, and counts
// again. It first verifies the hash of each whole block.
func (w *work) recheck() (phase.Result, error) {
	p := phase.Decode[place](w.args())
	if p.Level == beforeAll {
		blocks, err := w.listStarts()
		return phase.Result{Outputs: blocks, Tally: phase.Encode(rechecked{Figures: &forward.Figures{}})}, err
	}
	for _, b := range w.phase.Tasks[w.task].Inputs {
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
	out := rechecked{}
	counts := make([]int64, len(w.Count))
	words := w.codec.Words()
	blocks, err := w.sort(func(add func(keys []uint64) error) (err error) {
		if part, err = forward.NewPart(w.ctx, played, w.codec, p.Level, forward.Query{}, add); err != nil {
			return err
		}
		return w.each(p.Slices, func(keys []uint64) error {
			for left := keys; out.Bad == nil && len(left) > 0; left = left[words:] {
				ok, err := w.agrees(g.(*slowGame), left[:words], counts)
				if err != nil {
					return err
				}
				if !ok {
					out.Bad = slices.Clone(left[:words])
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
		stuck, err = w.write(1, func(to *sorted.Writer, _ *sorted.Lease) error { return to.Add(part.Stuck()) })
		if err != nil {
			return phase.Result{}, err
		}
	}
	out.Figures, out.Stuck = part.Figures(), len(stuck)
	out.Figures.Counts = counts
	return phase.Result{Outputs: append(blocks, stuck...), Tally: phase.Encode(out)}, nil
}

// agrees counts a state, and reports whether the search was right to go on after it: it does not
// satisfy the goal, and all conditions have values.
func (w *work) agrees(g *slowGame, key []uint64, counts []int64) (bool, error) {
	if w.Goal != nil {
		yes, err := g.holds(w.Goal, key)
		if yes || valueless(err) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	for i, x := range w.Count {
		yes, err := g.holds(x, key)
		if valueless(err) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		if yes {
			counts[i]++
		}
	}
	return true, nil
}

// confirming says what a confirm task compares: in a range of keys, the successors of a level,
// without the states of the levels up to that one, with the next level.
type confirming struct {
	sorted.Range
	Level int
}

// confirm compares the successors of a level with the next level.
func (w *work) confirm() (phase.Result, error) {
	m := phase.Decode[confirming](w.args())
	led, left := cut(w.phase.Inputs, w.Led)
	levels, _ := cut(left, w.Levels)
	runs := lists.Map(led[m.Level+1], func(b phase.Block) []phase.Block { return []phase.Block{b} })
	k := len(runs)
	runs = append(runs, levels[:m.Level+1]...)
	last := len(runs)
	if m.Level+1 < len(levels) {
		runs = append(runs, levels[m.Level+1])
	} else {
		runs = append(runs, nil)
	}
	open, err := w.tables(m.Range, runs)
	if err != nil {
		return phase.Result{}, err
	}
	use := w.pool.Lease()
	defer use.Release()
	from := sorted.Merge(shape(w.codec.Words()), m.Range, nil, open[:k], open[k:last], use)
	key, leads, err := sorted.Difference(w.ctx, w.codec.Words(), from, sorted.NewCursor(open[last], m.Range, use))
	wrong := ""
	switch {
	case key != nil && leads:
		wrong = fmt.Sprintf("level %d leads to state %x, which is in no level", m.Level, key)
	case key != nil:
		wrong = fmt.Sprintf("level %d does not lead to state %x of the next level, or that state is in an earlier level", m.Level, key)
	}
	return phase.Result{Tally: phase.Encode(wrong)}, errors.Join(err, sorted.CloseAll(open))
}
