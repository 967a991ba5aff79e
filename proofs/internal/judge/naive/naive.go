// Package naive finds what best play leads to by playing all plays with the reference interpreter
// and going over all states until nothing changes. It is what tests compare strategies with.
//
//	naive.go  the states that plays come to
//	value.go  what positions are worth; force.go what a player can force
package naive

import (
	"context"
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/interp"
)

// graph has the states that play comes to from some positions, and the steps between them.
type graph struct {
	ctx    context.Context
	in     *interp.Interp
	states []rules.State
	number map[string]int // of a state, by its text
	starts []int          // distinct
	steps  [][]edge       // by state
}

// edge is a step: its action and the number of the state that it leads to.
type edge struct{ action, to int }

// errMany says that there are more states than may be looked at.
var errMany = errors.New("there are too many states")

// triesPerState is how many boards may be tried for each state in search of starts.
const triesPerState = 20

// explore finds the states that play comes to from the positions of a claim.
func explore(ctx context.Context, sys *rules.System, most int, place *build.Place) (*graph, error) {
	g := &graph{ctx: ctx, in: interp.New(sys).Within(ctx), number: map[string]int{}}
	begin := func(raw rules.State) error {
		st, err := g.in.Start(raw)
		if err != nil {
			return err
		}
		t, err := g.in.Replay(st, place.After)
		if err != nil {
			return err
		}
		if n, isNew := g.add(t.End()); isNew {
			g.starts = append(g.starts, n)
		}
		if len(g.states) > most {
			return errMany
		}
		return nil
	}
	var err error
	if place.From != nil {
		err = begin(*place.From)
	} else {
		err = cert.Layouts(ctx, sys, most*triesPerState, func(raw rules.State) error {
			is, err := g.in.SetupHolds(raw)
			if err != nil || !is {
				return err
			}
			return begin(raw)
		})
	}
	for n := 0; n < len(g.states) && err == nil; n++ {
		if err = g.play(n); err == nil && len(g.states) > most {
			err = errMany
		}
	}
	return g, err
}

// add returns the number of a state, which it is given if it has none.
func (g *graph) add(s rules.State) (n int, isNew bool) {
	key := fmt.Sprint(s)
	n, known := g.number[key]
	if !known {
		n = len(g.states)
		g.number[key], g.states = n, append(g.states, s.Clone())
	}
	return n, !known
}

// play plays all moves of a state.
func (g *graph) play(n int) error {
	steps, err := g.in.Steps(g.states[n])
	var list []edge
	for _, s := range steps {
		to, _ := g.add(s.To)
		list = append(list, edge{s.Action, to})
	}
	g.steps = append(g.steps, list)
	return err
}

// ends reports whether every play ends.
func (g *graph) ends() bool {
	const open, done = 1, 2
	seen := make([]int, len(g.states))
	var visit func(n int) bool
	visit = func(n int) bool {
		if seen[n] != 0 {
			return seen[n] == done
		}
		seen[n] = open
		for _, e := range g.steps[n] {
			if !visit(e.to) {
				return false
			}
		}
		seen[n] = done
		return true
	}
	for _, n := range g.starts {
		if !visit(n) {
			return false
		}
	}
	return true
}
