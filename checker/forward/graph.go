package forward

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync/atomic"

	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/graph"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/store"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// maxNumbered bounds the states of a graph. Their numbers, and the moves of plays through them,
// have 32 bits.
const maxNumbered = math.MaxInt32 - 1

// Graph has the states that are reachable from the starts, and their steps. States are numbered
// from 0, level by level in the order of their keys.
type Graph struct {
	*search
	set    *pack.Set
	starts int // the number of starts, which are the first states
	parts  []graph.Edges
	size   atomic.Int64 // bytes of parts
}

// partStates is the number of states in a part of a graph.
const partStates = store.BlockStates

// Explore explores all states and their steps. If it ends early there is no Graph, and the Result
// says why. The states may take half of the memory; the rest is for the numbers and for algorithms
// on the graph. A *PlayError is a fault of the rules.
func Explore(ctx context.Context, rules game.Rules, starts Starts, opts Options) (*Graph, *Result, error) {
	opts.MaxStates, opts.Disk, opts.Spill = min(cmp.Or(opts.MaxStates, maxNumbered), maxNumbered), "", ""
	most := opts.Memory()
	opts.MaxMemory = most / 2
	s := newSearch(ctx, rules, starts, Query{}, opts)
	defer s.free()
	if err := s.explore(); err != nil {
		return nil, nil, err
	}
	r, err := s.result()
	if err != nil || r.Stop != limit.Complete {
		return nil, r, err
	}
	s.opts.MaxMemory = most
	g := &Graph{search: s, starts: int(r.Stats.Starts)}
	if err = g.number(); err == nil {
		err = g.connect()
	}
	if err = r.Take(err); err != nil || r.Stop != limit.Complete {
		return nil, r, err
	}
	return g, r, nil
}

// number numbers the states. The levels are not needed after that, and are freed.
func (g *Graph) number() error {
	words := g.codec.Words()
	g.set = pack.NewSet(words, pack.Limits{Bytes: g.opts.MaxMemory})
	var found []int
	for d := range g.sizes {
		if g.ctx.Err() != nil {
			return g.cancelled(g.total.Load())
		}
		keys := g.sorted(d)
		found = slices.Grow(found[:0], len(keys)/words)[:len(keys)/words]
		if _, err := g.set.InsertAll(keys, found); err != nil {
			return g.limit(err, int64(g.set.Len()))
		}
	}
	g.free()
	g.states = nil
	return nil
}

// connect computes the steps of all states.
func (g *Graph) connect() error {
	n := g.set.Len()
	g.parts = make([]graph.Edges, (n+partStates-1)/partStates)
	g.run(len(g.parts), int64(n), func(w *worker, i int) {
		lo := i * partStates
		w.connect(g, &g.parts[i], lo, min(lo+partStates, n))
	})
	fault, _ := g.ends()
	switch {
	case g.quit.Load():
		return g.cancelled(int64(n))
	case fault != nil:
		return fault.fault
	case g.full.reached() == limit.Memory:
		return g.memoryLimit(int64(n))
	}
	return nil
}

// connect computes the steps of the states from lo to hi.
func (w *worker) connect(g *Graph, part *graph.Edges, lo, hi int) {
	w.steps.Reset()
	first := make([]uint64, 0, hi-lo)
	for i := lo; i < hi && w.full.reached() == limit.None; i++ {
		first = append(first, uint64(len(w.steps.Actions)))
		w.before = len(w.steps.Keys)
		if err := w.game.Expand(g.set.At(i), &w.steps); err != nil {
			w.failed(g.set.At(i), err, len(w.steps.Actions))
		}
	}
	found := make([]int, len(w.steps.Actions))
	g.set.FindAll(w.steps.Keys, found)
	to := make([]uint32, len(found))
	for i, j := range found {
		to[i] = uint32(j)
	}
	*part = graph.NewEdges(first, to)
	if g.size.Add(part.Bytes())+g.set.Bytes() > g.opts.MaxMemory {
		w.full.reach(limit.Memory)
	}
}

// Of lists the successors of state i, one for each legal action in the order of the actions.
func (g *Graph) Of(i int) []uint32 { return g.parts[i/partStates].Of(i % partStates) }

// Len returns the number of states.
func (g *Graph) Len() int { return g.set.Len() }

// State writes state i to f. Parts that the rules do not keep have no meaning in it.
func (g *Graph) State(i int, f *pack.Flat) { g.codec.Unpack(g.set.At(i), f) }

// Number returns the number of a state, if it is reachable.
func (g *Graph) Number(st rules.State) (int, bool) {
	flat, key := pack.NewFlat(g.sys), make([]uint64, g.codec.Words())
	flat.Set(st)
	if g.codec.Pack(flat, key) != nil {
		return 0, false
	}
	return g.set.Find(key)
}

// PlayTo returns a shortest play to state i.
func (g *Graph) PlayTo(i int) (*Trace, error) { return g.play(g.pathTo(i)) }

// pathTo returns a shortest path from a start to state i. Numbers rise with the level, so the first
// state with a step to another one is on the level before it.
func (g *Graph) pathTo(i int) []int {
	before := make([]uint32, g.Len())
	for k := len(before) - 1; k >= 0; k-- {
		for _, j := range g.Of(k) {
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

// play returns the play along a path of states that begins with a start.
func (g *Graph) play(path []int) (*Trace, error) { return g.player.play(keysOf(g.set, path)) }

// keysOf returns the keys of states.
func keysOf(set *pack.Set, states []int) [][]uint64 {
	return lists.Map(states, set.At)
}
