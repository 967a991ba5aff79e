package sharded

import (
	"errors"
	"fmt"
	"math/bits"
	"path/filepath"
	"slices"

	"github.com/mancheck/mancheck/checker/disk"
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/checker/sorted"
	"github.com/mancheck/mancheck/internal/depot"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
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

// expand examines states and writes their successors.
func (w *work) expand() (phase.Result, error) {
	list := phase.Decode[[]slice](w.args())
	var part *forward.Part
	blocks, err := w.sort(func(add func(keys []uint64) error) (err error) {
		if part, err = forward.NewPart(w.ctx, w.rules, w.codec, w.depth(), forward.Query{Goal: w.Goal, Count: w.Count}, add); err != nil {
			return err
		}
		return w.each(list, part.Examine)
	})
	if err != nil {
		return phase.Result{}, err
	}
	return phase.Result{Outputs: blocks, Tally: phase.Encode(part.Figures())}, nil
}

// merging says which inputs of the phase are candidates, which are known runs, and how many of
// these a merge task folds into one.
type merging struct {
	sorted.Range
	Candidates int
	Known      []int // number of blocks of each run
	Fold       int   // number of runs, from the first, that are folded into one
}

// merge writes the candidates of a range that are not known, and its part of the run that results
// from folding known runs.
func (w *work) merge() (phase.Result, error) {
	m := phase.Decode[merging](w.args())
	candidates := lists.Map(w.phase.Inputs[:m.Candidates], func(b phase.Block) []phase.Block { return []phase.Block{b} })
	known, _ := cut(w.phase.Inputs[m.Candidates:], m.Known)
	fresh, err := w.mergeRange(0, m.Range, candidates, known)
	if err != nil {
		return phase.Result{}, err
	}
	folded, err := w.mergeRange(1, m.Range, known[:m.Fold], nil)
	return phase.Result{Outputs: append(fresh, folded...), Tally: phase.Encode(len(folded))}, err
}

// mergeRange writes the keys of a range that are in some runs and in none of the known ones.
func (w *work) mergeRange(k int, r sorted.Range, runs, known [][]phase.Block) ([]phase.Block, error) {
	if len(runs) == 0 {
		return nil, nil
	}
	open, err := w.tables(r, slices.Concat(runs, known))
	if err != nil {
		return nil, err
	}
	blocks, err := w.write(k, func(to *sorted.Writer, use *sorted.Lease) error {
		return sorted.Pour(w.ctx, to, sorted.Merge(to.Shape, r, nil, open[:len(runs)], open[len(runs):], use))
	})
	return blocks, errors.Join(err, sorted.CloseAll(open))
}

// back finds the first state, in the order of keys, with a step to the last state of the path.
func (w *work) back() (phase.Result, error) {
	list := phase.Decode[[]slice](w.args())
	part, err := forward.NewPart(w.ctx, w.rules, w.codec, w.depth(), forward.Query{}, nil)
	if err != nil {
		return phase.Result{}, err
	}
	var first []uint64
	to := w.Path[len(w.Path)-1]
	err = w.each(list, func(keys []uint64) error {
		if first != nil {
			return nil
		}
		found, err := part.Before(keys, to)
		first = slices.Clone(found)
		return err
	})
	return phase.Result{Tally: phase.Encode(first)}, err
}

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

// place is the states of a task of the check: a level, and slices of its blocks.
type place struct {
	Level  int
	Slices []slice
}

// stuck counts the steps into stuck states, with the reference interpreter. This takes another
// phase, since a state is known to be stuck only after it was examined.
func (w *work) stuck() (phase.Result, error) {
	p := phase.Decode[place](w.args())
	set, err := w.allStuck()
	if err != nil {
		return phase.Result{}, err
	}
	g, err := slow{w.rules, w.in.Within(w.ctx)}.On(w.codec)
	if err != nil {
		return phase.Result{}, err
	}
	var batch pack.Batch
	words, steps := w.codec.Words(), int64(0)
	err = w.each(p.Slices, func(keys []uint64) error {
		for ; len(keys) > 0; keys = keys[words:] {
			batch.Reset()
			if err := g.Expand(keys[:words], &batch); err != nil {
				return err
			}
			for to := batch.Keys; len(to) > 0; to = to[words:] {
				if _, stuck := set.Find(to[:words]); stuck {
					steps++
				}
			}
		}
		return nil
	})
	return phase.Result{Tally: phase.Encode(steps)}, err
}

// allStuck reads the stuck states.
func (w *work) allStuck() (*pack.Set, error) {
	words := w.codec.Words()
	set := pack.NewSet(words, pack.Limits{Bytes: w.env.Memory / 2})
	for _, b := range describe(w.phase.Inputs) {
		err := w.read(b.Block, slice{0, b.about.Blocks}, func(keys []uint64) (err error) {
			for ; err == nil && len(keys) > 0; keys = keys[words:] {
				_, _, err = set.Insert(keys[:words])
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return set, nil
}

// slow is the rules of a System, played by the reference interpreter.
type slow struct {
	game.Rules
	in *interp.Interp
}

// On implements game.Rules.
func (s slow) On(c *pack.Codec) (game.Game, error) {
	return &slowGame{player: s.in.Player(), in: s.in, codec: c, flat: pack.NewFlat(s.in.System()), key: make([]uint64, c.Words())}, nil
}

// slowGame plays packed states.
type slowGame struct {
	in     *interp.Interp
	player *interp.Player
	codec  *pack.Codec
	flat   *pack.Flat
	key    []uint64
}

// state returns the state with a key.
func (g *slowGame) state(key []uint64) rules.State {
	g.codec.Unpack(key, g.flat)
	return g.flat.State(g.in.System())
}

// Expand implements game.Game.
func (g *slowGame) Expand(key []uint64, out *pack.Batch) error {
	steps, err := g.player.Steps(g.state(key))
	if err != nil {
		return err
	}
	for i, s := range steps {
		g.flat.Set(s.To)
		if err := g.codec.Pack(g.flat, g.key); err != nil {
			return err
		}
		out.Keys, out.Actions = append(out.Keys, g.key...), append(out.Actions, int32(s.Action))
		if i%pack.CheckEvery == pack.CheckEvery-1 && out.Check != nil {
			if err := out.Check(); err != nil {
				return err
			}
		}
	}
	return nil
}

// CanMove implements game.Game.
func (g *slowGame) CanMove(key []uint64) (bool, error) {
	st := g.state(key)
	if !st.Live() {
		return false, nil
	}
	return g.in.CanMove(st)
}

// holds reports whether a condition holds in the state with a key.
func (g *slowGame) holds(x rules.Expr, key []uint64) (bool, error) {
	return g.in.Holds(x, g.state(key), nil)
}

// valueless reports whether an error says that a condition has no value.
func valueless(err error) bool {
	return errors.As(err, new(*interp.UndefinedError)) || errors.As(err, new(*interp.RuleError))
}
