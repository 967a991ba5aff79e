package forward

import (
	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/symmetry"
	"github.com/mancheck/mancheck/rules"
)

// longSearch is the number of states after which a search in memory looks for symmetries. Finding
// them takes as long as searching some thousand states. A search on disk looks at once, because its
// folder would be useless after beginning anew.
const longSearch = 50_000

// reducible is an error that tells SearchGame to begin anew with fewer states.
type reducible struct{ quotient *symmetry.Quotient }

func (*reducible) Error() string { return "the rules have symmetries" }

// lookForSymmetries looks for symmetries once, when the search has become long. It fails with a
// *reducible if there are any.
func (s *search) lookForSymmetries(states int64) error {
	if s.looked || !s.reducible || states < longSearch && s.opts.Disk == "" && !s.opts.tiny {
		return nil
	}
	s.looked = true
	g := symmetry.Find(s.ctx, s.sys).Keeping(s.rules.Keeps(), append([]rules.Expr{s.asked.Goal}, s.asked.Count...)...)
	if g.Order() == 1 {
		return nil
	}
	return &reducible{&symmetry.Quotient{Rules: s.rules, Group: g}}
}

// played returns the game whose states are stored.
func (s *search) played() game.Rules {
	if s.quotient != nil {
		return s.quotient
	}
	return s.rules
}

// weight returns the number of states in the orbit of the one with this key.
func (w *worker) weight(key []uint64) int64 {
	if w.classes == nil {
		return 1
	}
	return int64(w.classes.Size(key))
}

// weigh records the weight of the latest state for each of its steps.
func (w *worker) weigh(weight int64) {
	for len(w.weights) < len(w.steps.Actions) {
		w.weights = append(w.weights, int32(weight))
	}
}

// weightOf returns the weight of the state that step i of the batch comes from.
func (w *worker) weightOf(i int) int64 {
	if w.classes == nil {
		return 1
	}
	return int64(w.weights[i])
}

// countWeights counts the steps of the batch, each with the weight of the state that it comes from.
func (w *worker) countWeights() {
	status := w.codec.Status()
	for i, n := range w.weights {
		w.Transitions += int64(n)
		w.Into[w.steps.Keys[i*w.words+status.Word]>>status.Shift&status.Mask] += int64(n)
	}
}

// appendImages appends the keys of all states in the orbits of some.
func (s *search) appendImages(into, keys []uint64) []uint64 {
	c := s.workers[0].classes
	if c == nil {
		return append(into, keys...)
	}
	words := s.codec.Words()
	for ; len(keys) > 0; keys = keys[words:] {
		into = c.Members(keys[:words], into)
	}
	return into
}
