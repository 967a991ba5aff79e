package value

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/checker/slice"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// The infinite values are margins of states in which a player can go on for ever, if nothing says
// what that is worth: it is taken as the worst for one player, and for the other.
const (
	lowest  = math.MinInt32
	highest = math.MaxInt32
)

// Solution has the values of all states that are reachable from some starts.
type Solution struct {
	Stop   forward.Stop // Exhausted: the values are known; otherwise there are none, and Reason says why
	Reason string
	Stats  forward.Stats

	graph  *forward.Graph
	sys    *rules.System
	payoff Payoff
	lo, hi []int32 // by state: the value is from lo to hi; they are the same unless play can go on for ever
	// orders say by state when its value lo, and hi, became known.
	orders struct{ lo, hi []int32 }
	worst  int32 // what an endless play is taken to be worth in lo, if nothing says it
}

// Solve explores all states that are reachable from the starts and finds their values by retrograde
// analysis.
//
// The states are taken by strongly connected components, the last ones first. So the values of all
// steps out of a component are known. In it, the states from which the first player can force a
// value above that of an endless play are found from the greatest value down, and those in which
// the second can force a value below it from the least one up. The rest has the value of an endless
// play. Where nothing says what that is, it is done twice: as if it were the worst for the first
// player, and as if it were the worst for the second.
//
// An error is an *OpenEndError if the rules leave open what a play is worth, or a
// *forward.PlayError.
func Solve(ctx context.Context, sys *rules.System, starts forward.Starts, p Payoff, opts forward.Options) (*Solution, error) {
	j, err := newJudge(ctx, sys, p)
	if err != nil {
		return nil, err
	}
	opts.Keep = slice.Keep(ctx, sys, sys.Scores...).Parts
	g, r, err := forward.Explore(ctx, sys, starts, opts)
	if err != nil {
		return nil, err
	}
	s := &Solution{Stop: r.Stop, Reason: r.Reason, Stats: r.Stats, graph: g, sys: sys, payoff: p}
	if r.Stop != forward.Exhausted {
		return s, nil
	}
	a := &analysis{Solution: s, ctx: ctx, judge: j, mover: make([]int8, g.Len())}
	if err := a.solve(); err != nil {
		if ctx.Err() != nil {
			return &Solution{Stop: forward.Cancelled, Reason: "the analysis was cancelled", Stats: r.Stats}, nil
		}
		return nil, err
	}
	return s, nil
}

// Line is a play in which both players play as well as they can.
type Line struct {
	Actions []int
	Endless bool // it comes back to a state that it has been in
}

// Line returns a play from a state that was reached with its value, in which both players play as
// well as they can. An error is one of interp.Interp.Steps.
func (s *Solution) Line(ctx context.Context, st rules.State) (*Line, error) {
	in, line := interp.New(s.sys).Within(ctx), &Line{}
	i, _ := s.graph.Number(st)
	for seen := map[int]bool{}; st.Live(); {
		if seen[i] {
			line.Endless = true
			return line, nil
		}
		seen[i] = true
		steps, err := in.Steps(st)
		if err != nil {
			return nil, err
		}
		k := s.bestStep(i)
		line.Actions = append(line.Actions, steps[k].Action)
		st, i = steps[k].To, int(s.graph.Of(i)[k])
	}
	return line, nil
}

// bestStep returns a step that keeps the value of a state, which is known: the one to the state
// whose value was known first. That is before the value of this state, unless the value is that of
// an endless play. So a play by such steps ends, if an endless one has another value.
func (s *Solution) bestStep(i int) int {
	order := s.orders.lo
	if s.payoff.Endless == NoValue && s.lo[i] == s.worst { // as much as an endless play, in lo
		order = s.orders.hi
	}
	best := -1
	to := s.graph.Of(i)
	for k, j := range to {
		if s.lo[j] != s.lo[i] || s.hi[j] != s.hi[i] {
			continue
		}
		if best < 0 || order[j] < order[to[best]] {
			best = k
		}
	}
	return best
}

// Value returns the bounds of the value of a state; ok is false if it was not reached. They are the
// same unless the value depends on what an endless play is worth; then a bound may be infinite,
// which is math.MinInt32 or math.MaxInt32.
func (s *Solution) Value(st rules.State) (lo, hi int, ok bool) {
	i, ok := s.graph.Number(st)
	if !ok {
		return 0, 0, false
	}
	return int(s.lo[i]), int(s.hi[i]), true
}

