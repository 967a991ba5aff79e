package interp

import "github.com/mancheck/mancheck/rules"

// Player lists the moves of one state after another in the same memory, which takes less time. It
// is for one goroutine.
type Player struct {
	in    *Interp
	runs  []*numbers
	plays []play
	steps []Step
	seen  faults
}

// Player makes a Player.
func (in *Interp) Player() *Player { return &Player{in: in} }

// Steps is Interp.Steps. The list and its states are overwritten by the next call.
func (p *Player) Steps(s rules.State) ([]Step, error) {
	p.seen = noFaults()
	steps, err := p.legal(s, &p.seen)
	if err == nil && p.seen.first != nil {
		err = p.seen.first
	}
	if err != nil {
		return nil, err
	}
	return steps, nil
}

// Do is Interp.Do, but tries no other action, unless their ranks decide whether this one is legal.
// The state is overwritten by the next call.
func (p *Player) Do(s rules.State, action int) (to rules.State, legal bool, err error) {
	if !s.Live() || p.in.program.Ranked()[s.Mover] {
		return p.among(s, action)
	}
	d := p.run(0)
	if legal, err = p.in.try(d, s, action, nil); err == nil && legal {
		to, err = play{action, d}.conclude()
	}
	return to, legal && err == nil, err
}

// among is Do by listing the moves.
func (p *Player) among(s rules.State, action int) (to rules.State, legal bool, err error) {
	seen := noFaults()
	steps, err := p.legal(s, &seen)
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

// CanMove is Interp.CanMove. The error may be a fault of an action that was tried.
func (p *Player) CanMove(s rules.State) (bool, error) {
	p.seen = noFaults()
	can, err := p.in.canMove(p.run(0), s, true, &p.seen)
	if err == nil && p.seen.first != nil {
		err = p.seen.first
	}
	return can, err
}

func (p *Player) legal(s rules.State, seen *faults) ([]Step, error) {
	if err := p.play(s, seen); err != nil {
		return nil, err
	}
	p.steps = p.steps[:0]
	for _, one := range preferred(p.plays) {
		seen.concluded = one.action
		to, err := one.conclude()
		if err == nil {
			p.steps = append(p.steps, Step{Action: one.action, To: to})
		} else if err = seen.note(one.action, err); err != nil {
			return nil, err
		}
	}
	return p.steps, nil
}

// play is an action whose body was executed; its run holds the resulting state.
type play struct {
	action int
	*numbers
}

// play executes all actions of the mover, and keeps those that are legal apart from `prefer`.
func (p *Player) play(s rules.State, seen *faults) error {
	p.plays = p.plays[:0]
	if !s.Live() {
		return nil
	}
	for i := range p.in.sys.Actions {
		d := p.run(len(p.plays)) // serves until an action is legal
		legal, err := p.in.try(d, s, i, seen)
		if err != nil {
			err = seen.note(i, err)
		} else if legal {
			p.plays = append(p.plays, play{i, d})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// run is the memory of the run of the nth legal action.
func (p *Player) run(n int) *numbers {
	if n == len(p.runs) {
		p.runs = append(p.runs, &numbers{})
	}
	return p.runs[n]
}

// preferred returns the plays of the greatest rank, in the memory of all.
func preferred(plays []play) []play {
	best := plays[:0]
	for _, p := range plays {
		if len(best) > 0 && p.run.Rank > best[0].run.Rank {
			best = best[:0]
		}
		if len(best) == 0 || p.run.Rank == best[0].run.Rank {
			best = append(best, p)
		}
	}
	return best
}

// conclude passes the turn and settles.
func (p play) conclude() (rules.State, error) {
	err := p.run.Conclude(p.in.sys.Actions[p.action].Mover)
	return rules.State(p.run.S), err
}
