package sharded

import (
	"slices"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/phase"
)

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
