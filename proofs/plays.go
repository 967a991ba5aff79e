package proofs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

var errNoStart = errors.New("the setup does not allow it")

// replay makes a trace of the actions found by an engine, by playing them with the reference
// interpreter. If the interpreter does not allow the play, the engine is at fault: that is an error
// and not a verdict.
func (d *decision) replay(start rules.State, actions []int) (*rules.Trace, error) {
	switch ok, err := d.in.IsStart(start); {
	case errors.As(err, new(*interp.RuleError)):
		return nil, err
	case err != nil || !ok:
		return nil, fmt.Errorf("internal error: a trace for %s begins with no start (%w)", d.inst.Claim.Name, cmp.Or(err, errNoStart))
	}
	return d.play(start, actions)
}

// play is replay from a possibly unreachable state.
func (d *decision) play(from rules.State, actions []int) (*rules.Trace, error) {
	t := &rules.Trace{System: d.sys, Claim: d.inst.Claim.Name, Start: from}
	for i, a := range actions {
		at := t.End()
		to, legal, err := d.in.Do(at, a)
		if err != nil {
			return nil, err
		}
		if !legal {
			return nil, fmt.Errorf("internal error: move %d of a trace for %s does not replay", i+1, t.Claim)
		}
		t.Steps = append(t.Steps, rules.TraceStep{Move: d.in.Notation(a, at), Label: d.sys.Actions[a].Label, State: to})
	}
	return t, nil
}

// replayLasso makes a trace of an infinite play: its stem and one round of the cycle, which must
// lead back to where it began.
func (d *decision) replayLasso(l *forward.Lasso) (*rules.Trace, error) {
	t, err := d.replay(l.Stem.Start, slices.Concat(l.Stem.Actions, l.Cycle))
	if err != nil {
		return nil, err
	}
	if states := t.States(); len(l.Cycle) == 0 || !states[len(l.Stem.Actions)].Equal(t.End()) {
		return nil, fmt.Errorf("internal error: a cycle for %s does not close", t.Claim)
	}
	return t, nil
}

// replayed is a play used as evidence, which the reference interpreter plays again. Unlike the
// plays found by engines it may come from anywhere.
type replayed struct {
	in    *interp.Interp
	sys   *rules.System
	trace *rules.Trace
}

func replayOf(ctx context.Context, t *rules.Trace) *replayed { return replayIn(ctx, t.System, t) }

// replayIn replays a play of another System.
func replayIn(ctx context.Context, sys *rules.System, t *rules.Trace) *replayed {
	return &replayed{in: interp.New(sys).Within(ctx), sys: sys, trace: t}
}

var errElsewhereBegun = errors.New("the play does not begin with a start")

// states lists the states of the play and the actions between them, and checks each step.
func (t *replayed) states(fromStart bool) (states []rules.State, actions []int, err error) {
	at := t.trace.Start
	if fromStart {
		if is, err := t.in.IsStart(at); err != nil || !is {
			return nil, nil, errors.Join(errElsewhereBegun, err)
		}
	}
	for n, s := range t.trace.Steps {
		a, err := t.action(at, s)
		if err != nil {
			return nil, nil, fmt.Errorf("move %d of the play: %w", n+1, err)
		}
		at, actions = s.State, append(actions, a)
	}
	return t.trace.States(), actions, nil
}

// action finds the action of a step.
func (t *replayed) action(at rules.State, s rules.TraceStep) (int, error) {
	steps, _, err := t.in.Legal(at)
	if err != nil {
		return 0, err
	}
	for _, step := range steps {
		if step.To.Equal(s.State) && t.in.Notation(step.Action, at) == s.Move && t.sys.Actions[step.Action].Label == s.Label {
			return step.Action, nil
		}
	}
	return 0, fmt.Errorf("`%s` is not legal, or leads elsewhere", s.Move)
}

// holds fails unless a state satisfies a condition.
func (t *replayed) holds(x rules.Expr, s rules.State, old *rules.State) error {
	is, err := t.in.Holds(x, s, old)
	if err == nil && !is {
		err = errors.New("the play does not show what it should")
	}
	return err
}

// reaches fails unless the play ends with the target, after at most within moves if that is not
// negative.
func (t *replayed) reaches(target rules.Expr, within int) error {
	if _, _, err := t.states(true); err != nil {
		return err
	}
	if within >= 0 && len(t.trace.Steps) > within {
		return fmt.Errorf("the play has more than %d moves", within)
	}
	return t.holds(target, t.trace.End(), nil)
}

// lastStep fails unless the last step is one of the actions, from a state that satisfies from to
// one that satisfies to.
func (t *replayed) lastStep(fromStart bool, by []bool, from, to rules.Expr) error {
	states, actions, err := t.states(fromStart)
	if err != nil {
		return err
	}
	last := len(actions) - 1
	if last < 0 || by != nil && !by[actions[last]] {
		return errors.New("the play does not end with a step that the claim is about")
	}
	if err := t.holds(from, states[last], nil); err != nil {
		return err
	}
	return t.holds(to, states[last+1], &states[last])
}
