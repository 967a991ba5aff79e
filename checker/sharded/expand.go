package sharded

import (
	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/phase"
)

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
