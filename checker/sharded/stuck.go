package sharded

import (
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/phase"
)

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
