// Package encode puts a System into formulas of linear integer arithmetic.
package encode

import (
	"errors"
	"fmt"

	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/smt/term"
)

// Options bounds what an encoding may cost.
type Options struct {
	Unroll   int // rounds of a loop; 0: one more than there are pits, fewer where that makes too many cases
	MaxCases int // ways in which one action may go; 0: 4096
}

// UnsupportedError says why a System cannot be put into formulas.
type UnsupportedError struct{ Reason string }

func (e *UnsupportedError) Error() string { return e.Reason }

// Encoder puts one System into formulas of one Builder.
type Encoder struct {
	sys       *rules.System
	b         *term.Builder
	opt       Options
	pitNames  []string
	varNames  []string
	quotients map[quotient]*term.Term
	defined   map[*term.Term]quotient
	any       State // the state that is explored: every formula is an instance of one about it
	actions   []action
	moves     []moves // by player
	starts    *node   // from the setup to settled starts
}

// New explores the actions, endings and starts of sys. The error is an *UnsupportedError if they cannot be encoded.
func New(sys *rules.System, b *term.Builder, opt Options) (*Encoder, error) {
	e := &Encoder{sys: sys, b: b, opt: opt, quotients: map[quotient]*term.Term{}, defined: map[*term.Term]quotient{}}
	if e.opt.Unroll == 0 {
		e.opt.Unroll = len(sys.Pits) + 1
	}
	if e.opt.MaxCases == 0 {
		e.opt.MaxCases = 4096
	}
	e.nameParts()
	e.any = e.State("!any")
	for _, phase := range []func() error{e.exploreBodies, e.exploreSteps, e.exploreStarts} {
		if err := phase(); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// unsupported tells in which move a reason lies. Other errors stay as they are.
func unsupported(where string, err error) error {
	var no *UnsupportedError
	switch {
	case err == errMany:
		return &UnsupportedError{Reason: fmt.Sprintf("%s can go in too many ways", where)}
	case errors.As(err, &no):
		return &UnsupportedError{Reason: fmt.Sprintf("%s: %s", where, no.Reason)}
	}
	return err
}
