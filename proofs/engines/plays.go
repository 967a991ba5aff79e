package engines

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/proofs/result"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

var errNoStart = errors.New("the setup does not allow it")

// Replay makes a trace of the actions found by an engine, by playing them with the reference
// interpreter. If the interpreter does not allow the play, the engine is at fault: that is an error
// and not a verdict.
func (run *Run) Replay(start rules.State, actions []int) (*rules.Trace, error) {
	switch ok, err := run.In.IsStart(start); {
	case errors.As(err, new(*interp.RuleError)):
		return nil, err
	case err != nil || !ok:
		return nil, fmt.Errorf("internal error: a trace for %s begins with no start (%w)", run.Inst.Claim.Name, cmp.Or(err, errNoStart))
	}
	return run.Play(start, actions)
}

// Play is replay from a possibly unreachable state.
func (run *Run) Play(from rules.State, actions []int) (*rules.Trace, error) {
	t := &rules.Trace{System: run.Sys, Claim: run.Inst.Claim.Name, Start: from}
	for i, a := range actions {
		at := t.End()
		to, legal, err := run.In.Do(at, a)
		if err != nil {
			return nil, err
		}
		if !legal {
			return nil, fmt.Errorf("internal error: move %d of a trace for %s does not replay", i+1, t.Claim)
		}
		t.Steps = append(t.Steps, rules.TraceStep{Move: run.In.Notation(a, at), Label: run.Sys.Actions[a].Label, State: to})
	}
	return t, nil
}

// ReplayLasso makes a trace of an infinite play: its stem and one round of the cycle, which must
// lead back to where it began.
func (run *Run) ReplayLasso(l *forward.Lasso) (*rules.Trace, error) {
	t, err := run.Replay(l.Stem.Start, slices.Concat(l.Stem.Actions, l.Cycle))
	if err != nil {
		return nil, err
	}
	if states := t.States(); len(l.Cycle) == 0 || !states[len(l.Stem.Actions)].Equal(t.End()) {
		return nil, fmt.Errorf("internal error: a cycle for %s does not close", t.Claim)
	}
	return t, nil
}

// Shown returns a verdict with the play that shows it, replayed in the System with these values of
// its open parameters.
func (run *Run) Shown(s verdict.Status, engine verdict.Engine, values []int, start rules.State, actions []int) (*result.Result, error) {
	on, err := run.With(values)
	if err != nil {
		return nil, err
	}
	r := on.Result(s, engine, verdict.Play{Moves: len(actions), Shortest: true})
	r.Trace, err = on.Replay(start, actions)
	return r, err
}
