package enumerate

import (
	"encoding/binary"
	"errors"

	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
)

// appendKey encodes a state. Lists of one System have fixed lengths, so different states have
// different keys.
func appendKey(key []byte, s rules.State) []byte {
	key = binary.AppendVarint(binary.AppendVarint(key, int64(s.Outcome)), int64(s.Mover))
	for _, n := range s.Vars {
		key = binary.AppendVarint(key, int64(n))
	}
	for _, n := range s.Seeds {
		key = binary.AppendVarint(key, int64(n))
	}
	return key
}

// add returns the number of a state, and numbers a copy of it if it is new.
func (g *Graph) add(s rules.State, depth int) (n int, isNew bool, err error) {
	g.key = appendKey(g.key[:0], s)
	if n, known := g.numbers[string(g.key)]; known {
		return n, false, nil
	}
	n = len(g.states)
	g.numbers[string(g.key)] = n
	g.states, g.depth, g.steps = append(g.states, s.Clone()), append(g.depth, depth), append(g.steps, nil)
	return n, true, g.budget.state()
}

// begin adds a start, which counts once.
func (g *Graph) begin(s rules.State) error {
	n, isNew, err := g.add(s, 0)
	if isNew {
		g.starts = append(g.starts, n)
	}
	return err
}

// layOut adds all starts. Different layouts may settle to the same start.
func (g *Graph) layOut() error {
	tries := g.budget.all * stepsPerState
	err := cert.Layouts(g.ctx, g.in.System(), tries, func(raw rules.State) error {
		is, err := g.in.SetupHolds(raw)
		if err != nil || !is {
			return fault(err)
		}
		s, err := g.in.Start(raw)
		if err != nil {
			return fault(err)
		}
		return g.begin(s)
	})
	if hard, is := errors.AsType[*cert.NeedsSolver](err); is {
		return &UnfitError{hard.Reason}
	}
	return err
}

// Starts returns the number of distinct starts.
func (g *Graph) Starts() (int, error) {
	err := g.layOut()
	return len(g.starts), err
}

// fault marks an error of the interpreter as a fault of the rules.
func fault(err error) error {
	if err == nil {
		return nil
	}
	return &FaultError{err}
}

// walk plays the moves of all states in the order of their numbers, also of those that it adds. If
// depth is not negative, no state farther from the starts than depth is added.
func (g *Graph) walk(depth int) error {
	for n := 0; n < len(g.states); n++ {
		if err := g.play(n, depth); err != nil {
			return err
		}
	}
	return nil
}

// play plays all moves of a state, unless they lead farther from the starts than depth.
func (g *Graph) play(n, depth int) error {
	if g.ctx.Err() != nil || depth >= 0 && g.depth[n] >= depth {
		return g.ctx.Err()
	}
	steps, err := g.player.Steps(g.states[n])
	if err != nil {
		return fault(err)
	}
	if err := g.budget.step(len(steps)); err != nil {
		return err
	}
	g.steps[n] = make([]edge, 0, len(steps))
	for _, s := range steps {
		to, _, err := g.add(s.To, g.depth[n]+1)
		if err != nil {
			return err
		}
		g.steps[n] = append(g.steps[n], edge{s.Action, to})
	}
	return nil
}

// explore adds all reachable states and the steps between them.
func (g *Graph) explore() error {
	if err := g.layOut(); err != nil {
		return err
	}
	return g.walk(-1)
}

// holds evaluates a condition in a state.
func (g *Graph) holds(x *interp.Reader, n int) (bool, error) {
	is, err := x.Holds(g.states[n], nil)
	return is, fault(err)
}

// Reach looks for a state that satisfies the target, within a number of moves unless that is
// negative. reachable is whether the claim says that there is one.
func (g *Graph) Reach(target rules.Expr, within int, reachable bool) (*Opinion, error) {
	if err := g.layOut(); err != nil {
		return nil, err
	}
	cond := g.in.Reader(target)
	for n := 0; n < len(g.states); n++ {
		if is, err := g.holds(cond, n); err != nil || is {
			return g.opinion(reachable), err
		}
		if err := g.play(n, within); err != nil {
			return nil, err
		}
	}
	return g.opinion(!reachable), nil
}

// EveryStep looks for a step of a reachable state for which the claim is false: one from a state
// that satisfies From, by one of Actions, to a state that does not satisfy Gives.
func (g *Graph) EveryStep(p *build.EveryStep) (*Opinion, error) {
	if err := g.explore(); err != nil {
		return nil, err
	}
	from, gives := g.in.Reader(p.From), g.in.Reader(p.Gives)
	for n := range len(g.states) {
		s := g.states[n]
		concerned, err := g.holds(from, n)
		if err != nil {
			return nil, err
		}
		for _, e := range g.steps[n] {
			if !concerned || !rules.Counts(p.Actions, e.action) {
				continue
			}
			is, err := gives.Holds(g.states[e.to], &s)
			if err != nil {
				return nil, fault(err)
			}
			if !is {
				return g.opinion(false), nil
			}
		}
	}
	return g.opinion(true), nil
}
