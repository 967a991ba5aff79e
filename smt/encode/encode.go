// Package encode translates a System into formulas of linear integer arithmetic.
//
// A body is executed as by the interpreter, statement by statement, but on terms instead of
// numbers. Where control depends on the state (a condition, the pit that a variable names, where
// the last seed falls), the run is a path that answers the question in one way. Running the body
// again for every other answer gives a tree whose leaves are all possible results. A leaf with the
// answers that lead to it is a Case: a condition on the state before, and the state after as terms
// over it.
//
// Pits are numbers on every path, never terms, so that the only arithmetic left is about counts. A
// sowing has a closed form: of s seeds all but the last fall, in turn, into the k pits of the lap
// that take such seeds, so with
//
//	s - 1 = k*q + r,  0 <= r < k
//
// each of those pits gets q seeds, the first r of them one more, and the last seed goes from the
// r-th pit to the first pit that takes a last seed. The path is split on r; q is a variable, the
// quotient of a term by a number. On a line that ends, and where something is done after each seed,
// the seeds that fall are counted one by one instead.
//
// Why the Cases are exactly the steps of the interpreter:
//
//   - The answers to one question exclude each other and one of them holds, so every state follows
//     just one path. An answer is dropped only if interval arithmetic shows that no state of the
//     Shape goes that way.
//   - On its path every statement does to the terms what the interpreter does to their values. For
//     sowings that is the closed form; the place of the last seed is found with the interpreter's
//     own search.
//   - A quotient has one value whatever the state is, and a Case contains what defines it. Formulas
//     that may be negated come with Definitions apart.
//   - A loop is unrolled to a bound. A path that would go on is an overrun: it belongs to no Case,
//     and Overrun says when that is. The outcome `endless` is reached by such paths only.
//   - A path that meets an error of the rules belongs to no Case either, and Fault says when that
//     is.
//
// Everything is explored once, about a state of variables; formulas about other states are
// instances of it, in which constants fold. Not every System can be encoded: a product or quotient
// of two unbounded numbers cannot, nor can an action that may go in more ways than Options allow.
//
//	encode.go      the Encoder; path.go paths and trees; bounds.go what a path knows
//	terms.go       the domain of terms, for package exec; sow.go sowings in closed form
//	action.go      actions as trees, and what is read off them; step.go cases and steps
//	start.go       starts; claim.go open parameters, and conditions of claims
//	state.go       states of terms, and instances; quotient.go division
package encode

import (
	"cmp"
	"errors"
	"fmt"
	"maps"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/exec"
	"github.com/mancheck/mancheck/smt/term"
)

// Options bounds what an encoding may cost.
type Options struct {
	Unroll   int // rounds of a loop; 0: one more than there are pits, fewer where that makes too many cases
	MaxCases int // ways in which one action may go; 0: 1024, or more on long laps
	// Stop is called from time to time: New gives up with its error. It may be nil.
	Stop func() error
}

// UnsupportedError says why a System cannot be encoded.
type UnsupportedError struct{ Reason string }

func (e *UnsupportedError) Error() string { return e.Reason }

// Encoder translates one System into formulas of one Builder.
type Encoder struct{ explored }

// New explores the actions, endings and starts of sys. The error is an *UnsupportedError if they
// cannot be encoded.
func New(sys *rules.System, b *term.Builder, opt Options) (*Encoder, error) {
	terms := arithmetic{b, map[quotient]*term.Term{}, map[*term.Term]quotient{}}
	e := &Encoder{explored{layout: layout{arithmetic: terms, sys: sys, program: exec.Read(sys)}, opt: opt}}
	e.opt.Unroll = cmp.Or(opt.Unroll, len(sys.Pits)+1)
	e.opt.MaxCases = cmp.Or(opt.MaxCases, defaultCases(sys))
	e.nameParts()
	e.any = e.State("!any")
	for _, phase := range []func() error{e.exploreBodies, e.exploreSteps, e.exploreStarts} {
		if err := phase(); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// Fork returns an Encoder with the formulas of e and a Builder of its own, which goes on from that
// of e; stop is as in Options. From then on e may only be forked. Several goroutines may use one
// fork each.
func (e *Encoder) Fork(stop func() error) (*Encoder, *term.Builder) {
	f := *e
	f.b, f.opt.Stop = e.b.Fork(), stop
	f.quotients, f.defined = maps.Clone(e.quotients), maps.Clone(e.defined)
	return &f, f.b
}

// defaultCases lets a variable choose any pit of a lap, and the last seed fall into any other,
// twice.
func defaultCases(sys *rules.System) int {
	most := 1024
	for _, l := range sys.Laps {
		most = max(most, 2*len(l.Pits)*len(l.Pits))
	}
	return most
}

// unsupported adds the move to the reason of an UnsupportedError. Other errors are unchanged.
func unsupported(where string, err error) error {
	var no *UnsupportedError
	switch {
	case err == errMany:
		return &UnsupportedError{Reason: where + " branches into too many cases"}
	case errors.As(err, &no):
		return &UnsupportedError{Reason: fmt.Sprintf("%s: %s", where, no.Reason)}
	}
	return err
}
