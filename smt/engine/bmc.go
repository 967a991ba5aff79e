package engine

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/smt/encode"
	"github.com/mancheck/mancheck/smt/solver"
	"github.com/mancheck/mancheck/smt/term"
)

// Reached is the result of Reach.
type Reached struct {
	Status Status     // Fails: Play leads to the goal. Holds: nothing within Depth moves does
	Unsure *ErrUnsure // Unknown: what the solver said at the depth after Depth
	Depth  int        // all plays of at most this many moves were covered; -1: none were
	Solver string
	Play   Play
}

// Reach looks for a shortest play from a start to a state that satisfies goal, of at most bound
// moves. It asks for each depth in turn and keeps the steps before. Open parameters may have any
// value of their ranges.
func Reach(ctx context.Context, sys *rules.System, goal rules.Expr, bound int, opt Options) (*Reached, error) {
	if !solver.Possible {
		return nil, &solver.NotInstalled{}
	}
	return reach(ctx, sys, bound, opt, stateOf(goal))
}

// stateOf is a condition on the last state.
func stateOf(goal rules.Expr) ending {
	return ending{canFail: rules.CanFail(goal), holds: func(u *unrolling, _, last int) (*term.Term, error) {
		return u.expr(goal, u.states[last], nil)
	}}
}

// ReachStep is Reach for a step by one of the actions (nil: any), from a state that satisfies from
// to one that satisfies bad, where Old is the state before.
func ReachStep(ctx context.Context, sys *rules.System, from, bad rules.Expr, actions []bool, bound int, opt Options) (*Reached, error) {
	if !solver.Possible {
		return nil, &solver.NotInstalled{}
	}
	canFail := rules.CanFail(from) || rules.CanFail(bad)
	return reach(ctx, sys, bound, opt, ending{moves: 1, canFail: canFail, holds: func(u *unrolling, before, last int) (*term.Term, error) {
		return u.badStep(before, last, from, bad, actions)
	}})
}

// ending is a condition on the end of a play.
type ending struct {
	moves   int  // at the end, which it is about: 0, for the last state, or 1
	canFail bool // it has no value in some states
	// holds makes the condition, of the last state and the one before it, by their places in the
	// chain. before is of no use if the condition is about no moves.
	holds func(u *unrolling, before, last int) (*term.Term, error)
}

// badStep says that the step from one state to the other is one that is looked for.
func (u *unrolling) badStep(from, to int, holds, bad rules.Expr, actions []bool) (*term.Term, error) {
	before, after := u.states[from], u.states[to]
	f, err := u.expr(holds, before, nil)
	if err != nil {
		return nil, err
	}
	t, err := u.expr(bad, after, &before)
	if err != nil {
		return nil, err
	}
	var by []*term.Term
	step := min(from, to)
	for i, c := range u.cases[step] {
		if rules.Counts(actions, c.Action) {
			by = append(by, u.choose[step][i])
		}
	}
	return u.b.And(f, t, u.b.Or(by...)), nil
}

// unrolling is a chain of states with a step between neighbours: from each to the next, or if
// backwards is set from each to the previous one.
//
// Its first state is one end of the plays and is asserted for good, so that all depths share what
// the solver learns about it. The other end is asserted for one depth only. If there are several
// starts, they usually say less than the goal, so the chain goes backwards from the goal.
type unrolling struct {
	*session
	backwards bool
	states    []encode.State
	choose    [][]*term.Term // by step: between states i and i+1
	cases     [][]encode.Case
}

func reach(ctx context.Context, sys *rules.System, bound int, opt Options, end ending) (*Reached, error) {
	s, err := begin(ctx, sys, opt)
	if err != nil {
		return nil, err
	}
	defer s.end()
	u := &unrolling{session: s}
	r := &Reached{Depth: -1, Solver: u.solver.Name()}
	for depth := 0; depth <= bound; depth++ {
		done, err := u.search(depth, opt, end, r)
		switch {
		case err != nil && ctx.Err() != nil && r.Status == Unknown && r.Depth >= 0:
			return r, nil // what was covered stays covered
		case err != nil:
			return nil, err
		case done:
			return r, nil
		}
	}
	r.Status = Holds
	return r, nil
}

// search goes one move further, and looks at the plays of exactly this many moves.
func (u *unrolling) search(depth int, opt Options, end ending, r *Reached) (done bool, err error) {
	if depth > 0 {
		u.next()
	} else if err := u.first(end); err != nil {
		return true, err
	}
	if opt.Observer != nil {
		opt.Observer(depth)
	}
	return u.ask(depth, end, r)
}

