package rules

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/num"
)

// LimitError says that play, or the evaluation of a claim, needs more than is computed with: a
// number beyond the range of numbers, or a loop that goes round too often. It is no fault of the
// rules, and says nothing about whether a move is legal.
type LimitError struct{ Diag diag.Diagnostic }

func (e *LimitError) Error() string { return e.Diag.Error() }

// Unwrap gives the diagnostic.
func (e *LimitError) Unwrap() error { return e.Diag }

// BeyondRange is the error of an operation at this place whose result is no number of the language.
// What names the operation; it may be empty.
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

// ManySeeds is the error of a board with more seeds than there are numbers.
func (s *System) ManySeeds() *LimitError { return BeyondRange(s.Start.At, "the seeds on the board") }

// RangeHelp says what numbers there are.
var RangeHelp = fmt.Sprintf("numbers go from %d to %d", -num.Most, num.Most)

// ManyRounds is the error of a loop that goes round too often.
func ManyRounds(at diag.Range, rounds int) *LimitError {
	return &LimitError{diag.Diagnostic{
		Code: diag.Beyond, Range: at,
		Message: fmt.Sprintf("the loop went round %d times without coming back to an earlier state", rounds),
		Help:    "a local seems to grow without end",
	}}
}

// ManyLayouts is the error of a finished state of which it cannot be told whether it is a start.
func ManyLayouts(at diag.Range) *LimitError {
	return &LimitError{diag.Diagnostic{
		Code: diag.Beyond, Range: at,
		Message: "too many distributions of the seeds may have been swept to a finished state to tell whether it is a start",
		Help:    "an ending with consequences may be over a start at once; ask for `start` in states that go on",
	}}
}
