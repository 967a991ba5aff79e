package forward

import (
	"context"
	"errors"
	"slices"

	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/graph"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// shorterStates bounds the states visited in search of a shorter lasso when one is known.
const shorterStates = 1_000_000

// FindLasso looks for an infinite play by a depth-first search that ends at the first cycle. It
// visits only part of the graph, so it may find one where there are far too many states to explore,
// or too many starts to list. If it returns nil, there is none, or none within the limits of opts.
//
// The first play found is long. As long as there is another on a path of at most three quarters of
// its length, and it is found soon, that one replaces it.
func FindLasso(ctx context.Context, sys *rules.System, starts Starts, opts Options) (*Lasso, error) {
	opts.Threads = 1
	best, err := findLasso(ctx, sys, starts, opts)
	for found := best; found != nil && err == nil && best.length() > 2; {
		if opts.MaxStates == 0 || opts.MaxStates > shorterStates {
			opts.MaxStates = shorterStates
		}
		opts.MaxDepth = best.length()*3/4 - 1 // plus the step that closes the cycle
		if found, err = findLasso(ctx, sys, starts, opts); found != nil {
			best = found
		}
	}
	return best, err
}

func (l *Lasso) length() int { return len(l.Stem.Actions) + len(l.Cycle) }

// findLasso is FindLasso without paths longer than opts.MaxDepth. Each state is visited once, even
// if a shorter path leads to it later, so a cycle may be missed.
func findLasso(ctx context.Context, sys *rules.System, starts Starts, opts Options) (*Lasso, error) {
	opts.MaxStates = numbered(opts.MaxStates)
	r, err := game.Of(ctx, sys)
	if err != nil {
		return nil, err
	}
	b := newBase(ctx, r, starts, opts)
	g, err := newGathered(&b)
	if err != nil {
		return nil, err
	}
	h := &lassoSearch{gathered: g}
	h.Walk = graph.NewWalk(0, func(i int) []uint32 { return h.steps[i] }, h.expand, opts.MaxDepth)
	err = starts(ctx, h.start)
	switch {
	case errors.Is(err, graph.ErrCycle):
		return h.lasso()
	case errors.As(err, new(*limit.Early)), ctx.Err() != nil:
		return nil, nil
	}
	return nil, err
}

// lassoSearch is a running depth-first search. States are stored when they are found, and their
// steps are computed when they are entered.
type lassoSearch struct {
	*gathered
	*graph.Walk
	player *player
	starts []int
	steps  [][]uint32 // by state
	found  []int
	size   int64
}

// start searches from one start. Starts are not stored first, because there may be too many.
func (h *lassoSearch) start(st rules.State) error {
	i, err := h.add(st)
	if err != nil {
		return err
	}
	if h.player == nil || h.player.codec != h.codec {
		if h.player, err = newPlayer(h.base, h.rules, h.codec); err != nil {
			return err
		}
	}
	h.starts = append(h.starts, i)
	h.makeRoom()
	return h.From(i)
}

// makeRoom prepares the walk for states stored since the last call.
func (h *lassoSearch) makeRoom() {
	h.steps = append(h.steps, make([][]uint32, h.set.Len()-len(h.steps))...)
	h.Grow(h.set.Len())
}

// expand computes the steps of a state. It is called when the walk enters the state.
func (h *lassoSearch) expand(i int) (err error) {
	states := int64(h.set.Len())
	if h.ctx.Err() != nil {
		return h.cancelled(states)
	}
	if h.due() {
		h.report(limit.Progress{Depth: h.Depth(), States: states, Open: int64(h.Depth()), Bytes: h.set.Bytes() + h.size})
	}
	if h.steps[i], err = h.successors(i); err != nil {
		return err
	}
	h.makeRoom()
	if h.size += int64(4*len(h.steps[i])) + bytesOnPath; h.set.Bytes()+h.size > h.opts.MaxMemory {
		return h.memoryLimit(states)
	}
	return nil
}

// bytesOnPath is the memory of a state besides its steps: the head of their list, its place on the
// path, and unused capacity of lists.
const bytesOnPath = 96

func (h *lassoSearch) successors(i int) ([]uint32, error) {
	batch := &h.player.steps
	batch.Reset()
	if err := h.player.game.Expand(h.set.At(i), batch); err != nil {
		if h.ctx.Err() != nil {
			return nil, h.cancelled(int64(h.set.Len()))
		}
		return nil, h.fault(err, i)
	}
	h.found = slices.Grow(h.found[:0], len(batch.Actions))[:len(batch.Actions)]
	if _, err := h.set.InsertAll(batch.Keys, h.found); err != nil {
		return nil, h.limit(err, int64(h.set.Len()))
	}
	steps := make([]uint32, len(h.found))
	for k, j := range h.found {
		steps[k] = uint32(j)
	}
	return steps, nil
}

// fault returns a fault of the rules in state i, with the play that leads to it.
func (h *lassoSearch) fault(err error, i int) error {
	t, e := h.player.play(keysOf(h.set, append(h.Path(), i)))
	if e != nil {
		return e
	}
	return &PlayError{Fault: err, Trace: *t}
}

// lasso turns the cycle into a play. It looks for a short cycle and a short path to it, among the
// states that were visited.
func (h *lassoSearch) lasso() (*Lasso, error) {
	known := func(i int) []uint32 { return h.steps[i] }
	cycle := graph.ShortestCycle(h.set.Len(), known, h.Closed())
	cycle = cycle[1:]
	path := graph.ShortestPath(h.set.Len(), known, h.starts, func(i int) bool { return slices.Contains(cycle, i) })
	n := slices.Index(cycle, path[len(path)-1])
	cycle = slices.Concat(cycle[n:], cycle[:n+1])
	return h.player.lasso(keysOf(h.set, path), keysOf(h.set, cycle))
}
