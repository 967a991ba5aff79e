package sharded

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/rules"
)

// Outcome is the result of a search.
type Outcome struct {
	Stats  forward.Stats
	Counts []int64        // by Options.Count
	Trace  *forward.Trace // a shortest play to the goal, or to a state with a fault of the rules
	Fault  string         // of the rules, in the last state of Trace
}

// ErrUnfinished is the error for a search that has phases left.
var ErrUnfinished = errors.New("not all phases are done")

// WrongError says that the check of a search failed: the result must not be trusted.
type WrongError struct{ What string }

func (e *WrongError) Error() string {
	return "the check contradicts the search: " + e.What
}

// Found returns what the search has found, if a phase belongs to the check, which may still reject
// it.
func (s *Search) Found(p *phase.Phase) (stats forward.Stats, is bool, err error) {
	if !s.Checks(p) {
		return stats, false, nil
	}
	st := new(state)
	if err := json.Unmarshal(p.State, st); err != nil {
		return stats, false, err
	}
	return st.stats(s.sys), true, nil
}

// stats returns the figures of the search.
func (s *state) stats(sys *rules.System) forward.Stats {
	if len(s.Figures.Finished) == 0 { // there is no start
		s.Figures.Finished, s.Figures.Into = make([]int64, len(sys.Outcomes)), make([]int64, len(sys.Players)+len(sys.Outcomes))
	}
	return s.Figures.Stats(sys, s.Sizes)
}

// Outcome returns the result of the search, from its last phase. The error is ErrUnfinished, a
// *WrongError, or an error of replaying the trace.
func (s *Search) Outcome(ctx context.Context, last *phase.Phase) (*Outcome, error) {
	if last == nil || last.Name != donePhase {
		return nil, ErrUnfinished
	}
	st := new(state)
	if err := json.Unmarshal(last.State, st); err != nil {
		return nil, err
	}
	if st.Wrong != "" {
		return nil, &WrongError{st.Wrong}
	}
	o := &Outcome{Stats: st.stats(s.sys), Counts: st.Figures.Counts}
	if o.Counts == nil { // there is no start
		o.Counts = make([]int64, len(s.Count))
	}
	if st.IntoStuck > 0 {
		o.Stats.TransitionsByOutcome[rules.StuckLabel] = st.IntoStuck
	}
	if st.Path == nil {
		return o, nil
	}
	codec, err := s.codec(st.Room)
	if err != nil {
		return nil, err
	}
	slices.Reverse(st.Path)
	if o.Trace, err = forward.Play(ctx, s.rules, s.allStarts(), codec, st.Path); err != nil {
		return nil, err
	}
	if st.Figures.Hit == nil {
		o.Fault = st.Figures.Fault.Why
	}
	return o, nil
}
