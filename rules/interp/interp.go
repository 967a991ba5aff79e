// Package interp is the reference interpreter: it plays a System seed by seed, in the obvious and
// slow way. It defines what rules mean, and every faster engine is tested against it.
//
//	interp.go  legal moves and turns
//	numbers.go the domain of numbers, for package exec
//	start.go   what a start is; layout.go starts that are over before the first move
//	replay.go  moves in their notation
//	errors.go  faults of the rules in play
package interp

import (
	"context"
	"errors"
	"sync"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/exec"
)

// Interp plays one System. It may be used by several goroutines.
type Interp struct {
	sys    *rules.System
	ctx    context.Context
	once   sync.Once
	guards [][]rules.Expr // by action
}

// New makes an interpreter for sys.
func New(sys *rules.System) *Interp { return &Interp{sys: sys, ctx: context.Background()} }

// Within returns an interpreter for the same System that plays until ctx ends. A move may take very
// long, as a sowing of many seeds does. If it ends after ctx, the error is that of ctx.
func (in *Interp) Within(ctx context.Context) *Interp { return &Interp{sys: in.sys, ctx: ctx} }

// System returns the System that is played.
func (in *Interp) System() *rules.System { return in.sys }

// Step is one legal move: the index of its Action, and the settled state it leads to.
type Step struct {
	Action int
	To     rules.State
}

// Steps is Legal with faults of the rules as errors: the first one is returned as a *RuleError.
func (in *Interp) Steps(s rules.State) ([]Step, error) {
	steps, fault, err := in.Legal(s)
	if err == nil && fault != nil {
		err = fault
	}
	if err != nil {
		return nil, err
	}
	return steps, nil
}

// Legal lists the legal moves of s in the order of the System's Actions; a finished state has none.
// Different Actions are different Steps even if they lead to the same state. An action with a fault
// of the rules has no step, and counts as illegal for the other actions; fault is one of these
// faults, or nil.
func (in *Interp) Legal(s rules.State) (steps []Step, fault *RuleError, err error) {
	seen := &faults{}
	steps, err = in.legal(s, seen)
	return steps, seen.first, err
}

func (in *Interp) legal(s rules.State, seen *faults) (steps []Step, err error) {
	plays, err := in.plays(s, seen)
	if err != nil {
		return nil, err
	}
	for _, p := range preferred(plays) {
		seen.concluded = &p.action
		to, err := in.conclude(p)
		if err = seen.note(p.action, err); err != nil {
			return nil, err
		}
		if seen.actions[p.action] == nil {
			steps = append(steps, Step{Action: p.action, To: to})
		}
	}
	return steps, nil
}

// FaultAfter returns the action of s after which the fault of Legal occurs: in what follows the
// move, as where an ending tries the moves of the new state. It is -1 if an action of s itself has
// the fault, or there is none.
func (in *Interp) FaultAfter(s rules.State) int {
	seen := &faults{}
	if _, err := in.legal(s, seen); err != nil || seen.after == nil {
		return -1
	}
	return *seen.after
}

// Do executes one action in s. It is legal if and only if Legal lists it; the error is a fault of
// this action.
func (in *Interp) Do(s rules.State, action int) (to rules.State, legal bool, err error) {
	seen := &faults{}
	steps, err := in.legal(s, seen)
	if err != nil {
		return rules.State{}, false, err
	}
	if fault := seen.actions[action]; fault != nil {
		return rules.State{}, false, fault
	}
	for _, st := range steps {
		if st.Action == action {
			return st.To, true, nil
		}
	}
	return rules.State{}, false, nil
}

// faults records which actions of a state have a fault of the rules.
type faults struct {
	first     *RuleError
	after     *int               // the action after which the first one was met; nil: in the state itself
	concluded *int               // the action whose result is looked at; nil: none
	actions   map[int]*RuleError // actions of the state in question
}

// aside records a fault that does not belong to an action of the current state. It returns other
// errors.
func (f *faults) aside(err error) error {
	var fault *RuleError
	if !errors.As(err, &fault) {
		return err
	}
	if f != nil && f.first == nil {
		f.first, f.after = fault, f.concluded
	}
	return nil
}

