package forward

import (
	"context"
	"errors"

	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/graph"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// Termination is the answer to whether every play ends.
type Termination struct {
	limit.End // Complete if the answer is known
	Stats     Stats

	Ends    bool   // every play ends
	Longest *Trace // a longest play, if every play ends; of several the first, by starts and actions
	Lasso   *Lasso // an infinite play, if some play does not end

	graph *Graph // if every play ends and the states were in memory, as is walk
	walk  *graph.Walk
}

// Moves lists all states with the number of moves of the longest play from each. It returns nil
// unless every play ends, the search was in memory, and there are at most most states; 0 is no
// limit.
func (t *Termination) Moves(most int64) (states []rules.State, moves []int) {
	g := t.graph
	if g == nil || most > 0 && int64(g.Len()) > most {
		return nil, nil
	}
	flat := pack.NewFlat(g.sys)
	for i := range g.Len() {
		g.State(i, flat)
		states, moves = append(states, flat.State(g.sys)), append(moves, t.walk.Length(i))
	}
	return states, moves
}

// Lasso is an infinite play: a stem, and a cycle of actions from the end of the stem back to it,
// which can be repeated forever.
type Lasso struct {
	Stem  Trace
	Cycle []int
}

// Terminates explores the graph of all reachable states and walks it depth first. A step to a state
// on the current path closes a cycle. If there is no cycle, the longest play from each state is
// known when the walk leaves it.
func Terminates(ctx context.Context, sys *rules.System, starts Starts, opts Options) (*Termination, error) {
	played := game.Of(ctx, sys)
	g, r, err := Explore(ctx, played, starts, opts)
	if err != nil {
		return nil, err
	}
	t := &Termination{End: r.End, Stats: r.Stats}
	if opts.Spill != "" && (r.Hits(limit.Memory) || r.Hits(limit.States) && (opts.MaxStates == 0 || opts.MaxStates > maxNumbered)) {
		return terminatesOnDisk(ctx, played, starts, opts)
	}
	if r.Stop != limit.Complete {
		return t, nil
	}
	entered := 0
	w := graph.NewWalk(g.Len(), g.Of, func(int) error {
		if entered++; entered%(1<<16) == 0 && ctx.Err() != nil {
			return g.cancelled(int64(g.Len()))
		}
		return nil
	})
	for i := 0; i < g.starts && err == nil; i++ {
		err = w.From(i)
	}
	if err = t.Take(err); err != nil && !errors.Is(err, graph.ErrCycle) || t.Stop != limit.Complete {
		return t, err
	}
	return t, g.conclude(t, w)
}

// conclude turns the result of the walk into plays.
func (g *Graph) conclude(t *Termination, w *graph.Walk) error {
	if w.Closed() >= 0 {
		cycle := graph.ShortestCycle(g.Len(), g.Of, w.Closed())
		var err error
		t.Lasso, err = g.lasso(keysOf(g.set, g.pathTo(cycle[0])), keysOf(g.set, cycle))
		return err
	}
	t.Ends, t.graph, t.walk = true, g, w
	if g.starts == 0 {
		return nil
	}
	first := 0
	for i := range g.starts {
		if w.Length(i) > w.Length(first) {
			first = i
		}
	}
	var err error
	t.Longest, err = g.play(w.Longest(first))
	return err
}
