package interp

import (
	"fmt"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/rules"
)

// RuleError is a fault of the rules that only play shows, such as a variable that leaves its range.
type RuleError struct{ Diag diag.Diagnostic }

func (e *RuleError) Error() string { return e.Diag.Error() }

// Unwrap gives the diagnostic.
func (e *RuleError) Unwrap() error { return e.Diag }

func fault(code diag.Code, at diag.Range, format string, args ...any) *RuleError {
	return &RuleError{diag.Diagnostic{Code: code, Range: at, Message: fmt.Sprintf(format, args...)}}
}

func (e *RuleError) help(format string, args ...any) *RuleError {
	e.Diag.Help = fmt.Sprintf(format, args...)
	return e
}

func overflow(at diag.Range, sys *rules.System, x *rules.Var, v int) error {
	name := func(v int) string { return rules.ValueName(sys, x, v) }
	if x.Kind != rules.IntVar || len(x.Domain) == 0 {
		return fault(diag.Overflow, at, "`%s` is set to %s, which is none of its values", x.Name, name(v))
	}
	lo, hi := x.Domain[0], x.Domain[len(x.Domain)-1]
	return fault(diag.Overflow, at, "`%s` is set to %d, outside its range %d..%d", x.Name, v, lo, hi).
		help("declare a wider range, or guard the assignment")
}

func overdraw(at diag.Range, pit string, has, count int) error {
	if count < 0 {
		return fault(diag.Overdraw, at, "a take of %d seeds from `%s`", count, pit)
	}
	return fault(diag.Overdraw, at, "a take of %d seeds from `%s`, which holds %d", count, pit, has)
}

// nonePit names the expression, unless it is just `none`.
func nonePit(at diag.Range, sys *rules.System, x rules.Expr) error {
	if _, plain := x.(rules.Const); plain {
		return fault(diag.NonePit, at, "`none` is used as a pit")
	}
	return fault(diag.NonePit, at, "`none` is used as a pit: %s", rules.ExprString(sys, x))
}

func impossibleEnding(at diag.Range, label string) error {
	return fault(diag.NoValue, at, "what the ending `%s` demands cannot be carried out", label)
}
