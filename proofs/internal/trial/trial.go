// Package trial puts formulas to the compiled stepper (package residual). A verdict that rests on
// formulas alone has no play and no list of states that could be checked, and the formulas come
// from the executor that the certificate checker and the interpreter share. So before a solver is
// asked about a System, its formulas are evaluated in many states, and must say of each just the
// steps that the stepper makes from it, whose programs share no code with them.
package trial

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
	"github.com/mancheck/mancheck/smt/encode"
)

// Steps compares the steps that the interpreter lists for a state with the stepper's. A search of
// single steps plays with the interpreter, and its verdict is checked by the executor that both
// share. The error is a *MismatchError.
func Steps(m *residual.Player, s rules.State, listed []interp.Step) error {
	sys := m.System()
	flat := pack.NewFlat(sys)
	flat.Set(s)
	next := 0
	for action := range sys.Actions {
		to, legal, err := m.Do(flat, action)
		switch {
		case errors.As(err, new(*rules.LimitError)):
			return nil // the interpreter has reached it, too, or was not asked
		case err != nil && !errors.As(err, new(*interp.RuleError)):
			return err
		}
		is := next < len(listed) && listed[next].Action == action
		if is != legal || is && !to.View(sys).Equal(listed[next].To) {
			return mismatch(sys, s, "`%s` is played: %t, and listed: %t", sys.Actions[action].Label, legal, is)
		}
		if is {
			next++
		}
	}
	return nil
}

// Limits of one trial. Large formulas are evaluated in fewer states.
const (
	maxStates = 2000
	maxWork   = 20_000_000 // terms computed
	minStates = 20
)

// MismatchError says that the compiled stepper and another reading of the rules disagree. It is an
// internal error.
type MismatchError struct{ Reason string }

func (e *MismatchError) Error() string {
	return "internal error: the compiled stepper and another reading of the rules disagree: " + e.Reason
}

// Encoding compares the formulas of sys with the stepper, in states drawn by seed: those with few
// seeds, in which most conditions change, and others. The error is a *MismatchError, or one of the
// stepper's.
func Encoding(sys *rules.System, enc *encode.Encoder) error {
	t := &trial{sys: sys, m: residual.NewPlayer(context.Background(), sys, rules.Parts{}, nil), formulas: enc.NewConcrete(), rnd: rand.New(rand.NewPCG(1, 2))}
	for range min(maxStates, max(minStates, maxWork/max(1, t.formulas.Size()))) {
		if err := t.state(t.draw()); err != nil {
			return err
		}
	}
	return nil
}

type trial struct {
	sys      *rules.System
	m        *residual.Player
	formulas *encode.Concrete
	rnd      *rand.Rand
}

// draw makes up a live state of the right shape.
func (t *trial) draw() rules.State {
	s := t.sys.EmptyStart()
	s.Mover = t.rnd.IntN(len(t.sys.Players))
	most := []int{1, 2, 3, 3 * len(t.sys.Pits)}[t.rnd.IntN(4)]
	for p := range s.Seeds {
		if t.rnd.IntN(4) > 0 {
			s.Seeds[p] = t.rnd.IntN(most + 1)
		}
	}
	for i := range s.Vars {
		domain := t.sys.Vars[i].Domain
		s.Vars[i] = domain[t.rnd.IntN(len(domain))]
	}
	return s
}

// state compares the steps from one state.
func (t *trial) state(s rules.State) error {
	steps, known := t.formulas.Steps(s)
	if !known {
		return nil
	}
	flat := pack.NewFlat(t.sys)
	flat.Set(s)
	for action := range t.sys.Actions {
		to, is, err := t.m.Do(flat, action)
		if _, is := errors.AsType[*rules.LimitError](err); is {
			return nil // formulas compute with numbers of any size
		}
		if err != nil {
			return mismatch(t.sys, s, "the stepper says %v, the formulas say nothing of it", err)
		}
		list := steps[action]
		if len(list) > 1 || is != (len(list) == 1) || is && !to.View(t.sys).Equal(list[0]) {
			return mismatch(t.sys, s, "`%s`: %v is played, %v is in the formulas", t.sys.Actions[action].Label, to, list)
		}
	}
	return nil
}

func mismatch(sys *rules.System, s rules.State, format string, args ...any) error {
	return &MismatchError{fmt.Sprintf("%s from %v: %s", sys.Name, s, fmt.Sprintf(format, args...))}
}
