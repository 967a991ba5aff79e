package value

import (
	"context"
	"slices"

	"github.com/mancheck/mancheck/checker/forward"
	"github.com/mancheck/mancheck/checker/graph"
	"github.com/mancheck/mancheck/checker/pack"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// provenBackward finds strategies by retrograde analysis.
func provenBackward(ctx context.Context, sys *rules.System, sides []Side, p Payoff, opts Options, most Limits) ([]*Guarantee, error) {
	o := forward.Options{Bounds: opts.Bounds}
	if o.MaxStates == 0 || o.MaxStates > most.Explored {
		o.MaxStates = most.Explored
	}
	from := lists.Flat(sides, func(s Side) []rules.State { return s.From })
	a, err := explored(ctx, sys, forward.From(from...), p, o)
	if err != nil {
		return nil, err
	}
	if a.Stop != limit.Complete {
		return nil, &NoStrategyError{a.Reason, true}
	}
	if err := a.judgeAll(); err != nil {
		return nil, err
	}
	return a.guarantees(sides, most.Kept)
}

// guarantees finds the strategies of all sides.
func (a *analysis) guarantees(sides []Side, most int) ([]*Guarantee, error) {
	list := make([]*Guarantee, len(sides))
	for n, s := range sides {
		k := &keeping{component: newComponent(a), below: s.Below, bound: int32(s.Bound), number: make([]int32, a.graph.Len())}
		if err := k.solve(); err != nil {
			return nil, err
		}
		w := &written{keeping: k, in: make([]bool, a.graph.Len())}
		if !w.begin(s.From) {
			continue
		}
		if err := w.follow(most); err != nil {
			return nil, err
		}
		most -= len(w.list)
		list[n] = w.guarantee()
	}
	return list, nil
}

// keeping finds the states from which a player can keep a bound.
type keeping struct {
	component
	below  bool
	bound  int32
	number []int32 // by state; lost if the bound cannot be kept from there
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
func (k *keeping) solve() error {
	steps := 0
	return graph.Components(k.graph.Len(), k.graph.Of, func(list []uint32) error {
		if steps += len(list); steps >= 1<<16 {
			if steps = 0; k.ctx.Err() != nil {
				return k.ctx.Err()
			}
		}
		if k.mover[list[0]] == over {
			if k.number[list[0]] = 0; !k.keeps(list[0]) {
				k.number[list[0]] = lost
			}
			return nil
		}
		for _, i := range list {
			k.number[i] = lost
		}
		k.enter(list)
		for k.remain() || k.leave() {
		}
		k.exit()
		return nil
	})
}

// leave finds the states from which the player can bring play to where the bound is kept: out of a
// component, or to states of it that were found before. Numbers are greater than those of all
// states that may be next. It reports whether there are any.
func (k *keeping) leave() (some bool) {
	for queue := slices.Clone(k.states); len(queue) > 0; queue = queue[1:] {
		i := queue[0]
		if k.number[i] != lost {
			continue
		}
		if n, is := k.next(i); is {
			k.number[i], some = n+1, true
			queue = append(queue, k.before(i)...)
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
func (k *keeping) remain() (some bool) {
	var stay []uint32
	for _, i := range k.states {
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
			queue = append(queue, k.before(i)...)
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
func (w *written) follow(most int) error {
	for n := 0; n < len(w.list); n++ {
		if n%(1<<12) == 0 && w.ctx.Err() != nil {
			return w.ctx.Err()
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