// first adds the first state of the chain, and the start unless the chain goes backwards.
func (u *unrolling) first(end ending) error {
	s0 := u.enc.State("s0")
	start, err := u.enc.Start(s0, u.open)
	if err != nil {
		return err
	}
	if err := u.wellBehaved(); err != nil {
		return err
	}
	u.assert(u.enc.Shape(s0))
	u.states = append(u.states, s0)
	if !end.canFail { // a condition must have a value where a play ends, but perhaps not elsewhere
		if u.backwards, err = u.manyStarts(s0, start); err != nil {
			return err
		}
	}
	if !u.backwards {
		u.assert(start)
	}
	return nil
}

// manyStarts reports whether there may be two starts with the same values of the open parameters.
// It is not used for an answer, so the solver need not decide it.
func (u *unrolling) manyStarts(s encode.State, start *term.Term) (bool, error) {
	t := u.enc.State("t0")
	other, err := u.enc.Start(t, u.open)
	if err != nil {
		return false, err
	}
	differ := u.b.Not(u.enc.Same(s, t, nil, nil))
	return u.impossible(u.b.And(start, u.enc.Shape(t), other, differ)).Status != solver.Unsat, nil
}

// next adds a step. All states of a play have the right shape and the same number of seeds, which
// was shown before; asserting it of the new state helps the solver.
func (u *unrolling) next() {
	n := len(u.states)
	last, state := u.states[n-1], u.enc.State(fmt.Sprintf("s%d", n))
	from, to := last, state
	if u.backwards {
		from, to = state, last
	}
	rel, choose, cases := u.enc.Step(from, to, fmt.Sprintf("c%d", n))
	u.assert(rel)
	u.assert(u.enc.Shape(state))
	u.assert(u.b.Eq(u.total(state), u.total(u.states[0])))
	u.states = append(u.states, state)
	u.choose, u.cases = append(u.choose, choose), append(u.cases, cases)
}

// ask looks for a play of exactly this many moves. There is no shorter one.
func (u *unrolling) ask(depth int, end ending, r *Reached) (done bool, err error) {
	if depth < end.moves {
		r.Depth = depth
		return false, nil
	}
	missing, err := u.missing(depth, end)
	if err != nil {
		return true, err
	}
	u.solver.Push()
	defer u.solver.Pop()
	u.assert(missing)
	switch a := u.check(); a.Status {
	case solver.Sat:
		r.Status = Fails
		r.Play, err = u.play()
		return true, err
	case solver.Unknown:
		r.Unsure = u.unsure(a)
		return true, nil
	}
	r.Depth = depth
	return false, nil
}

// missing is what makes the chain a play of this many moves: that it ends as required, or backwards
// that its last state is a start.
func (u *unrolling) missing(depth int, end ending) (*term.Term, error) {
	if !u.backwards {
		return end.holds(u, depth-1, depth)
	}
	if depth == end.moves {
		goal, err := end.holds(u, 1, 0)
		if err != nil {
			return nil, err
		}
		u.assert(goal)
	}
	return u.enc.Start(u.states[depth], u.open)
}

// play reads a play from the model.
func (u *unrolling) play() (Play, error) {
	first := 0
	if u.backwards {
		first = len(u.states) - 1
	}
	p, err := u.playFrom(u.states[first])
	if err != nil {
		return p, err
	}
	for i, choose := range u.choose {
		values, err := u.solver.Values(choose)
		if err != nil {
			return p, err
		}
		for k, v := range values {
			if v != 0 {
				p.Actions = append(p.Actions, u.cases[i][k].Action)
				break
			}
		}
	}
	if u.backwards {
		slices.Reverse(p.Actions)
	}
	return p, nil
}

// playFrom reads a play by given actions from the model.
func (s *session) playFrom(st encode.State, actions ...int) (p Play, err error) {
	p.Actions = actions
	if p.State, err = s.decode(st); err == nil {
		p.Open, err = s.solver.Values(s.open)
	}
	return p, err
}

// decode reads a state from the model.
func (s *session) decode(st encode.State) (rules.State, error) {
	values, err := s.valuesOf(st.Parts())
	if err != nil {
		return rules.State{}, err
	}
	n, m := len(st.Seeds), len(st.Vars)
	return rules.State{Seeds: values[:n], Vars: values[n : n+m], Mover: values[n+m], Outcome: values[n+m+1]}, nil
}

// valuesOf evaluates terms in the model, by its values of their variables.
func (s *session) valuesOf(ts []*term.Term) ([]int, error) {
	vars := term.Vars(ts...)
	values, err := s.solver.Values(vars)
	if err != nil {
		return nil, err
	}
	by := map[string]int{}
	for i, v := range vars {
		by[v.Name] = values[i]
	}
	out := make([]int, len(ts))
	for i, t := range ts {
		v := term.Eval(t, func(name string) *big.Int { return big.NewInt(int64(by[name])) })
		if !v.IsInt64() || !num.In(int(v.Int64())) {
			return nil, fmt.Errorf("%s finds a state with %s: %w", s.solver.Name(), v, num.ErrRange)
		}
		out[i] = int(v.Int64())
	}
	return out, nil
}
