package forward

import (
	"github.com/mancheck/mancheck/checker/symmetry"
	"github.com/mancheck/mancheck/rules"
)

// longSearch is the number of states from which on a search in memory looks for symmetries. To find
// them takes as long as to search some thousand states. A search on disk looks at once: its folder
// is of no use to one that begins anew.
const longSearch = 50_000

// reducible is passed as an error: the search can begin anew with fewer states.
type reducible struct{ group symmetry.Group }

func (*reducible) Error() string { return "the rules have symmetries" }

// lookForSymmetries looks for symmetries once, when the search has become long. It fails with a
// *reducible if there are any.
func (s *search) lookForSymmetries(states int64) error {
	if s.looked || !s.reducible || states < longSearch && s.opts.Disk == "" && !s.opts.tiny {
		return nil
	}
	s.looked = true
	g := symmetry.Find(s.ctx, s.sys).Keeping(s.opts.Keep, append([]rules.Expr{s.asked.Goal}, s.asked.Count...)...)
	if g.Order() == 1 {
		return nil
	}
	return &reducible{g}
}

func (s *search) reduced() bool { return len(s.group.Members) > 0 }

// weight returns the number of states like the one with this key, including itself.
func (w *worker) weight(key []uint64) int64 {
	if w.reducer == nil {
		return 1
	}
	return int64(w.reducer.Orbit(key))
}

// weigh notes the weight of the latest state for its steps.
func (w *worker) weigh(weight int64) {
	for len(w.weights) < len(w.steps.Actions) {
		w.weights = append(w.weights, int32(weight))
	}
}

// weightOf returns the weight of the state that step i of the batch is from.
func (w *worker) weightOf(i int) int64 {
	if w.reducer == nil {
		return 1
	}
	return int64(w.weights[i])
}

// reduce counts the steps of the batch, and replaces the states that they lead to by the least ones
// like them.
func (w *worker) reduce() {
	status := w.codec.Status()
	for i, n := range w.weights {
		w.transitions += int64(n)
		w.into[w.steps.Keys[i*w.words+status.Word]>>status.Shift&status.Mask] += int64(n)
	}
	w.reducer.LeastAll(w.steps.Keys)
}

// appendImages appends keys, and those of the states like them.
func (s *search) appendImages(into, keys []uint64) []uint64 {
	r := s.workers[0].reducer
	if r == nil {
		return append(into, keys...)
	}
	words := s.codec.Words()
	for ; len(keys) > 0; keys = keys[words:] {
		into = r.Images(keys[:words], into)
	}
	return into
}

// fireImages marks the images of actions that were legal in some state: they were legal in states
// like it.
func (s *search) fireImages(fired []bool) {
	for changed := true; changed; {
		changed = false
		for _, m := range s.group.Members {
			for a, b := range m.Actions {
				if fired[a] && !fired[b] {
					fired[b], changed = true, true
				}
			}
		}
	}
}
