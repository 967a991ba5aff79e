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

// recheckAll returns the phase in which the reference interpreter plays the moves of all states, and
// lists the starts again.
func (n *next) recheckAll() (*phase.Phase, error) {
	tasks, err := n.everywhere()
	if err != nil {
		return nil, err
	}
	tasks = append([]phase.Task{{Args: encode(place{Level: beforeAll})}}, tasks...)
	return newPhase(recheckPhase, n.state, tasks), nil
}

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
		return phase.Result{Outputs: blocks, Tally: encode(rechecked{Figures: &forward.Figures{}})}, err
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
	return phase.Result{Outputs: append(blocks, stuck...), Tally: encode(rechecked{part.Figures(), bad, len(stuck)})}, nil
}

// writeStuck writes the stuck states of a task, which are in order.
func (w *work) writeStuck(keys []uint64) ([]phase.Block, error) {
	var pool sorted.Pool
	use := pool.Lease()
	defer use.Release()
	return w.write(1, use, func(to *sorted.Writer) error { return to.Add(keys) })
}

// afterRecheck compares the figures with those of the search, and returns the phase that compares
// the levels.
func (n *next) afterRecheck() (*phase.Phase, error) {
	var figures forward.Figures
	led := make([][]phase.Block, len(n.Sizes)+1) // by level, from before the first one on
	for i, r := range n.results {
		var t rechecked
		var p place
		if err := errors.Join(decode(r.Tally, &t), decode(n.last.Tasks[i].Args, &p)); err != nil {
			return nil, err
		}
		figures.Add(t.Figures)
		led[p.Level+1] = append(led[p.Level+1], r.Outputs[:len(r.Outputs)-t.Stuck]...)
		if t.Bad != nil {
			n.Wrong = fmt.Sprintf("state %x of level %d satisfies what the search did not find", t.Bad, p.Level)
			return n.done()
		}
	}
	if f := figures.Fault; f != nil {
		n.Wrong = fmt.Sprintf("in state %x the search did not meet a fault of the rules: %s", f.Key, f.Why)
		return n.done()
	}
	if a, b := encode(figures), encode(n.Figures); len(n.Sizes) > 0 && string(a) != string(b) {
		n.Wrong = fmt.Sprintf("the figures of the search are %s, and those of the interpreter %s", b, a)
		return n.done()
	}
	return n.confirmAll(led)
}

// confirming says what a task compares: in a range of keys, what a level leads to, less the levels
// up to that one, and the next level.
type confirming struct {
	span
	Level int
}

// confirmAll returns the phase that compares each level with what the one before leads to. Its
// inputs are first all that levels lead to, and then all levels.
func (n *next) confirmAll(led [][]phase.Block) (*phase.Phase, error) {
	levels := make([][]phase.Block, len(n.Sizes))
	for depth := range n.Sizes {
		var err error
		if levels[depth], err = n.levelBlocks(n.ctx, n.state, depth); err != nil {
			return nil, err
		}
	}
	var inputs []phase.Block
	add := func(lists [][]phase.Block, sizes *[]int) error {
		for _, blocks := range lists {
			*sizes = append(*sizes, len(blocks))
			for _, b := range blocks {
				b, err := bare(b)
				if err != nil {
					return err
				}
				inputs = append(inputs, b)
			}
		}
		return nil
	}
	if err := errors.Join(add(led, &n.Led), add(levels, &n.Levels)); err != nil {
		return nil, err
	}
	var tasks []phase.Task
	for level := beforeAll; level < len(levels); level++ {
		both := slices.Clone(led[level+1])
		if level+1 < len(levels) {
			both = append(both, levels[level+1]...)
		}
		ranges, err := n.spans(both)
		if err != nil {
			return nil, err
		}
		for _, s := range ranges {
			tasks = append(tasks, phase.Task{Args: encode(confirming{s, level})})
		}
	}
	return newPhase(confirmPhase, n.state, tasks, inputs...), nil
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
	return phase.Result{Tally: encode(wrong)}, errors.Join(err, sorted.CloseAll(open))
}

// afterConfirm ends the work.
func (n *next) afterConfirm() (*phase.Phase, error) {
	for _, r := range n.results {
		wrong := ""
		if err := decode(r.Tally, &wrong); err != nil {
			return nil, err
		}
		if wrong != "" && n.Wrong == "" {
			n.Wrong = wrong
		}
	}
	n.Led, n.Levels = nil, nil
	if n.Wrong != "" || !n.StuckSteps || n.Figures.Stuck == 0 {
		return n.done()
	}
	stuck, err := n.stuckStates()
	if err != nil {
		return nil, err
	}
	return n.countStuck(stuck)
}

// stuckStates returns the blocks of the stuck states that the recheck found, which is two phases
// back.
func (n *next) stuckStates() (list []phase.Block, err error) {
	for _, r := range n.last.Results {
		var t rechecked
		if err := decode(r.Tally, &t); err != nil {
			return nil, err
		}
		list = append(list, r.Outputs[len(r.Outputs)-t.Stuck:]...)
	}
	return list, nil
}
