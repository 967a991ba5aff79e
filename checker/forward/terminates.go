package forward

import (
	"context"
	"errors"
	"slices"

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

// Termination, if the graph does not fit in memory. The levels are files, and states stay in a
// level even if earlier levels have them. So level n has the states that some play reaches after
// exactly n moves. If every play ends, some level is empty, and the longest play leads to the level
// before it. Otherwise levels repeat at some time, because each determines the next and there are
// finitely many. And if a level that is not empty equals an earlier one, some play never ends.

// repetition is an error that ends the search: level again equals level first.
type repetition struct{ first, again int }

func (*repetition) Error() string { return "a level repeats" }

// lookForRepetition compares the current level with the one whose number is the greatest power of
// two below it. This finds a repetition with few comparisons; see R. P. Brent, "An improved Monte
// Carlo factorization algorithm" (BIT 20, 1980).
func (k *onDisk) lookForRepetition() error {
	s := k.search
	if s.depth < 2 {
		return nil
	}
	first := 1
	for 2*first < s.depth {
		first *= 2
	}
	same, err := k.Same(first, s.depth)
	switch {
	case err != nil && s.ctx.Err() != nil:
		return s.cancelled(s.total.Load())
	case err != nil:
		return err
	case same:
		return &repetition{first, s.depth}
	}
	return nil
}

// terminatesOnDisk is Terminates with the states in files.
func terminatesOnDisk(ctx context.Context, r game.Rules, starts Starts, opts Options) (t *Termination, err error) {
	opts.Whole = true
	res, err := SearchGame(ctx, r, starts, Query{}, opts)
	if err != nil {
		return nil, err
	}
	t = &Termination{End: res.End, Stats: res.Stats}
	if res.Stop != limit.Complete {
		return t, nil
	}
	opts.walks, opts.MaxStates = true, 0 // levels share states, so their sum is no number of states
	s := newSearch(ctx, r, starts, Query{}, opts)
	defer s.close(&err)
	err = s.explore()
	repeats := (*repetition)(nil)
	switch {
	case errors.As(err, &repeats):
		t.Lasso, err = s.lassoFrom(repeats)
	case err == nil && s.end.Stop != limit.Complete:
		t.End = s.end
	case err == nil:
		t.Ends = true
		t.Longest, err = s.longest()
	}
	if err = t.Take(err); t.Stop != limit.Complete {
		return &Termination{End: t.End, Stats: t.Stats}, err
	}
	return t, err
}

// longest returns a play to the first state of the last level that has any.
func (s *search) longest() (*Trace, error) {
	last := len(s.sizes) - 2 // the last one is empty
	if last < 0 {
		return nil, nil
	}
	key, err := s.firstOf(last)
	if err != nil {
		return nil, err
	}
	return s.traceTo(key, last)
}

// firstOf returns the least key of a level.
func (s *search) firstOf(level int) ([]uint64, error) {
	pieces := s.states.Pieces(level)
	if err := s.failure(); err != nil {
		return nil, err
	}
	keys := s.states.Read(0, pieces[0], nil)
	if err := s.failure(); err != nil {
		return nil, err
	}
	return slices.Clone(keys[:s.codec.Words()]), nil
}

// lassoFrom returns an infinite play. From a state of the level that repeats it goes back, again
// and again between the two equal levels, until a state occurs twice, and from there to a start.
func (s *search) lassoFrom(r *repetition) (*Lasso, error) {
	key, err := s.firstOf(r.again)
	if err != nil {
		return nil, err
	}
	path, seen := [][]uint64{key}, map[string]int{}
	level := r.again
	for {
		if level == r.first {
			level = r.again
		}
		name := pack.Text(key)
		if at, again := seen[name]; again {
			cycle := slices.Clone(path[at:])
			slices.Reverse(cycle)
			stem, err := s.keysTo(cycle[0], level)
			if err != nil {
				return nil, err
			}
			return s.lasso(stem, cycle)
		}
		seen[name] = len(path) - 1
		level--
		if key, err = s.before(key, level); err != nil {
			return nil, err
		}
		path = append(path, key)
	}
}
