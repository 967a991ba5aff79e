package forward

import (
	"context"
	"errors"
	"slices"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// Termination says whether every play ends.
type Termination struct {
	Stop   Stop // Exhausted: the answer is known; otherwise why it is not
	Reason string
	Hit    limit.Hit // the limit that ended it
	Stats  Stats

	Ends    bool   // every play ends
	Longest *Trace // a longest play, if every play ends; the first such start and actions
	Lasso   *Lasso // an infinite play, if there is one
}

// Lasso is an infinite play: a stem, and a cycle of actions that leads back to the end of the stem
// and can be repeated forever.
type Lasso struct {
	Stem  Trace
	Cycle []int
}

// Terminates explores the graph of all reachable states and walks it depth first. A step back to a
// state on the walk's own path closes a cycle; if there is none, the longest play from each state
// is known when the walk leaves it.
func Terminates(ctx context.Context, sys *rules.System, starts Starts, opts Options) (*Termination, error) {
	g, r, err := Explore(ctx, sys, starts, opts)
	if err != nil {
		return nil, err
	}
	t := &Termination{Stop: r.Stop, Reason: r.Reason, Hit: r.Hit, Stats: r.Stats}
	if r.Stop != Exhausted {
		return t, nil
	}
	w := newWalk(g.Of)
	w.length = make([]int32, g.Len())
	met := 0
	w.enters = func(int) error {
		if met++; met%(1<<16) == 0 && ctx.Err() != nil {
			return g.cancelled(int64(g.Len()))
		}
		return nil
	}
	for i := 0; i < g.starts && err == nil; i++ {
		err = w.from(i)
	}
	if stop := (*stopped)(nil); errors.As(err, &stop) {
		t.Stop, t.Reason, t.Hit = stop.stop, stop.reason, stop.hit
		return t, nil
	}
	return t, g.conclude(t, w)
}

// walk is a depth-first walk that ends at the first cycle. It needs no recursion: the path is a
// list of states, each with the number of its steps taken.
type walk struct {
	enters  func(int) error    // called with each state that is entered
	of      func(int) []uint32 // the successors of a state that was entered
	length  []int32            // by state: 0 not found, onPath, or one more than the moves of the longest play from it
	path    []visit
	deepest int // no path has more steps; 0: no limit
	closed  int // the state at which a cycle was closed, or -1
}

func newWalk(of func(int) []uint32) *walk { return &walk{of: of, closed: -1} }

type visit struct {
	state int
	taken int
}

const onPath = -1

var errFound = errors.New("found")

// from walks all states that are reachable from i. It fails with errFound if a cycle is closed.
func (w *walk) from(i int) error {
	if w.length[i] != 0 {
		return nil
	}
	err := w.enter(i)
	for len(w.path) > 0 && err == nil {
		v := &w.path[len(w.path)-1]
		to := w.of(v.state)
		if v.taken == len(to) {
			w.leave(v.state, to)
			continue
		}
		j := int(to[v.taken])
		v.taken++
		switch {
		case w.length[j] == onPath:
			w.closed = j
			return errFound
		case w.length[j] == 0 && (w.deepest == 0 || len(w.path) <= w.deepest):
			err = w.enter(j)
		}
	}
	return err
}

func (w *walk) enter(i int) error {
	err := w.enters(i)
	w.length[i] = onPath
	w.path = append(w.path, visit{state: i})
	return err
}

// leave finds the longest play from i, all of whose successors were left before.
func (w *walk) leave(i int, to []uint32) {
	longest := int32(0)
	for _, j := range to {
		longest = max(longest, w.length[j])
	}
	w.length[i] = longest + 1
	w.path = w.path[:len(w.path)-1]
}

// conclude turns what the walk has found into plays.
func (g *Graph) conclude(t *Termination, w *walk) error {
	if w.closed >= 0 {
		cycle := shortestCycle(g.Of, w.closed, g.Len())
		stem, err := g.play(g.pathTo(cycle[0]))
		if err != nil {
			return err
		}
		actions, err := g.actionsAlong(keysOf(g.set, cycle))
		t.Lasso = &Lasso{Stem: *stem, Cycle: actions}
		return err
	}
	t.Ends = true
	if g.starts == 0 {
		return nil
	}
	first := slices.Index(w.length, slices.Max(w.length[:g.starts]))
	var err error
	t.Longest, err = g.play(w.longest(first))
	return err
}

// longest returns the first of the longest paths from i.
func (w *walk) longest(i int) []int {
	path := []int{i}
	for w.length[i] > 1 {
		for _, j := range w.of(i) {
			if w.length[j] == w.length[i]-1 {
				i = int(j)
				break
			}
		}
		path = append(path, i)
	}
	return path
}

// shortestCycle returns a shortest cycle through i. It begins and ends at its state nearest to the
// starts.
func shortestCycle(of func(int) []uint32, i, states int) []int {
	from := make([]uint32, states) // one more than the predecessor on the path; 0: not found
	queue := []int{i}
	for from[i] == 0 {
		k := queue[0]
		queue = queue[1:]
		for _, j := range of(k) {
			if from[j] == 0 {
				from[j] = uint32(k) + 1
				queue = append(queue, int(j))
			}
		}
	}
	cycle := []int{i}
	for k := int(from[i]) - 1; k != i; k = int(from[k]) - 1 {
		cycle = append(cycle, k)
	}
	slices.Reverse(cycle)
	n := slices.Index(cycle, slices.Min(cycle))
	return append(append(cycle[n:len(cycle):len(cycle)], cycle[:n]...), cycle[n])
}
