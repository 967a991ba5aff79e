package vet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/checker/coverage"
	"github.com/mancheck/mancheck/checker/simulate"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/space"
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

// searched says in how many states something was looked for, which were all of some boards.
func searched(r *coverage.Report) string {
	runs := lists.Filter(r.Runs, func(run coverage.Run) bool { return run.Complete })
	states := int64(0)
	for _, run := range runs {
		states += run.States
	}
	text := "in all " + numeral.Count(states, "state")
	if len(runs) > 1 {
		return fmt.Sprintf("%s of %s", text, numeral.Count(int64(len(runs)), "board"))
	}
	return strings.TrimSuffix(text+" with "+report.Params(runs[0].Sys), " with ")
}

// Random games are played of a game that is too large to search: what occurs in one of them may need
// a board of that size.
const gamesPlayed, movesPlayed = 200, 300

// play adds what random games carry out.
func (seen *occurred) play(l *look) error {
	ctx, sys := l.ctx, l.sys
	marked, diags := l.Marked(sys.Name, nil)
	if diags.HasErrors() {
		return nil
	}
	r, err := coverage.Of(ctx, sys, marked)
	if err != nil {
		return err
	}
	var first rules.State
	err = r.Starts(ctx, func(st rules.State) error {
		first = st
		return space.ErrStop
	})
	if err != nil || first.Seeds == nil {
		return err
	}
	res, err := simulate.Run(ctx, sys, first, simulate.Options{Games: gamesPlayed, MaxMoves: movesPlayed, Seed: 1, Coverage: r})
	if err == nil {
		seen.coverage.Add(coverage.Run{Sys: sys, Games: res.Games}, marked, r.Counts())
	}
	return err
}
