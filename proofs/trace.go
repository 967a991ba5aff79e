package proofs

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

var errNoStart = errors.New("the setup does not allow it")

// replay makes a trace of the actions an engine found, by playing them with the reference interpreter. An engine that found a
// play which the interpreter does not allow is at fault, and that is an error and no verdict.
func replay(in *interp.Interp, claim string, start rules.State, actions []int) (*rules.Trace, error) {
	sys := in.System()
	switch ok, err := in.IsStart(start); {
	case errors.As(err, new(*interp.RuleError)):
		return nil, err
	case err != nil || !ok:
		return nil, fmt.Errorf("internal error: a trace for %s begins with no start (%w)", claim, cmp.Or(err, errNoStart))
	}
	t := &rules.Trace{System: sys, Claim: claim, Start: start}
	at := start
	for i, a := range actions {
		to, legal, err := in.Do(at, a)
		if err != nil {
			return nil, err
		}
		if !legal {
			return nil, fmt.Errorf("internal error: move %d of a trace for %s does not replay", i+1, claim)
		}
		t.Steps = append(t.Steps, rules.TraceStep{Move: in.Notation(a, at), Label: sys.Actions[a].Label, State: to})
		at = to
	}
	return t, nil
}

// replayLasso makes a trace of an infinite play: its stem and one round of the cycle, which must lead back to where it began.
func replayLasso(in *interp.Interp, claim string, l *forward.Lasso) (*rules.Trace, error) {
	t, err := replay(in, claim, l.Stem.Start, slices.Concat(l.Stem.Actions, l.Cycle))
	if err != nil {
		return nil, err
	}
	stem := *t
	stem.Steps = t.Steps[:len(l.Stem.Actions)]
	if len(l.Cycle) == 0 || !end(&stem).Equal(end(t)) {
		return nil, fmt.Errorf("internal error: a cycle for %s does not close", claim)
	}
	return t, nil
}

// end is the last state of a trace.
func end(t *rules.Trace) rules.State {
	if len(t.Steps) == 0 {
		return t.Start
	}
	return t.Steps[len(t.Steps)-1].State
}

// reaches checks that a trace ends in a state that satisfies goal.
func reaches(in *interp.Interp, t *rules.Trace, goal rules.Expr) error {
	ok, err := in.Holds(goal, end(t), nil)
	if err == nil && !ok {
		err = fmt.Errorf("internal error: a trace for %s does not end where it should", t.Claim)
	}
	return err
}

// oneStep is the trace of a single step from a state that need not be reachable.
func oneStep(in *interp.Interp, claim string, from rules.State, st interp.Step) *rules.Trace {
	sys := in.System()
	return &rules.Trace{System: sys, Claim: claim, Start: from, Steps: []rules.TraceStep{{
		Move: in.Notation(st.Action, from), Label: sys.Actions[st.Action].Label, State: st.To,
	}}}
}
