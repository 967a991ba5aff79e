package enumerate

import (
	"encoding/binary"
	"errors"

	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/rules"
)

// key encodes a state.
func key(s rules.State) string { return string(appendKey(nil, s)) }

// appendKey appends the code of a state. Lists of one System have fixed lengths, so different
// states have different ones.
func appendKey(k []byte, s rules.State) []byte {
	k = binary.AppendVarint(binary.AppendVarint(k, int64(s.Outcome)), int64(s.Mover))
	for _, n := range s.Vars {
		k = binary.AppendVarint(k, int64(n))
	}
	for _, n := range s.Seeds {
		k = binary.AppendVarint(k, int64(n))
	}
	return k
}

// add returns the number of a state, and numbers a copy of it if it is new.
func (g *Graph) add(s rules.State, depth int) (n int, isNew bool, err error) {
	g.key = appendKey(g.key[:0], s)
	if n, known := g.number[string(g.key)]; known {
		return n, false, nil
	}
	n = len(g.states)
	g.number[string(g.key)] = n
	g.states, g.depth, g.steps = append(g.states, g.kept(s)), append(g.depth, depth), append(g.steps, nil)
	return n, true, g.budget.state()
}

// kept is a copy of a state. The lists of many lie in one.
func (g *Graph) kept(s rules.State) rules.State {
	n := len(s.Seeds) + len(s.Vars)
	if cap(g.lists)-len(g.lists) < n {
		g.lists = make([]int, 0, n*min(len(g.states)+1, 256))
	}
	begin := len(g.lists)
	g.lists = append(append(g.lists, s.Seeds...), s.Vars...)
	list := g.lists[begin:len(g.lists):len(g.lists)]
	s.Seeds, s.Vars = list[:len(s.Seeds):len(s.Seeds)], list[len(s.Seeds):]
	return s
}

// layOut adds all starts. Different layouts may settle to the same start, which counts once.
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
		n, isNew, err := g.add(s, 0)
		if isNew {
			g.starts = append(g.starts, n)
		}
		return err
	})
	var hard *cert.NeedsSolver
	if errors.As(err, &hard) {
		return &UnfitError{hard.Reason}
	}
	return err
}

// fault marks an error of the interpreter as a fault of the rules.
func fault(err error) error {
	if err == nil {
		return nil
	}
	return &FaultError{err}
}

// errEnough ends a walk early.
var errEnough = errors.New("enough")

// walk visits the states from number n on in the order of their numbers, including those that it
// adds. It calls see for each state before it plays the steps of it; see may end the walk with
// errEnough. If depth is not negative, no state farther from the starts than depth is added.
func (g *Graph) walk(n, depth int, see func(n int) error) error {
	for ; n < len(g.states); n++ {
		if g.ctx.Err() != nil {
			return g.ctx.Err()
		}
		if err := see(n); err != nil {
			if errors.Is(err, errEnough) {
				return nil
			}
			return err
		}
		if depth >= 0 && g.depth[n] >= depth {
			continue
		}
		if err := g.play(n); err != nil {
			return err
		}
	}
	return nil
}

// play plays all moves of a state.
func (g *Graph) play(n int) error {
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
	return g.walk(0, -1, func(int) error { return nil })
}

// holds evaluates a condition in a state.
func (g *Graph) holds(x rules.Expr, n int) (bool, error) {
	is, err := g.in.Holds(x, g.states[n], nil)
	return is, fault(err)
}
