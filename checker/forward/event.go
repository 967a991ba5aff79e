package forward

import (
	"slices"

	"github.com/mancheck/mancheck/rules"
)

// event is something that ends a search: a state that satisfies the goal, one with a bad step, one
// that the game refuses, or one with a fault of the rules.
type event struct {
	key     []uint64
	action  int // the bad step, or noAction
	refusal error
	err     error
}

const noAction = rules.None

// before reports whether an event comes first, by the keys of the states. Workers meet events in
// any order, so the first one must not depend on time.
func (e *event) before(other *event) bool {
	return other == nil || slices.Compare(e.key, other.key) < 0
}

// note records an event, unless the worker has an earlier one of its kind.
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

// events returns the first fault and the first hit of all workers, and clears them.
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
