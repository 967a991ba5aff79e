package forward

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"

	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/rules"
)

// edges lists the steps between states with numbers: the numbers of the successors, state after
// state, in the order of the actions.
type edges struct {
	first []uint64 // by state: where its successors begin
	to    []uint32
}

// of lists the successors of state i.
func (e *edges) of(i int) []uint32 {
	if i >= len(e.first) {
		return nil
	}
	end := uint64(len(e.to))
	if i+1 < len(e.first) {
		end = e.first[i+1]
	}
	return e.to[e.first[i]:end]
}

// maxNumbered bounds the states of a graph: their numbers, and the moves of plays through them,
// have 32 bits.
const maxNumbered = math.MaxInt32 - 1

// numbered returns a limit on states that keeps them below maxNumbered; 0 is none.
func numbered(limit int64) int64 {
	if limit == 0 || limit > maxNumbered {
		return maxNumbered
	}
	return limit
}

// graph is the states that a search has found, numbered level after level in the order of their
// keys, and their steps.
type graph struct {
	*search
	set    *pack.Set
	starts int // the first states are the starts
	parts  []edges
	size   atomic.Int64 // bytes of the parts
}

// partStates is the number of states in a part of a graph.
const partStates = blockStates

// exploreGraph explores all states and their steps, or ends early. Half of the memory is left for
// the numbers and the use of the graph.
func exploreGraph(ctx context.Context, sys *rules.System, starts Starts, opts Options) (*graph, *Result, error) {
	opts.MaxStates = numbered(opts.MaxStates)
	most := opts.Memory()
	opts.MaxMemory = most / 2
	s, err := newSearch(ctx, sys, starts, Query{}, opts)
	if err != nil {
		return nil, nil, err
	}
	if err := s.explore(); err != nil {
		return nil, nil, err
	}
	r, err := s.result()
	if err != nil || r.Stop != Exhausted {
		return nil, r, err
	}
	s.opts.MaxMemory = most
	g := &graph{search: s, starts: int(r.Stats.Starts)}
	if err = g.number(); err == nil {
		err = g.connect()
	}
	if stop := (*stopped)(nil); errors.As(err, &stop) {
		r.Stop, r.Reason, err = stop.stop, stop.reason, nil
	}
	return g, r, err
}

// number numbers the states. The levels are not needed after that.
func (g *graph) number() error {
	words := g.codec.Words()
	g.set = pack.NewSet(words, pack.Limits{Bytes: g.opts.MaxMemory})
	var found []int
	for d := range g.sizes {
		if g.ctx.Err() != nil {
			return g.cancelled(g.total.Load())
		}
		keys := g.sorted(d)
		found = resized(found, len(keys)/words)
		if _, err := g.set.InsertAll(keys, found); err != nil {
			return g.limit(err, int64(g.set.Len()))
		}
	}
	g.states = nil
	return nil
}

// connect finds the steps.
func (g *graph) connect() error {
	n := g.set.Len()
	g.parts = make([]edges, (n+partStates-1)/partStates)
	g.run(len(g.parts), int64(n), func(w *worker, i int) {
		lo := i * partStates
		w.connect(g, &g.parts[i], lo, min(lo+partStates, n))
	})
	fault, _ := g.events()
	switch {
	case g.quit.Load():
		return g.cancelled(int64(n))
	case fault != nil:
		return fault.err
	case Stop(g.full.Load()) == MemoryLimit:
		return g.memoryLimit(int64(n))
	}
	return nil
}

// connect finds the steps of the states from lo to hi.
func (w *worker) connect(g *graph, part *edges, lo, hi int) {
	w.steps.Reset()
	for i := lo; i < hi && w.full.Load() == 0; i++ {
		part.first = append(part.first, uint64(len(w.steps.Actions)))
		w.before = len(w.steps.Keys)
		if err := w.stepper.Expand(g.set.At(i), &w.steps); err != nil {
			w.failed(g.set.At(i), err, len(w.steps.Actions))
		}
	}
	found := make([]int, len(w.steps.Actions))
	g.set.FindAll(w.steps.Keys, found)
	part.to = make([]uint32, len(found))
	for i, j := range found {
		part.to[i] = uint32(j)
	}
	if g.size.Add(int64(len(part.first))*8+int64(len(part.to))*4)+g.set.Bytes() > g.opts.MaxMemory {
		w.fill(MemoryLimit)
	}
}

// of lists the successors of state i.
func (g *graph) of(i int) []uint32 { return g.parts[i/partStates].of(i % partStates) }

// len returns the number of states.
func (g *graph) len() int { return g.set.Len() }

// reversed returns for every state the states that have a step to it.
func (g *graph) reversed() *edges {
	n := g.len()
	r := &edges{first: make([]uint64, n+1)}
	for p := range g.parts {
		for _, j := range g.parts[p].to {
			r.first[j+1]++
		}
	}
	for i := range n {
		r.first[i+1] += r.first[i]
	}
	r.to = make([]uint32, r.first[n])
	free := slices.Clone(r.first)
	for i := range n {
		for _, j := range g.of(i) {
			r.to[free[j]] = uint32(i)
			free[j]++
		}
	}
	return r
}

// pathTo returns a shortest path from a start to state i. Of the states with a step to a state, the
// first is on the level before it.
func (g *graph) pathTo(i int) []int {
	before := make([]uint32, g.len())
	for k := len(before) - 1; k >= 0; k-- {
		for _, j := range g.of(k) {
			before[j] = uint32(k)
		}
	}
	path := []int{i}
	for ; i >= g.starts; i = path[len(path)-1] {
		path = append(path, int(before[i]))
	}
	slices.Reverse(path)
	return path
}

// play returns the play along a path of states from a start.
func (g *graph) play(path []int) (*Trace, error) { return g.player.play(keysOf(g.set, path)) }

// keysOf returns the keys of states.
func keysOf(set *pack.Set, states []int) [][]uint64 {
	var keys [][]uint64
	for _, i := range states {
		keys = append(keys, set.At(i))
	}
	return keys
}
