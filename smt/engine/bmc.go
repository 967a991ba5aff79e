package engine

import (
	"context"
	"fmt"
	"math/big"

	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/smt/encode"
	"github.com/mancheck/mancheck/smt/solver"
	"github.com/mancheck/mancheck/smt/term"
)

// Reached is the result of Reach.
type Reached struct {
	Status Status // Fails: Play leads to the goal. Holds: nothing within Depth moves does
	Reason string
	Depth  int // all plays of at most so many moves were covered; -1: none were
	Solver string
	Play   Play
}

// Reach looks for a shortest play from a start to a state that satisfies goal, of at most bound
// moves. It asks for each depth in turn and keeps the steps before. Open parameters may have any
// value of their ranges.
func Reach(ctx context.Context, sys *rules.System, goal rules.Expr, bound int, opt Options) (*Reached, error) {
	s, err := begin(ctx, sys, opt)
	if err != nil {
		return nil, err
	}
	defer s.end()
	u := &unrolling{session: s}
	return u.run(bound, opt, func(depth int) (*term.Term, error) { return s.expr(goal, u.states[depth], nil) })
}

// ReachStep is Reach for a step by one of the actions (nil: any), from a state that satisfies from
// to one that satisfies bad, where Old is the state before.
func ReachStep(ctx context.Context, sys *rules.System, from, bad rules.Expr, actions []bool, bound int, opt Options) (*Reached, error) {
	s, err := begin(ctx, sys, opt)
	if err != nil {
		return nil, err
	}
	defer s.end()
	u := &unrolling{session: s}
	return u.run(bound, opt, func(depth int) (*term.Term, error) { return u.badStep(depth, from, bad, actions) })
}

// badStep says that the step to the state at depth is one of those looked for.
func (u *unrolling) badStep(depth int, from, bad rules.Expr, actions []bool) (*term.Term, error) {
	if depth == 0 {
		return u.b.False(), nil
	}
	before, after := u.states[depth-1], u.states[depth]
	f, err := u.expr(from, before, nil)
	if err != nil {
		return nil, err
	}
	t, err := u.expr(bad, after, &before)
	if err != nil {
		return nil, err
	}
	var by []*term.Term
	for i, c := range u.cases[depth-1] {
		if actions == nil || actions[c.Action] {
			by = append(by, u.choose[depth-1][i])
		}
	}
	return u.b.And(f, t, u.b.Or(by...)), nil
}

// unrolling is a chain of states, each one step after the previous one.
type unrolling struct {
	*session
	states []encode.State
	choose [][]*term.Term
	cases  [][]encode.Case
}

func (u *unrolling) run(bound int, opt Options, goal func(depth int) (*term.Term, error)) (*Reached, error) {
	r := &Reached{Depth: -1, Solver: u.solver.Name()}
	if err := u.first(); err != nil {
		return nil, err
	}
	for depth := 0; depth <= bound; depth++ {
		if depth > 0 {
			if err := u.next(); err != nil {
				return nil, err
			}
		}
		if opt.Observer != nil {
			opt.Observer(depth)
		}
		done, err := u.ask(depth, goal, r)
		if done || err != nil {
			return r, err
		}
	}
	r.Status = Holds
	r.Reason = fmt.Sprintf("no play of at most %d moves", bound)
	return r, nil
}

func (u *unrolling) first() error {
	s0 := u.enc.State("s0")
	start, err := u.enc.Start(s0, u.open)
	if err != nil {
		return err
	}
	cases, err := u.enc.Cases(s0)
	if err != nil {
		return err
	}
	if err := u.wellBehaved(s0, cases); err != nil {
		return err
	}
	u.assert(u.enc.Shape(s0))
	u.assert(start)
	u.states = append(u.states, s0)
	return nil
}

// next adds a step. That the new state has the right shape and as many seeds as the first was shown
// before; asserting it helps the solver.
func (u *unrolling) next() error {
	n := len(u.states)
	from, to := u.states[n-1], u.enc.State(fmt.Sprintf("s%d", n))
	rel, choose, cases := u.enc.Step(from, to, fmt.Sprintf("c%d", n))
	u.assert(rel)
	u.assert(u.enc.Shape(to))
	u.assert(u.b.Eq(u.total(to), u.total(u.states[0])))
	u.states = append(u.states, to)
	u.choose, u.cases = append(u.choose, choose), append(u.cases, cases)
	return nil
}

// ask looks for a play of exactly this many moves. There is no shorter one.
func (u *unrolling) ask(depth int, goal func(int) (*term.Term, error), r *Reached) (done bool, err error) {
	g, err := goal(depth)
	if err != nil {
		return true, err
	}
	u.solver.Push()
	defer u.solver.Pop()
	u.assert(g)
	switch a := u.check(); a.Status {
	case solver.Sat:
		r.Status = Fails
		r.Play, err = u.play()
		r.Reason = fmt.Sprintf("a play of %d moves", depth)
		return true, err
	case solver.Unknown:
		r.Reason = fmt.Sprintf("at depth %d %s answers unknown: %s", depth, u.solver.Name(), a.Reason)
		return true, nil
	}
	r.Depth = depth
	return false, nil
}

// play reads a play from the model.
func (u *unrolling) play() (Play, error) {
	var p Play
	var err error
	if p.State, err = u.decode(u.states[0]); err != nil {
		return p, err
	}
	if p.Open, err = u.solver.Values(u.open); err != nil {
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
	return p, nil
}

// decode reads a state from the model.
func (s *session) decode(st encode.State) (rules.State, error) {
	vars := append(append([]*term.Term{}, st.Seeds...), st.Vars...)
	vars = append(vars, st.Mover, st.Outcome)
	values, err := s.valuesOf(vars)
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
