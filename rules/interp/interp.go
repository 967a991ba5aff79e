// Package interp is the reference interpreter: it plays a System seed by seed, the obvious and slow way. It is the
// judge: what a rule means is what this package does, and every faster engine is tested against it.
//
//	interp.go  legal moves, turns and endings
//	exec.go    statements, and the sowing
//	eval.go    expressions
//	start.go   what a start is; layout.go starts that are over before the first move
//	replay.go  moves in their notation
//	errors.go  faults of the rules met in play
package interp

import (
	"errors"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
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

// Steps is Legal for those who want no fault of the rules: one that is met is the error, a *RuleError.
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

// Legal lists the legal moves of s in the order of the System's Actions; a finished state has none. Different
// Actions are different Steps even if they lead to the same state. An action that meets a fault of the rules has no step, and other
// actions are as if it were not legal; fault is one that was met, or nil.
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
		to, err := in.conclude(p, seen)
		if err = seen.note(p.action, err); err != nil {
			return nil, err
		}
		if seen.by[p.action] == nil {
			steps = append(steps, Step{Action: p.action, To: to})
		}
	}
	return steps, nil
}

// Do carries out one action in s. It is legal just if Legal lists it; the error tells of a fault that this action meets.
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

// Start settles a start: the Endings are looked at, except those at the end of a turn. A fault that is met on the way is the error, also
// one of an action that an Ending asks for.
func (in *Interp) Start(s rules.State) (rules.State, error) {
	if s.Total() == num.Inf {
		return s, in.sys.ManySeeds()
	}
	seen := &faults{}
	settled, err := in.settle(s.Clone(), false, seen)
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

// aside notes a fault that is none of an action of the state in question. Other errors are given back.
func (f *faults) aside(err error) error {
	if err == nil {
		return nil
	}
	var fault *RuleError
	if !errors.As(err, &fault) {
		return err
	}
	if f.first == nil {
		f.first = fault
	}
	return nil
}

// note is aside for a fault of an action.
func (f *faults) note(action int, err error) error {
	if err == nil {
		return nil
	}
	var fault *RuleError
	if errors.As(err, &fault) {
		if f.by == nil {
			f.by = map[int]*RuleError{}
		}
		f.by[action] = fault
	}
	return f.aside(err)
}

// play is an action whose body was carried out; its run holds the state in which that left the board.
type play struct {
	action int
	run    *run
}

// plays carries out all actions of the mover, and keeps those that are legal apart from `prefer`.
func (in *Interp) plays(s rules.State, seen *faults) ([]play, error) {
	if !s.Live() {
		return nil, nil
	}
	var list []play
	for i := range in.sys.Actions {
		r, legal, err := in.try(s, i)
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
func (in *Interp) try(s rules.State, action int) (*run, bool, error) {
	a := &in.sys.Actions[action]
	if a.Mover != s.Mover {
		return nil, false, nil
	}
	r := in.newRun(s.Clone(), a.Locals, in.sys.Moves[a.Move].At)
	if a.Guard != nil {
		if ok, err := r.holds(a.Guard); err != nil || !ok {
			return nil, false, err
		}
	}
	how, err := r.block(a.Body)
	return r, how != illegal, err
}

// preferred keeps the plays of the greatest rank.
func preferred(plays []play) []play {
	var best []play
	for _, p := range plays {
		if len(best) > 0 && p.run.rank > best[0].run.rank {
			best = nil
		}
		if len(best) == 0 || p.run.rank == best[0].run.rank {
			best = append(best, p)
		}
	}
	return best
}

// conclude passes the turn and settles.
func (in *Interp) conclude(p play, seen *faults) (rules.State, error) {
	s := *p.run.s
	if !s.Live() {
		return s, nil
	}
	players := len(in.sys.Players)
	before := s.Mover
	if !p.run.again {
		s.Mover = (before + 1) % players
	}
	return in.settle(s, s.Mover != before || players == 1, seen)
}

// settle looks at the Endings in a live state, which it may change.
func (in *Interp) settle(s rules.State, turnEnd bool, seen *faults) (rules.State, error) {
	for i := range in.sys.Endings {
		e := &in.sys.Endings[i]
		if e.AtTurnEnd && !turnEnd {
			continue
		}
		holds, err := in.ends(e, s, seen)
		if err != nil {
			return s, err
		}
		if holds {
			return in.finish(e, s)
		}
	}
	return s, nil
}

// ends tells whether the condition of an Ending holds.
func (in *Interp) ends(e *rules.Ending, s rules.State, seen *faults) (bool, error) {
	if e.NoMove {
		can, err := in.canMove(s, seen)
		return !can, err
	}
	r := in.newRun(s, 0, in.sys.Outcomes[e.Outcome].At)
	return r.holds(e.By[s.Mover].When)
}

// CanMove tells whether s has a legal move. `prefer` chooses among legal moves, so it plays no part. An action whose guard or body meets a
// fault of the rules is not legal. What endings say after an action plays no part either: they may ask for moves themselves.
func (in *Interp) CanMove(s rules.State) (bool, error) { return in.canMove(s, &faults{}) }

func (in *Interp) canMove(s rules.State, seen *faults) (bool, error) {
	if !s.Live() {
		return false, nil
	}
	for i := range in.sys.Actions {
		_, legal, err := in.try(s, i)
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

// finish carries out the body of an Ending and closes the game.
func (in *Interp) finish(e *rules.Ending, s rules.State) (rules.State, error) {
	by := e.By[s.Mover]
	at := in.sys.Outcomes[e.Outcome].At
	r := in.newRun(s, by.Locals, at)
	how, err := r.block(by.Body)
	if err != nil {
		return s, err
	}
	if how == illegal {
		return s, impossibleEnding(at, in.sys.Outcomes[e.Outcome].Label)
	}
	if r.s.Live() {
		r.end(e.Outcome)
	}
	return *r.s, nil
}
