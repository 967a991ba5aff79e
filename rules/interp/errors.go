package interp

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/diag"
)

// RuleError is a fault of the rules that only shows in play, such as a variable that leaves its
// range.
type RuleError struct{ Diag diag.Diagnostic }

func (e *RuleError) Error() string { return e.Diag.Error() }

// Unwrap returns the diagnostic.
func (e *RuleError) Unwrap() error { return e.Diag }

func fault(code diag.Code, at diag.Range, format string, args ...any) *RuleError {
	return &RuleError{diag.Diagnostic{Code: code, Range: at, Message: fmt.Sprintf(format, args...)}}
}

func overdraw(at diag.Range, pit string, has, count int) error {
	if count < 0 {
		return fault(diag.Overdraw, at, "a take of %d seeds from `%s`", count, pit)
	}
	return fault(diag.Overdraw, at, "a take of %d seeds from `%s`, which holds %d", count, pit, has)
}

// UndefinedError says that a state does not determine the value of an open parameter.
type UndefinedError struct{ Reason string }

func (e *UndefinedError) Error() string { return e.Reason }

func undefined(format string, args ...any) error {
	return &UndefinedError{fmt.Sprintf(format, args...)}
}
