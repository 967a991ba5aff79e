package forward

import (
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
)

// stuckTransitions counts the steps into stuck states. Whether a state is stuck is known only when
// it is examined, after steps into it were found; so all states are expanded again.
func (s *search) stuckTransitions(r *Result) error {
	if len(s.stuck) == 0 {
		return nil
	}
	stuck := make([]bool, s.set.Len())
	for _, i := range s.stuck {
		stuck[i] = true
	}
	n := int64(0)
	w := s.workers[0]
	for i := range s.expanded() {
		if i%chunkSize == 0 && s.ctx.Err() != nil {
			return nil
		}
		s.codec.Unpack(s.set.At(i), w.state)
		err := w.machine.Successors(w.state, func(_ int, to *pack.Flat) bool {
			if s.codec.Pack(to, w.key) == nil {
				if j, ok := s.set.Find(w.key); ok && stuck[j] {
					n++
				}
			}
			return true
		})
		if err != nil {
			return err
		}
	}
	if n > 0 {
		r.Stats.TransitionsByOutcome[rules.StuckLabel] = n
	}
	return nil
}

// expanded returns the number of states whose successors were stored.
func (s *search) expanded() int {
	if s.stop != nil && s.stop.stop == DepthLimit {
		return s.levels[s.opts.MaxDepth]
	}
	return s.set.Len()
}
