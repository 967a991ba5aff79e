// Package engine answers questions about a System with a solver: is a state reachable within a
// number of moves (bmc.go), does an invariant hold by induction (induction.go), what leads to a
// state (preimage.go), what does every step do (steps.go). Questions about the same System share
// its formulas (encodings.go).
//
// Its files see a System only through its encoding as cases (smt/encode), and return what a solver
// claims as plain starts and actions, which the caller replays. An answer that depends on an
// unrolled loop having ended is given only after the solver has shown that it ends.
package engine

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/smt/encode"
	"github.com/mancheck/mancheck/smt/solver"
	"github.com/mancheck/mancheck/smt/term"
)

// Options choose the solver and limit the work.
type Options struct {
	Solver   string          // as for solver.Open
	Steps    uint32          // for each question to the solver, in its own unit; 0: no limit
	Unroll   int             // rounds of a loop; 0: from the size of the board
	MaxCases int             // as in encode.Options
	Timeout  time.Duration   // for each question to the solver; 0: a minute, or no limit if Steps is set
	Observer func(depth int) // called with each depth of an unrolling; may be nil
	// Trial examines the formulas of a System before the solver is asked about them: its error ends
	// the question. It may be nil.
	Trial func(*rules.System, *encode.Encoder) error
	// Encodings has the formulas of earlier questions; nil: there are none.
	Encodings *Encodings
}

// timeout returns 0 if there is none: then time does not decide.
func (o Options) timeout() time.Duration {
	if o.Timeout == 0 && o.Steps == 0 {
		return time.Minute
	}
	return o.Timeout
}

// within limits a context to the time that a question to the solver may take.
func within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, limit)
}

// stop gives up the encoding when the context ends, or when it has taken as long as a question to
// the solver may take.
func (o Options) stop(ctx context.Context, sys *rules.System) func() error {
	limit := o.timeout()
	if limit == 0 {
		return ctx.Err
	}
	end := time.Now().Add(limit)
	return func() error {
		if ctx.Err() == nil && time.Now().After(end) {
			return &ErrUnsure{Solver: "the encoding of the rules", Reason: "it takes too long" + loops(sys)}
		}
		return ctx.Err()
	}
}

// loops says of rules with a loop why their formulas are large.
func loops(sys *rules.System) string {
	var at diag.Range
	for i := range sys.Actions {
		rules.WalkStmts(sys.Actions[i].Body, func(s rules.Stmt) {
			if w, is := s.(rules.While); is && at.Start.Line == 0 {
				at = w.At
			}
		})
	}
	if at.Start.Line == 0 {
		return ""
	}
	return fmt.Sprintf(", because the loop in line %d can go in several ways each time round", at.Start.Line)
}

// Status is the result of a question.
type Status int

const (
	Unknown Status = iota // the result says why
	Holds                 // no counterexample within the bounds of the question
	Fails                 // with a counterexample
)

// Play is a path found by a solver: a state and the actions from it. Open are the values of the
// open parameters. Whether State is a start depends on the question.
type Play struct {
	State   rules.State
	Open    []int
	Actions []int
}

// session is one solver with the encoding of one System.
type session struct {
	ctx    context.Context
	sys    *rules.System
	b      *term.Builder
	enc    *encode.Encoder
	common *encoding
	solver solver.Solver
	open   []*term.Term
	opt    Options
}

// check asks the solver, with a time limit.
func (s *session) check() solver.Answer {
	ctx, cancel := within(s.ctx, s.opt.timeout())
	defer cancel()
	return s.solver.Check(ctx)
}

// open opens a solver.
func open(ctx context.Context, opt Options) (solver.Solver, error) {
	ctx, cancel := within(ctx, opt.timeout())
	defer cancel()
	return solver.OpenLimited(ctx, opt.Solver, opt.Steps)
}

// begin opens a solver and encodes the System.
func begin(ctx context.Context, sys *rules.System, opt Options) (*session, error) {
	sol, err := open(ctx, opt)
	if err != nil {
		return nil, err // before the work of encoding
	}
	common, err := opt.Encodings.of(ctx, sys, opt)
	if err != nil {
		sol.Close()
		return nil, err
	}
	return newSession(ctx, sys, common, sol, opt), nil
}

// newSession begins with formulas of its own, so that its answers do not depend on other sessions.
func newSession(ctx context.Context, sys *rules.System, common *encoding, sol solver.Solver, opt Options) *session {
	enc, b := common.enc.Fork(opt.stop(ctx, sys))
	s := &session{ctx: ctx, sys: sys, b: b, enc: enc, common: common, solver: sol, open: enc.OpenParams(), opt: opt}
	s.assert(enc.ParamRanges(s.open))
	return s
}

// another opens a second solver for questions about the same formulas.
func (s *session) another(opt Options) (*session, error) {
	sol, err := open(s.ctx, opt)
	if err != nil {
		return nil, err
	}
	more := *s
	more.solver = sol
	more.assert(more.enc.ParamRanges(more.open))
	return &more, nil
}

func (s *session) end() { s.solver.Close() }

// assert adds a formula, with the definitions of its quotients.
func (s *session) assert(t *term.Term) {
	s.solver.Assert(s.b.And(t, s.enc.Definitions(t)))
}

// expr returns a condition of a claim, which may refer to the open parameters. It fails unless the
// condition has a value in every state of the right shape that the assertions allow: an error of
// the rules is neither true nor false.
func (s *session) expr(x rules.Expr, st encode.State, old *encode.State) (*term.Term, error) {
	fault, err := s.enc.NoValue(x, st, old, s.open)
	if err != nil {
		return nil, err
	}
	if !fault.IsFalse() {
		shapes := s.enc.Shape(st)
		if old != nil {
			shapes = s.b.And(shapes, s.enc.Shape(*old))
		}
		if err := s.never(s.b.And(fault, shapes), "a condition of the claim has no value"); err != nil {
			return nil, err
		}
	}
	return s.enc.ExprFor(x, st, old, s.open)
}

// never fails unless what is bad is impossible.
func (s *session) never(bad *term.Term, what string) error {
	if bad.IsFalse() {
		return nil
	}
	switch a := s.impossible(bad); a.Status {
	case solver.Sat:
		return &ErrUnsure{Solver: s.solver.Name(), Reason: what + anyState}
	case solver.Unknown:
		return s.unsure(a)
	}
	return nil
}

// impossible asks whether a formula has no model under the assertions.
func (s *session) impossible(f *term.Term) solver.Answer {
	s.solver.Push()
	defer s.solver.Pop()
	s.assert(f)
	return s.check()
}

// total returns the number of seeds on the board.
func (s *session) total(st encode.State) *term.Term { return s.b.Add(st.Seeds...) }

// ErrUnsure wraps a solver's Unknown.
type ErrUnsure struct{ Solver, Reason string }

func (e *ErrUnsure) Error() string { return fmt.Sprintf("%s answers unknown: %s", e.Solver, e.Reason) }

func (s *session) unsure(a solver.Answer) *ErrUnsure {
	return &ErrUnsure{Solver: s.solver.Name(), Reason: a.Reason}
}

// Undecided reports whether err means that the question cannot be decided this way, rather than a
// failure. A *solver.NotInstalled and an *ErrUnsure are among these.
func Undecided(err error) bool {
	return errors.As(err, new(*solver.NotInstalled)) || errors.As(err, new(*ErrUnsure)) ||
		errors.As(err, new(*encode.UnsupportedError)) || errors.Is(err, num.ErrRange)
}
