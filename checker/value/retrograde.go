package value

import (
	"context"
	"math"
	"slices"

	"github.com/mancheck/mancheck/checker/forward"
	packed "github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/graph"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/interp"
)

// The infinite values are bounds of margins of which nothing is known.
const (
	lowest  = math.MinInt32
	highest = math.MaxInt32
)

// Solution has the values of all states that are reachable from some starts.
type Solution struct {
	limit.End // Complete: the values are known; otherwise there are none
	Stats     forward.Stats

	graph  *forward.Graph
	sys    *rules.System
	payoff Payoff
	lo, hi []int32 // by state: the value is from lo to hi; they are the same unless it depends on open ends
	// orders say by state when its value lo, and hi, became known.
	orders struct{ lo, hi []int32 }
	judge  *judge
}

// Solve explores all states that are reachable from the starts and finds their values by retrograde
// analysis.
//
// The states are taken by strongly connected components, the last ones first. So the values of all
// steps out of a component are known. In it, the states from which the first player can force a
// value above that of an endless play are found from the greatest value down, and those in which
// the second can force a value below it from the least one up. The rest has the value of an endless
// play. If there are open ends, it is done twice: as if they were worth the least to the first
// player, and as if they were worth the most.
//
// An error is an *OpenEndError if the payoff does not suit the game, or a *forward.PlayError.
func Solve(ctx context.Context, sys *rules.System, starts forward.Starts, p Payoff, opts forward.Options) (*Solution, error) {
	a, err := explored(ctx, sys, starts, p, opts)
	if err != nil || a.Stop != limit.Complete {
		return a.Solution, err
	}
	if err := a.solve(); err != nil {
		if ctx.Err() != nil {
			return &Solution{End: limit.Cancelled(ctx), Stats: a.Stats}, nil
		}
		return nil, err
	}
	return a.Solution, nil
}

// explored explores all states that are reachable from the starts, for an analysis.
func explored(ctx context.Context, sys *rules.System, starts forward.Starts, p Payoff, opts forward.Options) (*analysis, error) {
	a := &analysis{ctx: ctx}
	j, err := newJudge(ctx, sys, p)
	if err != nil {
		return a, err
	}
	g, r, err := forward.Explore(ctx, packed.Sliced(ctx, sys, sys.Scores...), starts, opts)
	if err == nil {
		a.Solution = &Solution{End: r.End, Stats: r.Stats, graph: g, sys: sys, payoff: p, judge: j}
	}
	return a, err
}

// Line is a play in which both players play as well as they can.
type Line struct {
	Actions []int
	Endless bool // it comes back to a state that it has been in
}

// play plays from a state and says what the play is worth. If the value is known, both players play
// as well as they can. Otherwise each tries to get the best that open ends allow, which leads to
// one of them: a play worth a number would be better than that for one of the two. Only where the
// score changes while play goes on for ever it may not.
func (s *Solution) play(ctx context.Context, st rules.State) (*Line, pay, error) {
	in, line := interp.New(s.sys).Within(ctx), &Line{}
	i, _ := s.graph.Number(st)
	var states []rules.State
	for seen := map[int]int{}; st.Live(); {
		if from, again := seen[i]; again {
			line.Endless = true
			p, err := s.judge.circle(states[from:])
			return line, p, err
		}
		seen[i] = len(states)
		states = append(states, st)
		steps, err := in.Steps(st)
		if err != nil || len(steps) == 0 {
			return line, s.judge.stuck(), err
		}
		k := s.bestStep(i, st.Mover)
		line.Actions = append(line.Actions, steps[k].Action)
		st, i = steps[k].To, int(s.graph.Of(i)[k])
	}
	p, err := s.judge.of(st)
	return line, p, err
}

// bestStep returns a step that keeps the value of a state, if that is known; otherwise the best
// value for the player to move that open ends allow. Of several it is the one to the state whose
// value was known first. That is before the value of this state, unless it is that of an endless
// play.
func (s *Solution) bestStep(i, mover int) int {
	value, order := s.lo, s.orders.lo
	if known := s.lo[i] == s.hi[i]; maximizes(mover) != known {
		value, order = s.hi, s.orders.hi
	}
	best := -1
	to := s.graph.Of(i)
	for k, j := range to {
		if value[j] == value[i] && (best < 0 || order[j] < order[to[best]]) {
			best = k
		}
	}
	return best
}

// Value returns the bounds of the value of a state; ok is false if it was not reached. They are the
// same unless the value depends on open ends; then a bound may be NoLower or NoUpper.
func (s *Solution) Value(st rules.State) (lo, hi int, ok bool) {
	i, ok := s.graph.Number(st)
	if !ok {
		return 0, 0, false
	}
	return int(s.lo[i]), int(s.hi[i]), true
}

// analysis finds the values of a graph. At first, lo and hi of a state have what a play is worth
// that has ended there or, if it is live, that comes back to it for ever.
type analysis struct {
	*Solution
	ctx    context.Context
	mover  []int8 // by state; over: the game is over, or there is no move
	varies bool   // the score may change while play goes on for ever
}

const over = -1

func (a *analysis) solve() (err error) {
	if err := a.judgeAll(); err != nil {
		return err
	}
	open := !slices.Equal(a.lo, a.hi)
	if a.orders.lo, err = a.components(a.lo, false); err != nil {
		return err
	}
	if !open && !a.varies {
		a.hi, a.orders.hi = a.lo, a.orders.lo
		return nil
	}
	a.orders.hi, err = a.components(a.hi, true)
	return err
}

// judgeAll finds what plays are worth that end in a state or come back to it for ever, and who
// moves.
func (a *analysis) judgeAll() error {
	n := a.graph.Len()
	a.mover, a.lo, a.hi = make([]int8, n), make([]int32, n), make([]int32, n)
	flat := pack.NewFlat(a.sys)
	for i := range a.mover {
		if i%(1<<16) == 0 && a.ctx.Err() != nil {
			return a.ctx.Err()
		}
		a.graph.State(i, flat)
		st := flat.View(a.sys)
		a.mover[i] = over
		p, err := a.judge.stuck(), error(nil)
		switch {
		case !st.Live():
			p, err = a.judge.of(st)
		case len(a.graph.Of(i)) > 0:
			a.mover[i] = int8(st.Mover)
			p, err = a.judge.endless(st)
		}
		if err != nil {
			t, failed := a.graph.PlayTo(i)
			if failed != nil {
				return failed
			}
			return &forward.PlayError{Fault: err, Trace: *t}
		}
		a.lo[i], a.hi[i] = int32(p.lo), int32(p.hi)
	}
	return nil
}

// components gives every live state the lower or upper bound of its value, component after
// component, and returns in which order they became known.
func (a *analysis) components(value []int32, upper bool) (order []int32, err error) {
	inside := newRegion(a, value)
	return inside.order, graph.Components(a.graph.Len(), a.graph.Of, func(list []uint32) error {
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
		if d := value[i]; !slices.ContainsFunc(list, func(i uint32) bool { return value[i] != d }) {
			inside.solve(list, d)
		} else {
			a.varies = true
			inside.vary(list, !upper)
		}
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
