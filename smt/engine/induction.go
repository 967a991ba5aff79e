package engine

import (
	"context"
	"fmt"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/smt/encode"
	"github.com/mancheck/mancheck/smt/solver"
)

// Induced is the result of Induct.
type Induced struct {
	Status Status // Holds: for every number of moves. Fails: Play breaks the invariant
	Reason string
	K      int // length of the induction that succeeded, or that failed last
	Solver string
	Play   Play
	// Step is a counterexample to the induction step alone: a path of states that satisfy the
	// invariant, followed by one that does not, from a state that need not be reachable. It shows
	// that the invariant is not inductive, not that it is false.
	Step *StepCounterexample
}

// StepCounterexample is a path from a state that need not be reachable.
type StepCounterexample struct {
	From    rules.State
	Actions []int
	Open    []int
}

// Induct proves by k-induction, for k from 1 to maxK, that every reachable state satisfies inv,
// with any number of seeds and moves. The hypotheses are the right shape and conservation of seeds
// (both shown first), the lemmas, and inv in the k states before. lemmas must be invariants that
// are known to hold.
func Induct(ctx context.Context, sys *rules.System, inv rules.Expr, lemmas []rules.Expr, maxK int, opt Options) (*Induced, error) {
	out := &Induced{}
	base, err := Reach(ctx, sys, rules.Not{X: inv}, maxK-1, opt)
	if err != nil {
		return nil, err
	}
	out.Solver = base.Solver
	if base.Status != Holds {
		out.Status, out.Reason, out.Play = base.Status, base.Reason, base.Play
		return out, nil
	}
	s, err := begin(ctx, sys, opt)
	if err != nil {
		return nil, err
	}
	defer s.end()
	return out, (&induction{session: s, inv: inv, lemmas: lemmas}).run(maxK, out)
}

// induction is a chain of states that starts from an arbitrary one.
type induction struct {
	*session
	inv    rules.Expr
	lemmas []rules.Expr
	chain  unrolling
}

func (i *induction) run(maxK int, out *Induced) error {
	i.chain = unrolling{session: i.session}
	s0 := i.enc.State("s0")
	i.chain.states = append(i.chain.states, s0)
	i.assert(i.enc.Shape(s0))
	if err := i.suppose(s0); err != nil {
		return err
	}
	for k := 1; k <= maxK; k++ {
		i.chain.next()
		done, err := i.step(k, out)
		if done || err != nil {
			return err
		}
		if err := i.suppose(i.chain.states[k]); err != nil {
			return err
		}
	}
	return nil
}

// suppose asserts the invariant and the lemmas for a state.
func (i *induction) suppose(st encode.State) error {
	for _, x := range append([]rules.Expr{i.inv}, i.lemmas...) {
		t, err := i.enc.ExprFor(x, st, nil, i.open)
		if err != nil {
			return err
		}
		i.assert(t)
	}
	return nil
}

// step asks whether the last state of the chain can break the invariant.
func (i *induction) step(k int, out *Induced) (done bool, err error) {
	out.K = k
	inv, err := i.enc.ExprFor(i.inv, i.chain.states[k], nil, i.open)
	if err != nil {
		return true, err
	}
	i.solver.Push()
	defer i.solver.Pop()
	i.assert(i.b.Not(inv))
	switch a := i.check(); a.Status {
	case solver.Unsat:
		out.Status, out.Step = Holds, nil
		out.Reason = fmt.Sprintf("%d-induction", k)
		if k == 1 {
			out.Reason = "induction"
		}
		return true, nil
	case solver.Unknown:
		out.Reason = fmt.Sprintf("in the step of %d-induction %s answers unknown: %s", k, i.solver.Name(), a.Reason)
		return true, nil
	}
	p, err := i.chain.play()
	out.Step = &StepCounterexample{From: p.State, Actions: p.Actions, Open: p.Open}
	out.Reason = fmt.Sprintf("not inductive for k up to %d: the counterexample to the induction step need not be reachable", k)
	return false, err
}
