package value

import (
	"context"
	"slices"

	"github.com/mancheck/mancheck/checker/forward"
	packed "github.com/mancheck/mancheck/checker/game"
	"github.com/mancheck/mancheck/checker/graph"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/rules"
)

// guarantors know from which states which bounds can be guaranteed. They know all states that are
// reachable from some states.
type guarantors struct {
	sys    *rules.System
	graph  *forward.Graph
	mover  []int8  // by state; over: the game is over, or there is no move
	lo, hi []int32 // by state: what a play is worth that has ended there, or that comes back for ever
}

// provenBackward finds strategies by retrograde analysis.
func provenBackward(ctx context.Context, sys *rules.System, sides []Side, p Payoff, opts Options, most Limits) ([]*Guarantee, error) {
	j, err := newJudge(ctx, sys, p)
	if err != nil {
		return nil, err
	}
	o := forward.Options{Bounds: opts.Bounds}
	if o.MaxStates == 0 || o.MaxStates > most.Explored {
		o.MaxStates = most.Explored
	}
	var from []rules.State
	for _, s := range sides {
		from = append(from, s.From...)
	}
	played, err := packed.Sliced(ctx, sys, sys.Scores...)
	if err != nil {
		return nil, err
	}
	g := &guarantors{sys: sys}
	var r *forward.Result
	if g.graph, r, err = forward.Explore(ctx, played, forward.From(from...), o); err != nil {
		return nil, err
	}
	if r.Stop != limit.Complete {
		return nil, &NoStrategyError{r.Reason}
	}
	if err := g.judge(ctx, j); err != nil {
		return nil, err
	}
	return g.guarantees(ctx, sides, most.Kept)
}

