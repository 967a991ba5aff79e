package confirm

import (
	"context"
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// Replay is a play used as evidence, which the reference interpreter plays again. Unlike the plays
// found by engines it may come from anywhere.
type Replay struct {
	In    *interp.Interp
	Trace *rules.Trace
}

// ReplayOf replays a play in its own System.
func ReplayOf(ctx context.Context, t *rules.Trace) *Replay { return ReplayIn(ctx, t.System, t) }

// ReplayIn replays a play of another System.
func ReplayIn(ctx context.Context, sys *rules.System, t *rules.Trace) *Replay {
	return &Replay{In: interp.New(sys).Within(ctx), Trace: t}
}

var errElsewhereBegun = errors.New("the play does not begin with a start")

// States lists the states of the play and the actions between them, and checks each step.
func (t *Replay) States(fromStart bool) (states []rules.State, actions []int, err error) {
	at := t.Trace.Start
	if fromStart {
		if is, err := t.In.IsStart(at); err != nil || !is {
			return nil, nil, errors.Join(errElsewhereBegun, err)
		}
	}
	for n, s := range t.Trace.Steps {
		a, err := t.action(at, s)
		if err != nil {
			return nil, nil, fmt.Errorf("move %d of the play: %w", n+1, err)
		}
		at, actions = s.State, append(actions, a)
	}
	return t.Trace.States(), actions, nil
}

// action finds the action of a step.
func (t *Replay) action(at rules.State, s rules.TraceStep) (int, error) {
	steps, _, err := t.In.Legal(at)
	if err != nil {
		return 0, err
	}
	for _, step := range steps {
		if step.To.Equal(s.State) && t.In.Notation(step.Action, at) == s.Move && t.In.System().Actions[step.Action].Label == s.Label {
			return step.Action, nil
		}
	}
	return 0, fmt.Errorf("`%s` is not legal, or leads elsewhere", s.Move)
}

// Holds fails unless a state satisfies a condition.
func (t *Replay) Holds(x rules.Expr, s rules.State, old *rules.State) error {
	is, err := t.In.Holds(x, s, old)
	if err == nil && !is {
		err = errors.New("the play does not show what it should")
	}
	return err
}

// Reaches fails unless the play ends with the target, after at most within moves if that is not
// negative.
func (t *Replay) Reaches(target rules.Expr, within int) error {
	if _, _, err := t.States(true); err != nil {
		return err
	}
	if within >= 0 && len(t.Trace.Steps) > within {
		return fmt.Errorf("the play has more than %d moves", within)
	}
	return t.Holds(target, t.Trace.End(), nil)
}

// LastStep fails unless the last step is one of the actions, from a state that satisfies from to
// one that satisfies to.
func (t *Replay) LastStep(fromStart bool, by []bool, from, to rules.Expr) error {
	states, actions, err := t.States(fromStart)
	if err != nil {
		return err
	}
	last := len(actions) - 1
	if last < 0 || by != nil && !by[actions[last]] {
		return errors.New("the play does not end with a step that the claim is about")
	}
	if err := t.Holds(from, states[last], nil); err != nil {
		return err
	}
	return t.Holds(to, states[last+1], &states[last])
}

// GoesOn fails unless the play returns to one of its states, or is longer than within.
func (t *Replay) GoesOn(within int) error {
	if _, _, err := t.States(true); err != nil {
		return err
	}
	if t.Trace.Loop() < 0 && (within < 0 || len(t.Trace.Steps) <= within) {
		return errors.New("the play ends")
	}
	return nil
}