// note is aside for a fault of an action.
func (f *faults) note(action int, err error) error {
	var fault *RuleError
	if errors.As(err, &fault) {
		if f.actions == nil {
			f.actions = map[int]*RuleError{}
		}
		f.actions[action] = fault
	}
	return f.aside(err)
}

// play is an action whose body was executed; its run holds the resulting state.
type play struct {
	action int
	run    *exec.Run[int]
}

// plays executes all actions of the mover, and keeps those that are legal apart from `prefer`.
func (in *Interp) plays(s rules.State, seen *faults) ([]play, error) {
	if !s.Live() {
		return nil, nil
	}
	var list []play
	d := &numbers{} // serves until an action is legal
	for i := range in.sys.Actions {
		legal, err := in.try(d, s, i, seen)
		if err != nil {
			if err := seen.note(i, err); err != nil {
				return nil, err
			}
			continue
		}
		if legal {
			list = append(list, play{action: i, run: &d.run})
			d = &numbers{}
		}
	}
	return list, nil
}

// try executes the body of an action on a copy of s, in a run of d.
func (in *Interp) try(d *numbers, s rules.State, action int, seen *faults) (legal bool, err error) {
	a := &in.sys.Actions[action]
	if a.Mover != s.Mover {
		return false, nil
	}
	if err := in.ctx.Err(); err != nil {
		return false, err
	}
	d.begin(in, s, len(a.Locals), in.sys.Moves[a.Move].At)
	d.seen = seen
	for _, part := range in.guard(action) {
		if ok, err := d.run.Holds(part); err != nil || !ok {
			return false, err
		}
	}
	d.run.S = d.run.S.Clone()
	return d.run.Body(a)
}

// guard lists the conditions of an action, which all have to hold. On a wide board a guard joins
// one for each pit, and the first of them is nested so deep that getting there takes longer than
// most answers.
func (in *Interp) guard(action int) []rules.Expr {
	in.once.Do(func() {
		in.guards = make([][]rules.Expr, len(in.sys.Actions))
		for i, a := range in.sys.Actions {
			if a.Guard != nil {
				in.guards[i] = rules.Conjuncts(a.Guard)
			}
		}
	})
	return in.guards[action]
}

// preferred returns the plays of the greatest rank.
func preferred(plays []play) []play {
	var best []play
	for _, p := range plays {
		if len(best) > 0 && p.run.Rank > best[0].run.Rank {
			best = nil
		}
		if len(best) == 0 || p.run.Rank == best[0].run.Rank {
			best = append(best, p)
		}
	}
	return best
}

// conclude passes the turn and settles.
func (in *Interp) conclude(p play) (rules.State, error) {
	s, err := p.run.Conclude(in.sys.Actions[p.action].Mover)
	return rules.State(s), err
}

// settle evaluates the Reactions in a live state that is not the end of a turn.
func (in *Interp) settle(s rules.State, seen *faults) (rules.State, error) {
	d := in.begin(s, 0, in.sys.Start.At)
	d.seen = seen
	settled, err := exec.Settle(d, in.sys, d.run.S, s.Mover, false)
	return rules.State(settled), err
}

// CanMove reports whether s has a legal move. `prefer` only chooses among legal moves, so it does
// not matter. An action whose guard or body meets a fault of the rules is not legal. Reactions
// after an action do not matter either: they may depend on moves themselves.
func (in *Interp) CanMove(s rules.State) (bool, error) { return in.canMove(s, true, nil) }

// canMove is CanMove, which counts fallbacks or not.
func (in *Interp) canMove(s rules.State, fallbacks bool, seen *faults) (bool, error) {
	if !s.Live() {
		return false, nil
	}
	d := &numbers{}
	for i := range in.sys.Actions {
		if in.sys.Actions[i].Fallback && !fallbacks {
			continue
		}
		legal, err := in.try(d, s, i, seen)
		if err != nil {
			if err := seen.aside(err); err != nil {
				return false, err
			}
			continue
		}
		if legal {
			return true, nil
		}
	}
	return false, nil
}
