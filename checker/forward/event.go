package forward

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
)

// event is what ends a search: a state that satisfies the goal, one with a bad step, one that the
// game refuses, or one with an error in the rules.
type event struct {
	key     []uint64
	action  int // the bad step, or noAction
	refusal error
	err     error
}

const noAction = rules.None

// before reports whether an event comes first.
func (e *event) before(other *event) bool {
	return other == nil || slices.Compare(e.key, other.key) < 0
}

// note records an event, if it is the first one.
func (w *worker) note(e event) {
	first := &w.hit
	if e.err != nil {
		first = &w.fault
	}
	if e.before(*first) {
		e.key = slices.Clone(e.key)
		*first = &e
	}
}

// events returns the first hit and the first error that the workers have met, and forgets them.
func (s *search) events() (fault, hit *event) {
	for _, w := range s.workers {
		if w.hit != nil && w.hit.before(hit) {
			hit = w.hit
		}
		if w.fault != nil && w.fault.before(fault) {
			fault = w.fault
		}
		w.hit, w.fault = nil, nil
	}
	return fault, hit
}
