// Package abstract finds the possible values of `last`, `origin`, locals and control variables at
// each place of a body.
//
// It runs bodies over sets of values instead of values. An Env holds one Set for each of these
// cells. A condition splits an Env in two: in the branch where `last in store` holds, Last is
// restricted to the stores, and in the other one the stores are removed. The right side of `and`
// and `or` starts from what the left side implies, since that is evaluated first. After a sowing
// Last may be any pit of the lap that is not always skipped. Where branches meet, sets are united,
// and loops are run until nothing is added; inside them sums have any value, so that counters do
// not grow step by step. Of numbers of seeds it is known only that they are not below 0.
//
// The work is bounded; what would take more is taken to be possible.
//
// The sets are never too small: the value of a cell in any run is a member of its Set. A place that
// no run reaches has the nil Env. No checker of evidence imports this package.
//
// This is no domain of rules/exec. There a run takes one way: it has one plan for each sowing, one
// player to move next, registers that are set or not, and values that only go up from cells to
// conditions. Here ways meet again, and conditions restrict the cells that they are about.
//
//	set.go     sets of numbers, and arithmetic with intervals
//	env.go     what is known at one place
//	expr.go    the values of expressions, and what conditions tell
//	body.go    running statements
//	faults.go  what may go wrong where
package abstract

import (
	"slices"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// Env says which values the cells may have at one place. It is immutable; nil is the Env of places
// that no run reaches.
type Env struct {
	sys          *rules.System
	last, origin Set
	vars, locals []Set
	repeats      bool // inside a loop
	work         *int // left for all that follows from one Everywhere
}

// maxWork bounds the expressions that are looked at, once for each Env that they are looked at in:
// conditions inside conditions multiply. No game of the examples takes more than 2,500. Beyond it
// values are unknown and conditions tell nothing.
const maxWork = 1 << 16

// tired reports whether the work is used up. It counts one expression.
func (e *Env) tired() bool {
	*e.work--
	return *e.work < 0
}

// Everywhere returns the Env of a state of which nothing is known: every variable has a value of
// its domain.
func Everywhere(sys *rules.System, locals int) *Env {
	work := maxWork
	return unknown(sys, locals, &work)
}

func unknown(sys *rules.System, locals int, work *int) *Env {
	return &Env{
		sys: sys, last: Anything, origin: Anything, work: work,
		vars: lists.Map(sys.Vars, domain), locals: slices.Repeat([]Set{Anything}, locals),
	}
}

func domain(v rules.Var) Set { return listed(v.Domain) }

// Forget returns e with nothing known of any cell.
func (e *Env) Forget() *Env {
	all := unknown(e.sys, len(e.locals), e.work)
	all.repeats = e.repeats
	return all
}

// Var returns the possible values of variable v.
func (e *Env) Var(v int) Set { return e.vars[v] }

func (e *Env) clone() *Env {
	c := *e
	c.vars, c.locals = slices.Clone(e.vars), slices.Clone(e.locals)
	return &c
}

// Join returns the Env of a place that is reached from e or from f.
func Join(e, f *Env) *Env {
	if e == nil {
		return f
	}
	if f == nil {
		return e
	}
	c := e.clone()
	c.last, c.origin = e.last.Union(f.last), e.origin.Union(f.origin)
	joinSets(c.vars, f.vars)
	joinSets(c.locals, f.locals)
	return c
}

func joinSets(into, from []Set) {
	for i := range into {
		into[i] = into[i].Union(from[i])
	}
}

func (e *Env) equal(f *Env) bool {
	if e == nil || f == nil {
		return e == f
	}
	return e.last.Equal(f.last) && e.origin.Equal(f.origin) &&
		slices.EqualFunc(e.vars, f.vars, Set.Equal) && slices.EqualFunc(e.locals, f.locals, Set.Equal)
}
