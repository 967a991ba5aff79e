package engine

import (
	"context"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/smt/encode"
	"github.com/mancheck/mancheck/smt/solver"
	"github.com/mancheck/mancheck/smt/term"
)

// Stepped is the result of EveryStep.
type Stepped struct {
	Status Status     // Holds: every step from every state of the right shape. Fails: Play is one step that breaks it
	Unsure *ErrUnsure // Unknown: what the solver said
	Solver string
	Empty  bool // the claim applies to no step
	Play   Play
}

// EveryStep asks whether each step by one of the actions (nil: any) from a state of the right shape
// that satisfies from leads to a state that satisfies gives, where Old is the state before. shape
// restricts the states before further; it may be nil.
func EveryStep(ctx context.Context, sys *rules.System, from, gives rules.Expr, actions []bool, shape []rules.Expr, opt Options) (*Stepped, error) {
	if !solver.Possible {
		return nil, &solver.NotInstalled{}
	}
	s, err := begin(ctx, sys, opt)
	if err != nil {
		return nil, err
	}
	defer s.end()
	if err := s.wellBehaved(); err != nil {
		return nil, err
	}
	st := s.enc.State("s")
	cases, err := s.enc.Cases(st)
	if err != nil {
		return nil, err
	}
	s.assert(s.enc.Shape(st))
	for _, x := range append([]rules.Expr{from}, shape...) {
		t, err := s.expr(x, st, nil)
		if err != nil {
			return nil, err
		}
		s.assert(t)
	}
	concerned := lists.Filter(cases, func(c encode.Case) bool { return rules.Counts(actions, c.Action) })
	return s.everyStep(st, concerned, gives)
}

// everyStep asks case by case: each question is small, and the first failure names its action.
func (s *session) everyStep(st encode.State, cases []encode.Case, gives rules.Expr) (*Stepped, error) {
	out := &Stepped{Solver: s.solver.Name(), Empty: true}
	for _, c := range cases {
		good, err := s.expr(gives, c.To, &st)
		if err != nil {
			return nil, err
		}
		a, err := s.ask(st, c, s.b.Not(good), out)
		if err != nil || out.Status == Fails {
			return out, err
		}
		if a.Status == solver.Unknown {
			out.Unsure = s.unsure(a)
			return out, nil
		}
	}
	out.Status = Holds
	return out, nil
}

func (s *session) ask(st encode.State, c encode.Case, bad *term.Term, out *Stepped) (solver.Answer, error) {
	s.solver.Push()
	defer s.solver.Pop()
	s.assert(c.When)
	if out.Empty {
		if a := s.check(); a.Status != solver.Unsat {
			out.Empty = false
		}
	}
	if bad.IsFalse() {
		return solver.Answer{Status: solver.Unsat}, nil
	}
	s.assert(bad)
	a := s.check()
	if a.Status != solver.Sat {
		return a, nil
	}
	out.Status = Fails
	var err error
	out.Play, err = s.playFrom(st, c.Action)
	return a, err
}
