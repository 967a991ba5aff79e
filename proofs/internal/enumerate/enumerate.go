// Package enumerate is a second opinion on claims: it plays all plays with the reference
// interpreter, state by state, and keeps the states in a table. It is deliberately simple: states
// are neither packed nor sliced, rules are not compiled, and nothing is searched backward.
//
// It shares with the engines only the resolver and the interpreter, which defines what rules mean.
// The boards of the setup are listed by the certificate checker (cert.Layouts), not by rules/space.
//
//	enumerate.go  questions, answers and the budget; the states that plays come to, by number
//	count.go      what is reachable, claims about steps, counts, and starts that can be won
//	ends.go       termination, and strategies
//	value.go      what positions are worth; force.go what a player can force
package enumerate

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// Opinion is what the enumeration says of a property.
type Opinion struct {
	Holds  bool
	Number *big.Int      // of a claim that counts: how many there are
	Found  []rules.State // the starts that can be won, of a claim about these
	Starts int           // distinct starts; if there are none, Holds says nothing about play
	States int           // states that were looked at
}

// BudgetError says that a question takes more states, or more steps, than the budget allows.
type BudgetError struct{ Budget int }

func (e *BudgetError) Error() string {
	return fmt.Sprintf("it would take more than the budget of %d states", e.Budget)
}

// UnfitError says that there is no way to answer a question by playing.
type UnfitError struct{ Reason string }

func (e *UnfitError) Error() string { return e.Reason }

// FaultError says that the rules have a fault in a state that a play comes to.
type FaultError struct{ Err error }

func (e *FaultError) Error() string { return "the rules have a fault in play: " + e.Err.Error() }

// Unwrap is the fault.
func (e *FaultError) Unwrap() error { return e.Err }

// New returns a Graph that answers one question about a System without open parameters. The budget
// n is a number of states that may be looked at. It allows stepsPerState times as many steps, and
// as many tries for the starts. The error of an answer is a *BudgetError, an *UnfitError, a
// *FaultError, or the context's.
func New(ctx context.Context, sys *rules.System, n int) *Graph {
	return graphOf(ctx, sys, &budget{n, n, n * stepsPerState})
}

// stepsPerState is how many steps the budget allows for each of its states.
const stepsPerState = 20

// Graph holds the states found so far, by number, and the steps between them. States are numbered
// in the order in which a breadth-first search finds them, so depth never decreases.
type Graph struct {
	ctx    context.Context
	in     *interp.Interp
	player *interp.Player
	budget *budget
	*table          // of the states
	depth  []int    // moves from the starts
	steps  [][]edge // of states that were looked at
	starts []int    // distinct
	edges  []edge   // the last of steps, in one list
}

// edge is a step: its action and the number of the state that it leads to.
type edge struct{ action, to int }

// budget counts down over all graphs of one question. all is what states began with.
type budget struct{ all, states, steps int }

// graphOf makes another graph that spends the same budget.
func graphOf(ctx context.Context, sys *rules.System, b *budget) *Graph {
	in := interp.New(sys).Within(ctx)
	return &Graph{ctx: ctx, in: in, player: in.Player(), budget: b, table: newTable(sys)}
}

func (b *budget) state() error {
	if b.states--; b.states < 0 {
		return &BudgetError{b.all}
	}
	return nil
}

func (b *budget) step(n int) error {
	if b.steps -= n; b.steps < 0 {
		return &BudgetError{b.all}
	}
	return nil
}

// opinion returns an answer with the figures of this graph.
func (g *Graph) opinion(holds bool) *Opinion {
	return &Opinion{Holds: holds, Starts: len(g.starts), States: g.number}
}

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
func (g *Graph) holds(x rules.Expr, n int) (bool, error) {
	is, err := g.in.Holds(x, g.state(n), nil)
	return is, fault(err)
}

// table numbers states in the order in which they are added. They lie in large lists, and are found
// by their contents: a map would have a text for each.
type table struct {
	pits, width int     // the pits and all parts of a state
	chunks      [][]int // of chunk states each: outcome, mover, seeds, variables
	number      int
	slots       []int32 // numbers plus 1 by hash, or 0; never full
	parts       []int   // those of the last state that was asked for
}

// chunk is how many states lie in one list, but for the first, which grows.
const chunk = 256

func newTable(sys *rules.System) *table {
	return &table{pits: len(sys.Pits), width: 2 + len(sys.Pits) + len(sys.Vars), slots: make([]int32, 16)}
}

// state is the state with a number.
func (t *table) state(n int) rules.State {
	parts := t.at(n)
	return rules.State{Outcome: parts[0], Mover: parts[1], Seeds: parts[2 : 2+t.pits : 2+t.pits], Vars: parts[2+t.pits:]}
}

func (t *table) at(n int) []int {
	begin := n % chunk * t.width
	return t.chunks[n/chunk][begin : begin+t.width : begin+t.width]
}

// add returns the number of a state, which it is given if it has none.
func (t *table) add(s rules.State) (n int, isNew bool) {
	t.parts = append(append(append(t.parts[:0], s.Outcome, s.Mover), s.Seeds...), s.Vars...)
	slot := t.slot(t.parts)
	if n := t.slots[slot]; n > 0 {
		return int(n) - 1, false
	}
	n = t.number
	if n%chunk == 0 {
		t.chunks = append(t.chunks, make([]int, 0, t.width*min(chunk, n+4)))
	}
	last := &t.chunks[n/chunk]
	*last = append(*last, t.parts...)
	t.number++
	t.slots[slot] = int32(t.number)
	if 2*t.number > len(t.slots) {
		t.grow()
	}
	return n, true
}

func (t *table) grow() {
	t.slots = make([]int32, 4*len(t.slots))
	for n := range t.number {
		t.slots[t.slot(t.at(n))] = int32(n + 1)
	}
}

// slot is where a state is, or would be.
func (t *table) slot(parts []int) int {
	const prime = 0x9e3779b97f4a7c15
	h := uint64(0)
	for _, n := range parts {
		h = (h ^ uint64(n)) * prime
		h ^= h >> 32
	}
	mask := len(t.slots) - 1
	for i := int(h) & mask; ; i = (i + 1) & mask {
		if n := t.slots[i]; n == 0 || slices.Equal(parts, t.at(int(n)-1)) {
			return i
		}
	}
}
