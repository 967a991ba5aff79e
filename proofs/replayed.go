package proofs

import (
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/rules/resolve"
)

// showing is how a play shows the verdict on p; nil if the play is not what the verdict rests on.
func showing(r *Result, p resolve.Property) func(*replayed) error {
	found := r.Status == Proved
	switch p := p.(type) {
	case *resolve.Reach:
		if found == p.Reachable {
			return func(t *replayed) error { return t.reaches(p.Target, p.Within) }
		}
	case *resolve.NeverStuck:
		if !found {
			return func(t *replayed) error { return t.reaches(Holes(r.System), -1) }
		}
	case *resolve.Terminates:
		if !found {
			return func(t *replayed) error { return t.goesOn(p.Within) }
		}
	case *resolve.EveryStep:
		if !found {
			return func(t *replayed) error { return t.breaks(p) }
		}
	case *resolve.StepTo:
		if found != p.Not && r.Engine != Backward { // of states before, some parts may be left open
			return func(t *replayed) error { return t.steps(p) }
		}
	}
	return nil
}

// replayed is a play that the reference interpreter plays once more.
type replayed struct {
	in    *interp.Interp
	sys   *rules.System
	trace *rules.Trace
}

func replayOf(t *rules.Trace) *replayed {
	return &replayed{in: interp.New(t.System), sys: t.System, trace: t}
}

var errElsewhereBegun = errors.New("the play does not begin with a start")

// states lists the states of the play, each of which the step before it leads to, and the actions between them.
func (t *replayed) states(fromStart bool) (states []rules.State, actions []int, err error) {
	at := t.trace.Start
	if fromStart {
		if is, err := t.in.IsStart(at); err != nil || !is {
			return nil, nil, errors.Join(errElsewhereBegun, err)
		}
	}
	states = []rules.State{at}
	for n, s := range t.trace.Steps {
		a, err := t.action(at, s)
		if err != nil {
			return nil, nil, fmt.Errorf("move %d of the play: %w", n+1, err)
		}
		at = s.State
		states, actions = append(states, at), append(actions, a)
	}
	return states, actions, nil
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

func (t *replayed) reaches(target rules.Expr, within int) error {
	states, _, err := t.states(true)
	if err != nil {
		return err
	}
	if within >= 0 && len(t.trace.Steps) > within {
		return fmt.Errorf("the play has more than %d moves", within)
	}
	return t.holds(target, states[len(states)-1], nil)
}

// goesOn fails unless the play comes back to one of its states, or is longer than within.
func (t *replayed) goesOn(within int) error {
	states, _, err := t.states(true)
	if err != nil {
		return err
	}
	last := len(states) - 1
	for _, s := range states[:last] {
		if s.Equal(states[last]) {
			return nil
		}
	}
	if within < 0 || last <= within {
		return errors.New("the play ends")
	}
	return nil
}

// breaks fails unless the last step breaks the claim.
func (t *replayed) breaks(p *resolve.EveryStep) error {
	return t.lastStep(!p.All, p.Actions, p.From, rules.Not{X: p.Gives})
}

func (t *replayed) steps(p *resolve.StepTo) error {
	return t.lastStep(false, p.Actions, p.From, p.To)
}

// lastStep fails unless the last step is one of the actions, from a state that satisfies from to one that satisfies to.
func (t *replayed) lastStep(fromStart bool, by []bool, from, to rules.Expr) error {
	states, actions, err := t.states(fromStart)
	if err != nil {
		return err
	}
	last := len(actions) - 1
	if last < 0 || by != nil && !by[actions[last]] {
		return errors.New("the play does not end with a step that the claim speaks of")
	}
	if err := t.holds(from, states[last], nil); err != nil {
		return err
	}
	return t.holds(to, states[last+1], &states[last])
}
