package value

import (
	"cmp"
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
	j, err := newJudge(ctx, sys, p)
	if err != nil {
		return nil, err
	}
	played, err := packed.Sliced(ctx, sys, sys.Scores...)
	if err != nil {
		return nil, err
	}
	g, r, err := forward.Explore(ctx, played, starts, opts)
	if err != nil {
		return nil, err
	}
	s := &Solution{End: r.End, Stats: r.Stats, graph: g, sys: sys, payoff: p, judge: j}
	if r.Stop != limit.Complete {
		return s, nil
	}
	a := &analysis{Solution: s, ctx: ctx, mover: make([]int8, g.Len())}
	if err := a.solve(); err != nil {
		if ctx.Err() != nil {
			return &Solution{End: limit.Cancelled(ctx), Stats: r.Stats}, nil
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

// analysis finds the values of a graph.
type analysis struct {
	*Solution
	ctx    context.Context
	mover  []int8   // by state; over: the game is over, or there is no move
	stand  []int32  // by state: its score, if an endless play counts by that
	open   []uint32 // states that are open ends
	varies bool     // the score may change while play goes on for ever
}

const over = -1

func (a *analysis) solve() (err error) {
	if err := a.judgeAll(); err != nil {
		return err
	}
	if a.orders.lo, err = a.components(a.lo, false); err != nil {
		return err
	}
	a.hi, a.orders.hi = a.lo, a.orders.lo
	if len(a.open) == 0 && !a.varies && a.judge.Endless != NoValue {
		return nil
	}
	a.hi = slices.Clone(a.lo) // so are the finished states; the others are found again
	for _, i := range a.open {
		a.hi[i] = int32(a.judge.stuck().hi) // as any open end
	}
	a.orders.hi, err = a.components(a.hi, true)
	return err
}

// judgeAll finds what plays are worth that end in a state, and who moves in the others.
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
		if a.mover[i] = int8(st.Mover); st.Live() && len(a.graph.Of(i)) > 0 {
			if err := a.live(i, st); err != nil {
				return err
			}
			continue
		}
		a.mover[i] = over
		p, err := a.judge.stuck(), error(nil)
		if !st.Live() {
			p, err = a.judge.of(st)
		}
		if err != nil {
			return a.withPlay(i, err)
		}
		if a.lo[i] = int32(p.lo); p.open != "" {
			a.open = append(a.open, uint32(i))
		}
	}
	return nil
}

// live notes what the score of a state is.
func (a *analysis) live(i int, st rules.State) error {
	if a.stand == nil {
		return nil
	}
	p, err := a.judge.endless(st)
	if err != nil {
		return a.withPlay(i, err)
	}
	a.stand[i] = int32(p.lo)
	return nil
}

// withPlay adds the play to state i to an error.
func (a *analysis) withPlay(i int, err error) error {
	t, failed := a.graph.PlayTo(i)
	if failed != nil {
		return cmp.Or(failed, err)
	}
	return &forward.PlayError{Fault: err, Trace: *t}
}

// endlessOf is what an endless play is worth that stays in a component: the bound of it, if it is
// open. same says that it is the same wherever in the component it stays.
func (a *analysis) endlessOf(list []uint32, upper bool) (worth int32, same bool) {
	if a.stand != nil {
		s := a.stand[list[0]]
		return s, !slices.ContainsFunc(list, func(i uint32) bool { return a.stand[i] != s })
	}
	p, _ := a.judge.endless(rules.State{}) // the score does not count, so it does not fail
	if upper {
		return int32(p.hi), true
	}
	return int32(p.lo), true
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
		if d, same := a.endlessOf(list, upper); same {
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
