package engine

import (
	"context"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/smt/encode"
	"github.com/mancheck/mancheck/smt/solver"
	"github.com/mancheck/mancheck/smt/term"
)

// Finder lists states by asking a solver for one after another. It keeps one solver for many
// questions.
type Finder struct {
	*session
	keep  rules.Kept
	limit int
	st    encode.State
	into  []encode.Case
}

// NewFinder opens a solver for questions about states of the right shape, on kept parts. shape,
// which may be nil, restricts that shape further. Each question is answered with at most limit
// states.
func NewFinder(ctx context.Context, sys *rules.System, keep rules.Kept, shape []rules.Expr, limit int, opt Options) (*Finder, error) {
	s, err := begin(ctx, sys, opt)
	if err != nil {
		return nil, err
	}
	f := &Finder{session: s, keep: keep, limit: limit, st: s.enc.State("s")}
	if err := f.prepare(shape); err != nil {
		s.end()
		return nil, err
	}
	return f, nil
}

func (f *Finder) prepare(shape []rules.Expr) (err error) {
	if err := f.wellBehaved(); err != nil {
		return err
	}
	if f.into, err = f.enc.Cases(f.st); err != nil {
		return err
	}
	f.assert(f.enc.Shape(f.st))
	for _, x := range shape {
		t, err := f.expr(x, f.st, nil)
		if err != nil {
			return err
		}
		f.assert(t)
	}
	return nil
}

// Close closes the solver.
func (f *Finder) Close() { f.end() }

// Solver returns the solver's name.
func (f *Finder) Solver() string { return f.solver.Name() }

// Matching lists the states that satisfy cond.
func (f *Finder) Matching(cond rules.Expr) ([]rules.State, error) {
	t, err := f.expr(cond, f.st, nil)
	if err != nil {
		return nil, err
	}
	return f.list(t)
}

// Predecessors lists the states that have a step to target.
func (f *Finder) Predecessors(target rules.State) ([]rules.State, error) {
	goal := f.enc.Const(target)
	into, err := f.enc.SomeCase(f.into, func(c encode.Case) (*term.Term, error) {
		return f.enc.Same(c.To, goal, f.keep.Pits, f.keep.VarsOf(target.Outcome)), nil
	})
	if err != nil {
		return nil, err
	}
	return f.list(into)
}

// PredecessorsOf lists the states that have a step to a state which satisfies goal.
func (f *Finder) PredecessorsOf(goal rules.Expr) ([]rules.State, error) {
	into, err := f.enc.SomeCase(f.into, func(c encode.Case) (*term.Term, error) { return f.expr(goal, c.To, nil) })
	if err != nil {
		return nil, err
	}
	return f.list(into)
}

// list lists the models of t, blocking each before it asks for the next.
func (f *Finder) list(t *term.Term) ([]rules.State, error) {
	f.solver.Push()
	defer f.solver.Pop()
	f.assert(t)
	var found []rules.State
	for {
		switch a := f.check(); a.Status {
		case solver.Unsat:
			return found, nil
		case solver.Unknown:
			return found, f.unsure(a)
		}
		model, err := f.decode(f.st)
		if err != nil {
			return found, err
		}
		model = f.keep.Project(f.sys, model)
		if found = append(found, model); len(found) > f.limit {
			return found, &ErrUnsure{Solver: f.solver.Name(), Reason: "there are more states than can be listed one by one"}
		}
		f.assert(f.b.Not(f.like(model)))
	}
}

// like says that the kept parts of a state are those of s.
func (f *Finder) like(s rules.State) *term.Term {
	return f.enc.Same(f.st, f.enc.Const(s), f.keep.Pits, f.keep.VarsOf(s.Outcome))
}

// StartsLike reports whether some start agrees with s on the kept parts.
func (f *Finder) StartsLike(s rules.State) (bool, error) {
	start, err := f.enc.Start(f.st, f.open)
	if err != nil {
		return false, err
	}
	f.solver.Push()
	defer f.solver.Pop()
	f.assert(start)
	f.assert(f.like(s))
	a := f.check()
	if a.Status == solver.Unknown {
		return false, f.unsure(a)
	}
	return a.Status == solver.Sat, nil
}
