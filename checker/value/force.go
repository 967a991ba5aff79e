package value

import (
	"context"
	"math"

	"github.com/mancheck/mancheck/checker/forward"
	packed "github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/graph"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// Never is the number of moves to a state that a player cannot force. It is more than any claim can
// name.
const Never = math.MaxInt

// Forced says from which states a player can force a state that satisfies a goal, whatever the
// others do.
type Forced struct {
	limit.End // Complete: the answer is known; otherwise there is none
	Stats     forward.Stats

	graph *forward.Graph
	moves []int32 // by state
}

// Force explores all states that are reachable from the starts, and finds those from which a player
// can force the goal. They are found backward from the goal: a state of the player with a step to
// such a state is one, and so is a state of another player of which all steps lead to such states.
// A state that satisfies the goal is one at once. A finished or stuck state that does not is none.
func Force(ctx context.Context, sys *rules.System, starts forward.Starts, player int, goal rules.Expr, opts forward.Options) (*Forced, error) {
	g, r, err := forward.Explore(ctx, packed.Sliced(ctx, sys, goal), starts, opts)
	if err != nil {
		return nil, err
	}
	f := &Forced{End: r.End, Stats: r.Stats, graph: g}
	if r.Stop != limit.Complete {
		return f, nil
	}
	mine := make([]bool, g.Len())
	targets, _, err := g.Holding(ctx, goal, func(i int, s *pack.Flat) bool {
		mine[i] = s.Mover == player
		return true
	})
	if err != nil && ctx.Err() != nil {
		f.End = limit.Cancelled(ctx)
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	f.moves = graph.Attract(g.Len(), g.Of, mine, targets)
	return f, nil
}

// Moves returns the fewest moves, of all players together, in which the player can force the goal
// from a state, if the others delay it as long as they can; or Never. ok is false if the state was
// not reached.
func (f *Forced) Moves(st rules.State) (moves int, ok bool) {
	i, ok := f.graph.Number(st)
	if !ok {
		return 0, false
	}
	if f.moves[i] == graph.Never {
		return Never, true
	}
	return int(f.moves[i]), true
}
