package engine

import (
	"context"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/smt/encode"
	"github.com/mancheck/mancheck/smt/solver"
	"github.com/mancheck/mancheck/smt/term"
)

// Induced is the result of Induct.
type Induced struct {
	Status Status     // Holds: for every number of moves. Fails: Play breaks the invariant
	Base   *Reached   // the first moves of plays, if the solver leaves those open
	Unsure *ErrUnsure // what the solver said of the step, if that leaves it open
	K      int        // length of the induction that succeeded, or that failed last
	Solver string
	Play   Play
	// Step is a counterexample to the induction step alone: a path of states that satisfy the
	// invariant, followed by one that does not, from a state that need not be reachable. It shows
	// that the invariant is not inductive, not that it is false.
	Step *Play
}

// Induct proves by k-induction, for k from 1 to maxK, that every reachable state satisfies inv,
// with any number of seeds and moves. The hypotheses are the right shape and conservation of seeds
// (both shown first), the lemmas, and inv in the k states before. lemmas must be invariants that
// are known to hold.
func Induct(ctx context.Context, sys *rules.System, inv rules.Expr, lemmas []rules.Expr, maxK int, opt Options) (*Induced, error) {
	if !solver.Possible {
		return nil, &solver.NotInstalled{}
	}
	s, err := begin(ctx, sys, opt)
	if err != nil {
		return nil, err
	}
	defer s.end()
	more, err := s.another(opt)
	if err != nil {
		return nil, err
	}
	defer more.end()
	i := &induction{session: more, inv: inv, lemmas: lemmas, chain: unrolling{session: more}}
	i.base.session = s
	return i.run(maxK, opt)
}

// induction is a chain of states from an arbitrary one, beside the first states of every play.
type induction struct {
	*session
	inv    rules.Expr
	lemmas []rules.Expr
	base   unrolling
	chain  unrolling
}

// run asks for each k whether the first k states of every play satisfy the invariant, and then for
// the step. Most proofs need one state, and plays of several moves are much more work.
func (i *induction) run(maxK int, opt Options) (*Induced, error) {
	base := &Reached{Depth: -1, Solver: i.solver.Name()}
	out := &Induced{Solver: base.Solver}
	for k := 1; k <= maxK; k++ {
		if done, err := i.base.search(k-1, opt, stateOf(rules.Not{X: i.inv}), base); err != nil {
			return nil, err
		} else if done {
			return &Induced{Status: base.Status, Base: base, Solver: base.Solver, Play: base.Play}, nil
		}
		step := i.step
		if k == 1 {
			step = i.firstStep
		}
		out.K = k
		switch answer, err := step(out); {
		case err != nil:
			return nil, err
		case answer == solver.Unknown:
			return out, nil
		case answer == solver.Unsat:
			out.Status, out.Step = Holds, nil
			return out, nil
		}
	}
	return out, nil
}

// firstStep asks case by case about a step from an arbitrary state: these are small questions.
func (i *induction) firstStep(out *Induced) (solver.Status, error) {
	s0 := i.enc.State("s0")
	i.chain.states = append(i.chain.states, s0)
	i.assert(i.enc.Shape(s0))
	if err := i.suppose(s0); err != nil {
		return solver.Unknown, err
	}
	cases, err := i.enc.Cases(s0)
	if err != nil {
		return solver.Unknown, err
	}
	for _, c := range cases {
		inv, err := i.enc.ExprFor(i.inv, c.To, nil, i.open)
		if err != nil {
			return solver.Unknown, err
		}
		bad := i.b.And(c.When, i.b.Not(inv))
		if i.enc.Impossible(c, bad) {
			continue
		}
		answer, err := i.breaks(bad, out, func() (Play, error) { return i.playFrom(s0, c.Action) })
		if answer != solver.Unsat || err != nil {
			return answer, err
		}
	}
	return solver.Unsat, nil
}

// step asks whether the last of k steps can break the invariant.
func (i *induction) step(out *Induced) (solver.Status, error) {
	for n := len(i.chain.states); n <= out.K; n++ {
		if n > 1 {
			if err := i.suppose(i.chain.states[n-1]); err != nil {
				return solver.Unknown, err
			}
		}
		i.chain.next()
	}
	inv, err := i.enc.ExprFor(i.inv, i.chain.states[out.K], nil, i.open)
	if err != nil {
		return solver.Unknown, err
	}
	return i.breaks(i.b.Not(inv), out, i.chain.play)
}

// breaks asks whether the invariant can be broken in this way.
func (i *induction) breaks(bad *term.Term, out *Induced, play func() (Play, error)) (solver.Status, error) {
	i.solver.Push()
	defer i.solver.Pop()
	i.assert(bad)
	a := i.check()
	switch a.Status {
	case solver.Unknown:
		out.Unsure = i.unsure(a)
	case solver.Sat:
		p, err := play()
		if err != nil {
			return a.Status, err
		}
		out.Step = &p
	}
	return a.Status, nil
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
