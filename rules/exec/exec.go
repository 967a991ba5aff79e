// Package exec defines what the kernel's expressions and statements mean, once, over any domain of
// values.
//
// A Run carries out one body, or evaluates one expression, statement by statement. It computes
// with known numbers itself, and asks its Domain about all other values. There are four of them:
//
//   - rules/interp, whose values are numbers: the reference interpreter, which sows seed by seed;
//   - proofs/cert/internal/partial, of numbers known in part: the certificate checker;
//   - proofs/cert/internal/cases, of numbers that are linear in unknowns;
//   - smt/encode, whose values are terms over the state: formulas.
//
// A domain that cannot decide a condition, or cannot tell which pit or variable is chosen, explores
// each answer in a run of its own, or fails with an error of its own. The residual programs of
// checker/residual are the second implementation of the same kernel. They share no code with this
// package, and random rules are played by both. Where there is no program, as for a fault of the
// rules, there is no second implementation.
//
//	exec.go    domains and runs
//	program.go Systems, expressions and statements that are read once to be played often
//	eval.go    what expressions mean
//	stmt.go    what statements do; the end of a turn: endings and reactions
//	sow.go     the plan of a sowing; dropping seeds one by one
package exec

import (
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// Domain is what values of one kind can do. A method that fails ends the run with its error.
type Domain[V any] interface {
	Unknowns[V]
	// Const is a known number.
	Const(n int) V
	// Number returns the number that v is, if a Run may compute with it in place of v.
	Number(v V) (n int, known bool)
	// Param is the value of an open parameter.
	Param(i int) (V, error)
	// Read is the value of a pit or control variable.
	Read(sort rules.Sort, slot int) (V, error)
	// Sum is the number of seeds in some pits.
	Sum(pits []int) (V, error)
	// Apply computes l x.Op r, for operators other than `and` and `or`. It is asked about known
	// numbers, too, if there is no result in the range.
	Apply(x *Expr, l, r V) (V, error)
	// Ask answers a question about the whole state.
	Ask(q rules.Question) (V, error)
	// Old evaluates x in the state before the step.
	Old(x *Expr) (V, error)

	// Wrote is called for each pit, variable or local that is set.
	Wrote(sort rules.Sort, slot int)
	// Transfer moves seeds between two pits; a nil count is all of them.
	Transfer(count *V, from, into int, at *diag.Range) error
	// Sow carries out a sowing: hand is the number of seeds to sow, which may be none, or too many.
	// The plan is good until Sow returns, and longer only if it fails.
	Sow(s *Sow, p *Plan, hand V) (Flow, error)
	// Loop is called at the beginning of a loop. The function that it returns is called at the head
	// of each round.
	Loop(s *Stmt) (head func() (Flow, error))

	// Fault returns the error for a fault of the rules. A domain calls text only if it shows the
	// message, since making it takes time.
	Fault(code diag.Code, at diag.Range, text func() (message, help string)) error
}

// Unknowns is the part of a Domain that is only asked about values that are no known Numbers.
type Unknowns[V any] interface {
	// ReadAny is the value of a cell of which Pick does not know which it is.
	ReadAny(sort rules.Sort, index V) (V, error)
	// Lookup is the entry of x.Table for the pit v.
	Lookup(x *Expr, v V) (V, error)
	// Not negates a truth value.
	Not(v V) V
	// Junction is v op x, for `and` or `or`, where x counts only where v does not decide. If x is
	// nil, it is the truth value of v.
	Junction(op rules.Op, v V, x *Expr) (V, error)
	// Choose evaluates yes where c holds, and otherwise no.
	Choose(c V, yes, no *Expr) (V, error)

	// Decide finds out whether a condition holds.
	Decide(v V) (bool, error)
	// Skips is Decide for the condition under which the sowing to come passes a pit over.
	Skips(pit int, v V) (bool, error)
	// Pick returns the number that v is. known is false if the domain cannot determine it and the
	// caller can do without.
	Pick(v V) (n int, known bool, err error)
	// Vague returns the error for a pit or variable that has to be known and is not: v chooses it.
	Vague(v V) error
	// Fits reports whether v is a value of the variable.
	Fits(v V, x *rules.Var) (bool, error)
}

// State is a state whose parts are values. While a body runs, the mover and the outcome are known.
type State[V any] struct {
	Seeds, Vars    []V
	Mover, Outcome V
}

// Flow says how the execution of statements ended.
type Flow int

const (
	Onward   Flow = iota // go on with the next statement
	Finished             // the game is over
	Illegal              // the action cannot be carried out
)

// Sown is the registers last, last was and origin, and which of them have a value.
type Sown[V any] struct {
	Values [3]V
	Set    [3]bool
}

// Run is the execution of one body. It owns the state that it changes.
type Run[V any] struct {
	D      Domain[V]
	Sys    *rules.System
	S      State[V]
	Locals []V
	Rank   V    // as `prefer` says
	Next   int  // the player to move after the action
	Over   bool // the game was ended

	Sown Sown[V]

	// Watch is told before each statement; nil: nobody is. Its error ends the run.
	Watch interface{ Before(s *Stmt) error }

	program *Program
	at      *diag.Range // of faults without a place of their own; nil: none
	open    V           // the value that was evaluated last, if it is not a known number

	ints  *Run[int] // the run itself, if values are numbers that may be read without asking; or nil
	spare *Plan     // of a sowing that is over; nil: none
}

// Init makes r a run in s. at is the place that faults are reported at if they have none of their
// own; it may be nil. A domain holds its run by value, so that one allocation serves for both.
func (r *Run[V]) Init(d Domain[V], p *Program, s State[V], locals int, at *diag.Range) {
	r.D, r.Sys, r.program, r.S, r.at, r.Rank = d, p.Sys, p, s, at, d.Const(0)
	r.Next, r.Over, r.Watch, r.Sown = 0, false, nil, Sown[V]{}
	r.ints, _ = any(r).(*Run[int])
	if r.Locals = r.Locals[:0]; locals > 0 {
		r.Room(locals)
	}
}

// AskAll has the domain asked about each pit and variable that is read.
func (r *Run[V]) AskAll() { r.ints = nil }

// Room gives r a number of locals, all 0, in the memory of its previous ones.
func (r *Run[V]) Room(locals int) {
	r.Locals = r.Locals[:0]
	for range locals {
		r.Locals = append(r.Locals, r.D.Const(0))
	}
}

// Perform carries out the guard and the body of an action, and says whether it is legal, apart from
// `prefer`.
func (r *Run[V]) Perform(a *Action) (legal bool, err error) {
	if legal, err = r.Guard(a); err != nil || !legal {
		return false, err
	}
	return r.Body(a)
}

// Guard says whether the guard of an action holds.
func (r *Run[V]) Guard(a *Action) (bool, error) {
	if a.when == nil {
		return true, nil
	}
	return r.Holds(a.when)
}

// Body is Perform for an action whose guard is known to hold.
func (r *Run[V]) Body(a *Action) (legal bool, err error) {
	r.Next = (a.Mover + 1) % len(r.Sys.Players)
	how, err := r.Block(a.list)
	return how != Illegal, err
}

// End closes the game with an outcome.
func (r *Run[V]) End(outcome int) {
	r.S.Outcome, r.S.Mover = r.D.Const(outcome), r.D.Const(rules.None)
	r.Over = true
}

// Dropped notes that a seed fell, and what its pit held before.
func (r *Run[V]) Dropped(pit, was V) {
	r.Sown.Values[rules.LastReg], r.Sown.Values[rules.LastWasReg] = pit, was
	r.Sown.Set[rules.LastReg], r.Sown.Set[rules.LastWasReg] = true, true
}

// Place is where a report points to: at, or the statement under way.
func (r *Run[V]) Place(at diag.Range) diag.Range {
	if at.IsZero() && r.at != nil {
		return *r.at
	}
	return at
}
