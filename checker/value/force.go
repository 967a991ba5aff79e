package value

import (
	"context"
	"math"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/checker/step"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// Never is the number of moves to a state that a player cannot force. It is more than any claim can
// name.
const Never = math.MaxInt

// unforced stands for Never by state.
const unforced = math.MaxInt32

// Forced says from which states a player can force a state that satisfies a goal, whatever the
// others do.
type Forced struct {
	Stop   forward.Stop // Exhausted: the answer is known; otherwise there is none, and Reason says why
	Reason string
	Hit    limit.Hit // the limit that ended it
	Stats  forward.Stats

	graph *forward.Graph
	moves []int32 // by state
}

// Force explores all states that are reachable from the starts, and finds those from which a player
// can force the goal. They are found backward from the goal: a state of the player with a step to
// such a state is one, and so is a state of another player of which all steps lead to such states.
// A state that satisfies the goal is one at once. A finished or stuck state that does not is none.
func Force(ctx context.Context, sys *rules.System, starts forward.Starts, player int, goal rules.Expr, opts forward.Options) (*Forced, error) {
	opts.Keep = slice.Keep(ctx, sys, goal).Parts
	g, r, err := forward.Explore(ctx, sys, starts, opts)
	if err != nil {
		return nil, err
	}
	f := &Forced{Stop: r.Stop, Reason: r.Reason, Hit: r.Hit, Stats: r.Stats, graph: g}
	if r.Stop != forward.Exhausted {
		return f, nil
	}
	e := &enforcer{Forced: f, player: player, left: make([]int32, g.Len())}
	targets, err := e.targets(ctx, sys, goal)
	if err != nil && ctx.Err() != nil {
		f.Stop, f.Reason, f.Hit = forward.Cancelled, "the analysis was cancelled", limit.Ending(ctx)
		return f, nil
	}
	if err != nil {
		return nil, err
	}
	e.attract(targets)
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
	if f.moves[i] == unforced {
		return Never, true
	}
	return int(f.moves[i]), true
}

// enforcer finds what a player can force.
type enforcer struct {
	*Forced
	player int
	mine   []bool  // by state: the player moves
	left   []int32 // by state: the steps that are not known to lead to the goal
}

// targets lists the states that satisfy the goal.
func (e *enforcer) targets(ctx context.Context, sys *rules.System, goal rules.Expr) ([]uint32, error) {
	m, err := step.Compile(sys)
	if err != nil {
		return nil, err
	}
	m.Within(ctx)
	holds, err := m.CompileExpr(goal)
	if err != nil {
		return nil, err
	}
	e.mine, e.moves = make([]bool, e.graph.Len()), make([]int32, e.graph.Len())
	var list []uint32
	flat := pack.NewFlat(sys)
	for i := range e.moves {
		e.graph.State(i, flat)
		e.mine[i] = flat.Mover == e.player
		e.left[i], e.moves[i] = int32(len(e.graph.Of(i))), unforced
		can := step.No
		if e.left[i] > 0 {
			can = step.Yes
		}
		is, err := m.Holds(holds, step.View{State: flat, Start: i < e.graph.Starts(), CanMove: can})
		if err != nil {
			return nil, err
		}
		if is {
			e.moves[i] = 0
			list = append(list, uint32(i))
		}
	}
	return list, nil
}

// attract goes backward from the targets, breadth first: so the moves of a state are known when
// enough of its steps are.
func (e *enforcer) attract(queue []uint32) {
	back := e.graph.Reversed()
	for ; len(queue) > 0; queue = queue[1:] {
		for _, i := range back.Of(int(queue[0])) {
			if e.moves[i] != unforced {
				continue
			}
			if e.left[i]--; e.mine[i] || e.left[i] == 0 {
				e.moves[i] = e.moves[queue[0]] + 1
				queue = append(queue, i)
			}
		}
	}
}
