// Package interp is the reference interpreter: it plays a System seed by seed, the obvious and slow
// way. It is the judge: what a rule means is what this package does, and every faster engine is
// tested against it.
//
//	interp.go  legal moves, turns and endings
//	numbers.go the domain of numbers, for package exec
//	start.go   what a start is; layout.go starts that are over before the first move
//	replay.go  moves in their notation
//	errors.go  faults of the rules met in play
package interp

import (
	"errors"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/exec"
)

// Interp plays one System. It has no state of its own and may be used by several goroutines.
type Interp struct {
	sys *rules.System
}

// New makes an interpreter for sys.
func New(sys *rules.System) *Interp { return &Interp{sys: sys} }

// System is the System that is played.
func (in *Interp) System() *rules.System { return in.sys }

// Step is one legal move: the index of its Action, and the settled state it leads to.
type Step struct {
	Action int
	To     rules.State
}

// Steps is Legal for those who want no fault of the rules: one that is met is the error, a
// *RuleError.
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
// Different Actions are different Steps even if they lead to the same state. An action that meets a
// fault of the rules has no step, and other actions are as if it were not legal; fault is one that
// was met, or nil.
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
		to, err := in.conclude(p)
		if err = seen.note(p.action, err); err != nil {
			return nil, err
		}
		if seen.by[p.action] == nil {
			steps = append(steps, Step{Action: p.action, To: to})
		}
	}
	return steps, nil
}

// Do carries out one action in s. It is legal just if Legal lists it; the error tells of a fault
// that this action meets.
func (in *Interp) Do(s rules.State, action int) (to rules.State, legal bool, err error) {
	seen := &faults{}
	steps, err := in.legal(s, seen)
	if err != nil {
		return rules.State{}, false, err
	}
	if fault := seen.by[action]; fault != nil {
		return rules.State{}, false, fault
	}
	for _, st := range steps {
		if st.Action == action {
			return st.To, true, nil
		}
	}
	return rules.State{}, false, nil
}

// Start settles a start: the Endings are looked at, except those at the end of a turn. A fault that
// is met on the way is the error, also one of an action that an Ending asks for.
func (in *Interp) Start(s rules.State) (rules.State, error) {
	if s.Total() == num.Inf {
		return s, in.sys.ManySeeds()
	}
	seen := &faults{}
	settled, err := in.settle(s.Clone(), seen)
	if err == nil && seen.first != nil {
		err = seen.first
	}
	return settled, err
}

// faults notes which actions of a state meet a fault of the rules.
type faults struct {
	first *RuleError
	by    map[int]*RuleError // actions of the state in question
}

// aside notes a fault that is none of an action of the state in question. Other errors are given
// back.
func (f *faults) aside(err error) error {
	var fault *RuleError
	if !errors.As(err, &fault) {
		return err
	}
	if f != nil && f.first == nil {
		f.first = fault
	}
	return nil
}

// note is aside for a fault of an action.
func (f *faults) note(action int, err error) error {
	var fault *RuleError
	if errors.As(err, &fault) {
		if f.by == nil {
			f.by = map[int]*RuleError{}
		}
		f.by[action] = fault
	}
	return f.aside(err)
}

// play is an action whose body was carried out; its run holds the state in which that left the
// board.
type play struct {
	action int
	run    *exec.Run[int]
}

// plays carries out all actions of the mover, and keeps those that are legal apart from `prefer`.
func (in *Interp) plays(s rules.State, seen *faults) ([]play, error) {
	if !s.Live() {
		return nil, nil
	}
	var list []play
	for i := range in.sys.Actions {
		r, legal, err := in.try(s, i, seen)
		if err != nil {
			if err := seen.note(i, err); err != nil {
				return nil, err
			}
			continue
		}
		if legal {
			list = append(list, play{action: i, run: r})
		}
	}
	return list, nil
}

// try carries out the body of an action on a copy of s.
func (in *Interp) try(s rules.State, action int, seen *faults) (*exec.Run[int], bool, error) {
	a := &in.sys.Actions[action]
	if a.Mover != s.Mover {
		return nil, false, nil
	}
	d := in.begin(s.Clone(), a.Locals, in.sys.Moves[a.Move].At)
	d.seen = seen
	legal, err := d.run.Perform(a)
	return &d.run, legal, err
}

// preferred keeps the plays of the greatest rank.
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

// settle looks at the Endings in a live state that is none of the end of a turn.
func (in *Interp) settle(s rules.State, seen *faults) (rules.State, error) {
	d := in.begin(s, 0, in.sys.Start.At)
	d.seen = seen
	settled, err := exec.Settle(d, in.sys, d.run.S, s.Mover, false)
	return rules.State(settled), err
}

// CanMove tells whether s has a legal move. `prefer` chooses among legal moves, so it plays no
// part. An action whose guard or body meets a fault of the rules is not legal. What endings say
// after an action plays no part either: they may ask for moves themselves.
func (in *Interp) CanMove(s rules.State) (bool, error) { return in.canMove(s, nil) }

func (in *Interp) canMove(s rules.State, seen *faults) (bool, error) {
	if !s.Live() {
		return false, nil
	}
	for i := range in.sys.Actions {
		_, legal, err := in.try(s, i, seen)
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
