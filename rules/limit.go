package rules

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
)

// LimitError says that play, or the evaluation of a claim, exceeds a limit: a number out of range,
// or a loop with too many rounds. It is not a fault of the rules, and says nothing about whether a
// move is legal.
type LimitError struct{ Diag diag.Diagnostic }

func (e *LimitError) Error() string { return e.Diag.Error() }

// Unwrap returns the diagnostic.
func (e *LimitError) Unwrap() error { return e.Diag }

// BeyondRange returns the error of an operation at this place whose result is out of range. what
// names the operation; it may be empty.
func BeyondRange(at diag.Range, what string) *LimitError {
	if what != "" {
		what = ": " + what
	}
	return &LimitError{diag.Diagnostic{
		Code: diag.Beyond, Range: at,
		Message: "a number beyond the range that is computed with" + what,
		Help:    RangeHelp,
	}}
}

// ManySeeds returns the error of a board whose number of seeds is out of range.
func (s *System) ManySeeds() *LimitError { return BeyondRange(s.Start.At, "the seeds on the board") }

// RangeHelp describes the range of numbers.
var RangeHelp = fmt.Sprintf("numbers go from %d to %d", -num.Most, num.Most)

// ManyRounds returns the error of a loop with too many rounds.
func ManyRounds(at diag.Range, rounds int) *LimitError {
	return &LimitError{diag.Diagnostic{
		Code: diag.Beyond, Range: at,
		Message: fmt.Sprintf("the loop went round %d times without coming back to an earlier state", rounds),
		Help:    "a local seems to grow without end",
	}}
}

// ManyLayouts returns the error of a finished state for which it is undecided whether it is a
// start.
func ManyLayouts(at diag.Range) *LimitError {
	return &LimitError{diag.Diagnostic{
		Code: diag.Beyond, Range: at,
		Message: "too many distributions of the seeds may have been swept to a finished state to tell whether it is a start",
		Help:    "an ending with consequences may be over a start at once; ask for `start` in states that go on",
	}}
}