// judge finds what plays are worth.
func (g *guarantors) judge(ctx context.Context, j *judge) error {
	n := g.graph.Len()
	g.mover, g.lo, g.hi = make([]int8, n), make([]int32, n), make([]int32, n)
	flat := pack.NewFlat(g.sys)
	for i := range n {
		if i%(1<<16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		g.graph.State(i, flat)
		st := flat.View(g.sys)
		g.mover[i] = over
		p, err := j.stuck(), error(nil)
		switch {
		case !st.Live():
			p, err = j.of(st)
		case len(g.graph.Of(i)) > 0:
			g.mover[i] = int8(st.Mover)
			p, err = j.endless(st)
		}
		if err != nil {
			return err
		}
		g.lo[i], g.hi[i] = int32(p.lo), int32(p.hi)
	}
	return nil
}

// guarantees finds the strategies of all sides.
func (g *guarantors) guarantees(ctx context.Context, sides []Side, most int) ([]*Guarantee, error) {
	list := make([]*Guarantee, len(sides))
	for n, s := range sides {
		k := &keeping{guarantors: g, below: s.Below, bound: int32(s.Bound), number: make([]int32, g.graph.Len()), place: make([]int32, g.graph.Len())}
		if err := k.solve(ctx); err != nil {
			return nil, err
		}
		w := &written{keeping: k, in: make([]bool, g.graph.Len())}
		if !w.begin(s.From) {
			continue
		}
		if err := w.follow(ctx, most); err != nil {
			return nil, err
		}
		most -= len(w.list)
		list[n] = w.guarantee()
	}
	return list, nil
}

// keeping finds the states from which a player can keep a bound.
type keeping struct {
	*guarantors
	below  bool
	bound  int32
	number []int32 // by state; lost if the bound cannot be kept from there
	place  []int32 // by state of the component that is looked at: its index, from 1 on; otherwise 0
}

const lost = -1

// follows reports whether the player to move is the one who keeps the bound.
func (k *keeping) follows(i uint32) bool { return maximizes(int(k.mover[i])) != k.below }

// keeps reports whether it is within the bound if play has ended in a state, or comes back to it
// for ever.
func (k *keeping) keeps(i uint32) bool {
	if k.below {
		return k.hi[i] <= k.bound
	}
	return k.lo[i] >= k.bound
}

// solve goes through the strongly connected components, the last ones first.
func (k *keeping) solve(ctx context.Context) error {
	steps := 0
	return graph.Components(k.graph.Len(), k.graph.Of, func(list []uint32) error {
		if steps += len(list); steps >= 1<<16 {
			if steps = 0; ctx.Err() != nil {
				return ctx.Err()
			}
		}
		if k.mover[list[0]] == over {
			if k.number[list[0]] = 0; !k.keeps(list[0]) {
				k.number[list[0]] = lost
			}
			return nil
		}
		for n, i := range list {
			k.place[i] = int32(n + 1)
			k.number[i] = lost
		}
		for back := k.back(list); k.remain(list, back) || k.leave(list, back); {
		}
		for _, i := range list {
			k.place[i] = 0
		}
		return nil
	})
}

// back lists for each state of a component those of it with a step to it, once for each step.
func (k *keeping) back(list []uint32) [][]uint32 {
	out := make([][]uint32, len(list))
	for _, i := range list {
		for _, j := range k.graph.Of(int(i)) {
			if n := k.place[j]; n > 0 {
				out[n-1] = append(out[n-1], i)
			}
		}
	}
	return out
}

// leave finds the states from which the player can bring play to where the bound is kept: out of a
// component, or to states of it that were found before. Numbers are greater than those of all
// states that may be next. It reports whether there are any.
func (k *keeping) leave(list []uint32, back [][]uint32) (some bool) {
	for queue := slices.Clone(list); len(queue) > 0; queue = queue[1:] {
		i := queue[0]
		if k.number[i] != lost {
			continue
		}
		if n, is := k.next(i); is {
			k.number[i], some = n+1, true
			queue = append(queue, back[k.place[i]-1]...)
		}
	}
	return some
}

// next is the least number of the states that a move of the player leads to, or the greatest of
// those after a move of the other one; is says whether the bound is kept there.
func (k *keeping) next(i uint32) (number int32, is bool) {
	mine := k.follows(i)
	for _, j := range k.graph.Of(int(i)) {
		switch n := k.number[j]; {
		case n == lost && !mine:
			return 0, false
		case n == lost:
		case !is, n < number == mine:
			number, is = n, true
		}
	}
	return number, is
}

// remain finds the states of a component which it is good to come back to for ever, and from which
// the player need not leave them, but for states where the bound is kept. All have one number. It
// reports whether there are any.
func (k *keeping) remain(list []uint32, back [][]uint32) (some bool) {
	var stay []uint32
	for _, i := range list {
		if k.number[i] == lost && k.keeps(i) {
			k.number[i] = 0
			stay = append(stay, i)
		}
	}
	for queue := slices.Clone(stay); len(queue) > 0; queue = queue[1:] {
		i := queue[0]
		if k.number[i] == lost {
			continue
		}
		if _, is := k.next(i); !is {
			k.number[i] = lost
			queue = append(queue, back[k.place[i]-1]...)
		}
	}
	stay = slices.DeleteFunc(stay, func(i uint32) bool { return k.number[i] == lost })
	most := int32(0)
	for _, i := range stay {
		for _, j := range k.graph.Of(int(i)) {
			most = max(most, k.number[j])
		}
	}
	for _, i := range stay {
		k.number[i] = most
	}
	return len(stay) > 0
}

// written is a strategy that is being written down.
type written struct {
	*keeping
	in   []bool // by state
	list []uint32
}

// begin adds the states that the strategy is for. It fails if the bound cannot be kept from one.
func (w *written) begin(from []rules.State) bool {
	for _, st := range from {
		i, known := w.graph.Number(st)
		if !known || w.number[i] == lost {
			return false
		}
		w.add(uint32(i))
	}
	return true
}

// add adds a state, unless it is finished.
func (w *written) add(i uint32) {
	if w.mover[i] != over && !w.in[i] {
		w.in[i] = true
		w.list = append(w.list, i)
	}
}

// follow adds the states that play comes to.
func (w *written) follow(ctx context.Context, most int) error {
	for n := 0; n < len(w.list); n++ {
		if n%(1<<12) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if len(w.list) > most {
			return errLarge
		}
		i := w.list[n]
		if w.follows(i) {
			w.add(w.choose(i))
			continue
		}
		for _, j := range w.graph.Of(int(i)) {
			w.add(j)
		}
	}
	return nil
}

// choose returns the state that the player's move leads to: one that adds nothing to the strategy,
// if there is one, or else one with the least number.
func (w *written) choose(i uint32) uint32 {
	best, found := uint32(0), false
	for _, j := range w.graph.Of(int(i)) {
		n := w.number[j]
		if n == lost || n > w.number[i] || n == w.number[i] && !w.keeps(i) {
			continue
		}
		if w.mover[j] == over || w.in[j] {
			return j
		}
		if !found || n < w.number[best] {
			best, found = j, true
		}
	}
	return best
}

func (w *written) guarantee() *Guarantee {
	out := &Guarantee{}
	flat := pack.NewFlat(w.sys)
	for _, i := range w.list {
		w.graph.State(int(i), flat)
		out.States, out.Numbers = append(out.States, flat.State(w.sys)), append(out.Numbers, int(w.number[i]))
	}
	return out
}
