// Package obligation turns the claims of a certificate into formulas that must have no model. They
// are the whole proof: trust in the encoding of the rules and a solver is enough, no search need be
// trusted.
//
// The formula WellBehaved is about the System alone: a step from any state of the right shape leads
// to a state of the right shape with as many seeds, ends, and meets no fault of the rules. The
// other statements are about paths (Path): on every path of a given length, from a start or from
// any state of the right shape, if the assumptions hold in all states but the last, then a
// condition holds in the last. The number of seeds is not bounded in any of them.
package obligation

import (
	"context"
	"fmt"
	"io"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/smt/encode"
	"github.com/mancheck/mancheck/smt/solver"
	"github.com/mancheck/mancheck/smt/term"
)

// Path is a statement about all paths of Steps steps. Open parameters have the same values in all
// states.
type Path struct {
	Start   bool         // from starts only; otherwise from all states of the right shape
	Steps   int          // 0: the path is a single state
	Actions []bool       // that the last step may be by; nil: all
	Assume  []rules.Expr // in all states but the last
	Show    rules.Expr   // in the last; old asks for the state before
}

// Questions makes the formulas about one System.
type Questions struct {
	sys   *rules.System
	b     *term.Builder
	enc   *encode.Encoder
	open  []*term.Term
	same  map[string]*term.Term        // assumptions, by state and text
	known map[*term.Term][]encode.Case // the cases from a state, by the state's outcome term
	// WellBehaved must have no model: see the package comment.
	WellBehaved *term.Term
}

// About encodes a System. The error is an *encode.UnsupportedError if it cannot be encoded, or the
// error of trial, which examines the formulas first and may be nil.
func About(sys *rules.System, trial func(*rules.System, *encode.Encoder) error) (*Questions, error) {
	b := term.NewBuilder()
	enc, err := encode.New(sys, b, encode.Options{})
	if err == nil && trial != nil {
		err = trial(sys, enc)
	}
	if err != nil {
		return nil, err
	}
	q := &Questions{sys: sys, b: b, enc: enc, open: enc.OpenParams(), same: map[string]*term.Term{}, known: map[*term.Term][]encode.Case{}}
	q.WellBehaved, err = q.wellBehaved()
	return q, err
}

// whole adds the definitions that a formula needs, and the ranges of the open parameters.
func (q *Questions) whole(f *term.Term) *term.Term {
	return q.b.And(f, q.enc.Definitions(f), q.enc.ParamRanges(q.open))
}

// cases returns the cases from s, which are made once for each state.
func (q *Questions) cases(s encode.State) ([]encode.Case, error) {
	if c, ok := q.known[s.Outcome]; ok {
		return c, nil
	}
	c, err := q.enc.Cases(s)
	q.known[s.Outcome] = c
	return c, err
}

func (q *Questions) wellBehaved() (*term.Term, error) {
	s := q.enc.State("s0")
	cases, err := q.cases(s)
	if err != nil {
		return nil, err
	}
	bad := []*term.Term{q.enc.Overrun(s), q.enc.Fault(s)}
	bad = append(bad, lists.Map(cases, func(c encode.Case) *term.Term { return q.enc.Misbehaves(s, c) })...)
	return q.whole(q.b.And(q.enc.Shape(s), q.b.Or(bad...))), nil
}

// Path returns a formula that must have no model: a path that does not end as it should.
func (q *Questions) Path(p Path) (*term.Term, error) {
	s := q.enc.State("s0")
	all := []*term.Term{q.enc.Shape(s)}
	if p.Start {
		start, err := q.enc.Start(s, q.open)
		if err != nil {
			return nil, err
		}
		all = append(all, start)
	}
	for i := range p.Steps - 1 {
		next := q.enc.State(fmt.Sprintf("s%d", i+1))
		rel, _, _ := q.enc.Step(s, next, fmt.Sprintf("c%d", i+1))
		assumed, err := q.assume(p.Assume, s)
		if err != nil {
			return nil, err
		}
		all = append(all, rel, assumed, q.enc.Shape(next))
		s = next
	}
	last, err := q.last(p, s)
	if err != nil {
		return nil, err
	}
	return q.whole(q.b.And(append(all, last)...)), nil
}

// last says that the last step, or without steps the only state, does not satisfy what is to be
// shown. A last step is asked about case by case, since the case then decides most of the
// conditions on the state that it leads to.
func (q *Questions) last(p Path, s encode.State) (*term.Term, error) {
	if p.Steps == 0 {
		return q.fails(p, s, nil)
	}
	assumed, err := q.assume(p.Assume, s)
	if err != nil {
		return nil, err
	}
	cases, err := q.cases(s)
	if err != nil {
		return nil, err
	}
	cases = lists.Filter(cases, func(c encode.Case) bool { return rules.Counts(p.Actions, c.Action) })
	some, err := q.enc.SomeCase(cases, func(c encode.Case) (*term.Term, error) { return q.fails(p, c.To, &s) })
	if err != nil {
		return nil, err
	}
	return q.b.And(assumed, some), nil
}

func (q *Questions) fails(p Path, s encode.State, old *encode.State) (*term.Term, error) {
	show, err := q.enc.ExprFor(p.Show, s, old, q.open)
	if err != nil {
		return nil, err
	}
	return q.b.Not(show), nil
}

// assume says that all of xs hold in s. The formula is kept, since the same assumptions recur with
// each state of a set.
func (q *Questions) assume(xs []rules.Expr, s encode.State) (*term.Term, error) {
	var all []*term.Term
	for _, x := range xs {
		key := fmt.Sprintf("%d %s", s.Outcome.ID, rules.ExprString(q.sys, x))
		t, ok := q.same[key]
		if !ok {
			var err error
			if t, err = q.enc.ExprFor(x, s, nil, q.open); err != nil {
				return nil, err
			}
			q.same[key] = t
		}
		all = append(all, t)
	}
	return q.b.And(all...), nil
}

// NotShownError says that a solver did not answer "no model" to a question.
type NotShownError struct {
	Solver string
	Answer solver.Answer
}

func (e *NotShownError) Error() string {
	if e.Answer.Status == solver.Sat {
		return "it is not true: " + e.Solver + " has a counterexample"
	}
	return fmt.Sprintf("%s did not decide it: %s", e.Solver, e.Answer.Reason)
}

// Shown asks the solver. The error is a *NotShownError unless the formula has no model.
func Shown(ctx context.Context, s solver.Solver, f *term.Term) error {
	s.Push()
	defer s.Pop()
	s.Assert(f)
	if a := s.Check(ctx); a.Status != solver.Unsat {
		return &NotShownError{Solver: s.Name(), Answer: a}
	}
	return nil
}

// WriteSMT2 writes a question as an SMT-LIB 2 script, whose answer must be unsat.
func WriteSMT2(w io.Writer, name string, f *term.Term) error {
	_, err := fmt.Fprintf(w, "; %s\n; expected answer: unsat\n%s", name, term.Script(f))
	return err
}
