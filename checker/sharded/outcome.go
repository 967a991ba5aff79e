package sharded

import (
	"context"
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/phase"
	"github.com/mancheck/mancheck/rules"
)

// Outcome is the result of a search.
type Outcome struct {
	Stats forward.Stats
	Trace *forward.Trace // a shortest play to the goal, or to a state with a fault of the rules
	Fault string         // of the rules, in the last state of Trace
}

// ErrUnfinished is the error for a search that has phases left.
var ErrUnfinished = errors.New("not all phases are done")

// WrongError says that the check of a search failed: the result must not be trusted.
type WrongError struct{ What string }

func (e *WrongError) Error() string {
	return "the check contradicts the search: " + e.What
}

// Outcome returns the result of the search, from its last phase. The error is ErrUnfinished, a
// *WrongError, or an error of replaying the trace.
func (s *Search) Outcome(ctx context.Context, last *phase.Phase) (*Outcome, error) {
	if last == nil || last.Name != donePhase {
		return nil, ErrUnfinished
	}
	st := new(state)
	if err := decode(last.State, st); err != nil {
		return nil, err
	}
	if st.Wrong != "" {
		return nil, &WrongError{st.Wrong}
	}
	if len(st.Figures.Finished) == 0 { // there are no starts
		st.Figures.Finished, st.Figures.Into = make([]int64, len(s.sys.Outcomes)), make([]int64, len(s.sys.Players)+len(s.sys.Outcomes))
	}
	o := &Outcome{Stats: st.Figures.Stats(s.sys, st.Sizes)}
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