// analysis finds the values of a graph.
type analysis struct {
	*Solution
	ctx   context.Context
	judge *judge
	mover []int8 // by state; over: the game is over
	stand []int32
}

const over = -1

func (a *analysis) solve() (err error) {
	if err := a.judgeAll(); err != nil {
		return err
	}
	if a.judge.Endless != NoValue {
		a.hi = a.lo
		a.orders.lo, err = a.components(a.lo, func(list []uint32) (int32, error) { return a.endlessOf(list) })
		return err
	}
	a.hi = slices.Clone(a.lo)
	best := int32(highest)
	if a.worst = lowest; a.judge.Kind == Result {
		a.worst, best = -1, 1
	}
	if a.orders.hi, err = a.components(a.hi, func([]uint32) (int32, error) { return best, nil }); err != nil {
		return err
	}
	a.orders.lo, err = a.components(a.lo, func([]uint32) (int32, error) { return a.worst, nil })
	return err
}

// judgeAll finds the values of the finished states, and who moves in the others.
func (a *analysis) judgeAll() error {
	a.lo = make([]int32, a.graph.Len())
	if a.judge.Endless == AsScored {
		a.stand = make([]int32, a.graph.Len())
	}
	flat := pack.NewFlat(a.sys)
	for i := range a.mover {
		if i%(1<<16) == 0 && a.ctx.Err() != nil {
			return a.ctx.Err()
		}
		a.graph.State(i, flat)
		st := flat.View(a.sys)
		if a.mover[i] = int8(st.Mover); st.Live() {
			if err := a.live(i, st); err != nil {
				return err
			}
			continue
		}
		v, err := a.judge.of(st)
		if a.mover[i] = over; err != nil {
			return a.at(i, err)
		}
		a.lo[i] = int32(v)
	}
	return nil
}

// live notes what the score of a state is, and that it has moves.
func (a *analysis) live(i int, st rules.State) error {
	if len(a.graph.Of(i)) == 0 {
		return a.at(i, openEnd("a player has no move, and the rules do not say what that is worth"))
	}
	if a.stand == nil {
		return nil
	}
	v, err := a.judge.endless(st)
	if a.stand[i] = int32(v); err != nil {
		return a.at(i, err)
	}
	return nil
}

// at adds the play to state i to an error.
func (a *analysis) at(i int, err error) error {
	t, failed := a.graph.PlayTo(i)
	if failed != nil {
		return cmp.Or(failed, err)
	}
	if open, is := err.(*OpenEndError); is {
		open.Trace = t
		return open
	}
	return &forward.PlayError{Fault: err, Trace: *t}
}

// endlessOf is what an endless play is worth that stays in a component.
func (a *analysis) endlessOf(list []uint32) (int32, error) {
	if a.stand == nil {
		return 0, nil
	}
	for _, i := range list {
		if a.stand[i] != a.stand[list[0]] {
			return 0, a.at(int(i), openEnd("the score changes while play goes on for ever"))
		}
	}
	return a.stand[list[0]], nil
}

// components gives every live state its value, component after component, and returns in which
// order they became known.
func (a *analysis) components(value []int32, endless func([]uint32) (int32, error)) (order []int32, err error) {
	c := &components{of: a.graph.Of, index: make([]uint32, a.graph.Len())}
	inside := newRegion(a, value)
	return inside.order, c.each(func(list []uint32) error {
		i := list[0]
		if a.mover[i] == over {
			inside.know(i, value[i])
			return nil
		}
		if len(list) == 1 && !slices.Contains(a.graph.Of(int(i)), i) {
			inside.know(i, a.best(int(i), value))
			return nil
		}
		if a.ctx.Err() != nil {
			return a.ctx.Err()
		}
		d, err := endless(list)
		if err != nil {
			return err
		}
		inside.solve(list, d)
		return nil
	})
}

// best is the value of a state of which all successors have theirs.
func (a *analysis) best(i int, value []int32) int32 {
	to := a.graph.Of(i)
	v := value[to[0]]
	for _, j := range to[1:] {
		if maximizes(int(a.mover[i])) {
			v = max(v, value[j])
		} else {
			v = min(v, value[j])
		}
	}
	return v
}
