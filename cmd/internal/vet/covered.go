package vet

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/checker/coverage"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/rules"
)

// uncovered returns warnings of the statements of the variant that no play carries out, and of the
// conditions that are never true. Left out are those that could not be reached for another reason:
// a move without a play, which is in idle, or a condition that is never true. What other variants
// share may have a meaning there, and endings that never occur are reported by their outcome.
func (l *look) uncovered(r *coverage.Report, idle []diag.Range) diag.List {
	var diags diag.List
	var told []diag.Range
	lines := r.Lines()
	slices.Reverse(lines) // parts before the whole
	for _, c := range lines {
		covered := c.Idle() == "" || c.Idle() == coverage.AlwaysTrue || c.Kind == coverage.MovePlace || c.Kind == rules.EndingPlace
		within := func(outer diag.Range) bool { return outer.Holds(c.At) }
		holds := func(inner diag.Range) bool { return c.At.Holds(inner) }
		if covered || !c.Reached() || !within(l.variant.Variant.Span()) || slices.ContainsFunc(idle, within) || slices.ContainsFunc(told, holds) {
			continue
		}
		told = append(told, c.At)
		what := "this condition"
		if !c.Condition() {
			what = "this statement"
		}
		diags.Warnf(diag.NotCovered, c.At, "%s is %s, %s", what, c.Idle(), searched(r))
	}
	return diags
}

// searched says in how many states something was looked for.
func searched(r *coverage.Report) string {
	n, _ := r.States()
	text := "in all " + numeral.Count(n, "state")
	if params := report.Params(r.Runs[0].Sys); len(r.Runs) == 1 && params != "" {
		return text + " with " + params
	} else if len(r.Runs) == 1 {
		return text
	}
	return fmt.Sprintf("%s of %s", text, numeral.Count(int64(len(r.Runs)), "board"))
}
