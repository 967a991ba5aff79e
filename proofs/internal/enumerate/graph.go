package enumerate

import (
	"encoding/binary"
	"errors"

	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// key encodes a state. Lists of one System have fixed lengths, so different states have different
// keys.
func key(s rules.State) string {
	k := make([]byte, 0, 2*(len(s.Seeds)+len(s.Vars)+2))
	for _, list := range [][]int{{s.Outcome, s.Mover}, s.Vars, s.Seeds} {
		for _, n := range list {
			k = binary.AppendVarint(k, int64(n))
		}
	}
	return string(k)
}

// add returns the number of a state, and numbers a copy of it if it is new.
func (g *Graph) add(s rules.State, depth int) (n int, isNew bool, err error) {
	n, isNew = g.table.add(s)
	if !isNew {
		return n, false, nil
	}
	g.depth, g.steps = append(g.depth, depth), append(g.steps, nil)
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
	for n := 0; n < g.number; n++ {
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
	steps, err := g.player.Steps(g.state(n))
	if err != nil {
		return fault(err)
	}
	if err := g.budget.step(len(steps)); err != nil {
		return err
	}
	begin := g.room(len(steps))
	for _, s := range steps {
		to, _, err := g.add(s.To, g.depth[n]+1)
		if err != nil {
			return err
		}
		g.edges = append(g.edges, edge{s.Action, to})
	}
	g.steps[n] = g.edges[begin:len(g.edges):len(g.edges)]
	return nil
}

// room makes room for n steps in the list that those of many states lie in, and returns where they
// begin.
func (g *Graph) room(n int) int {
	if cap(g.edges)-len(g.edges) < n {
		g.edges = make([]edge, 0, max(n, min(4*len(g.steps), 4096)))
	}
	return len(g.edges)
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
	is, err := x.Holds(g.state(n), nil)
	return is, fault(err)
}
