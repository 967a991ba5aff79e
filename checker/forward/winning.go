package forward

import (
	"context"
	"slices"

	"github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/graph"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/residual"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// Winning lists the starts from which some play wins.
type Winning struct {
	limit.End // Complete if the list is; otherwise there is no list
	Stats     Stats
	Starts    []WinningStart // in the order of the starts
}

// WinningStart is a start from which some play wins, with the least number of moves.
type WinningStart struct {
	State rules.State
	Moves int
}

// WinningStarts finds the starts from which a won state can be reached. It explores the graph of
// all reachable states, and then goes back breadth first from all won states at once.
func WinningStarts(ctx context.Context, sys *rules.System, starts Starts, won rules.Expr, opts Options) (*Winning, error) {
	g, r, err := Explore(ctx, game.Of(ctx, sys), starts, opts)
	if err != nil {
		return nil, err
	}
	w := &Winning{End: r.End, Stats: r.Stats}
	if r.Stop != limit.Complete {
		return w, nil
	}
	targets, err := g.finishedIn(ctx, won)
	if err != nil {
		return nil, err
	}
	moves := graph.Attract(g.Len(), g.Of, nil, targets)
	err = g.eachStart(func(st rules.State, i int) error {
		if moves[i] != graph.Never && !w.lists(st) {
			w.Starts = append(w.Starts, WinningStart{State: st.Clone(), Moves: int(moves[i])})
		}
		return nil
	})
	if err != nil && ctx.Err() != nil {
		w.Starts = nil
		return w, w.Take(g.cancelled(int64(g.Len())))
	}
	return w, err
}

// lists reports whether a start is in the list already. Only finished starts can be, since several
// distributions may settle to the same finished state.
func (w *Winning) lists(st rules.State) bool {
	return !st.Live() && slices.ContainsFunc(w.Starts, func(o WinningStart) bool { return o.State.Equal(st) })
}

// finishedIn lists the finished states that satisfy a condition.
func (g *Graph) finishedIn(ctx context.Context, cond rules.Expr) ([]uint32, error) {
	list, at, err := g.Holding(ctx, cond, func(_ int, s *pack.Flat) bool { return s.Outcome != rules.Live })
	if at < 0 {
		return list, err
	}
	t, failed := g.PlayTo(at)
	if failed != nil {
		return nil, failed
	}
	return nil, &PlayError{Fault: err, Trace: *t}
}

// Holding lists the states that satisfy a condition, of those that are of interest. If it has no
// value in a state, at is the number of that, or else -1.
func (g *Graph) Holding(ctx context.Context, cond rules.Expr, of func(i int, s *pack.Flat) bool) (list []uint32, at int, err error) {
	s := residual.New(ctx, g.sys, g.codec)
	holds, flat := s.Compile(cond), pack.NewFlat(g.sys)
	for i := range g.Len() {
		if g.State(i, flat); !of(i, flat) {
			continue
		}
		can := residual.No
		if len(g.Of(i)) > 0 {
			can = residual.Yes
		}
		is, err := s.Holds(holds, residual.View{Key: g.set.At(i), Start: i < g.starts, CanMove: can})
		if err != nil {
			return nil, i, err
		}
		if is {
			list = append(list, uint32(i))
		}
	}
	return list, -1, nil
}

// eachStart calls f for every start, with the number of the state that it is stored as. It ends
// when f fails.
func (g *Graph) eachStart(f func(st rules.State, i int) error) error {
	flat, key := pack.NewFlat(g.sys), make([]uint64, g.codec.Words())
	return g.search.starts(g.ctx, func(st rules.State) error {
		flat.Set(st)
		if err := g.codec.Pack(flat, key); err != nil {
			return err
		}
		if i, ok := g.set.Find(key); ok {
			return f(st, i)
		}
		return nil
	})
}
