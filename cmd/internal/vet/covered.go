package vet

import (
	"context"
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
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/rules/space"
)

// uncovered returns warnings of the statements of the variant that no play carries out, and of the
// conditions that are never true. Left out are those that could not be reached for another reason:
// a move without a play, which is in idle, or a condition that is never true; and what V008 is
// about. What other variants share may have a meaning there, and endings that never occur are
// reported by their outcome. In a move that may turn out to be illegal, a condition may only be
// true where it does.
func (l *look) uncovered(r *coverage.Report, idle []diag.Range) diag.List {
	var diags diag.List
	told := lists.Map(lists.Filter(l.found.Diags, func(d diag.Diagnostic) bool { return d.Code == diag.Unreached }), func(d diag.Diagnostic) diag.Range { return d.Range })
	mayBeIllegal := func(a rules.Action) bool { return slices.Contains(rules.EffectsOf(a.Body).Stops, rules.Illegal) }
	attempts := lists.Map(lists.Filter(l.sys.Actions, mayBeIllegal), func(a rules.Action) diag.Range { return l.sys.Moves[a.Move].At })
	lines := r.Lines()
	slices.Reverse(lines) // parts before the whole
	for _, c := range lines {
		if c.Condition() && slices.ContainsFunc(attempts, func(move diag.Range) bool { return move.Holds(c.At) }) {
			continue
		}
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
	text := "in all " + numeral.Count(lists.Sum(runs, func(run coverage.Run) int64 { return run.States }), "state")
	if len(runs) != 1 {
		return fmt.Sprintf("%s of %s", text, numeral.Count(int64(len(runs)), "board"))
	}
	return strings.TrimSuffix(text+" with "+report.Params(runs[0].Sys), " with ")
}

// Random games are played with the default parameters, and with each switch the other way: what
// occurs in one of them may need a larger board than those that were searched, or be a rule that is
// switched off.
const gamesPlayed, movesPlayed = 200, 300

// play adds what random games carry out.
func (seen *occurred) play(l *look) error {
	list := []build.Settings{nil}
	for _, p := range l.sys.Params {
		if p.Bool {
			list = append(list, build.Settings{p.Name: {N: 1 - p.Value, Bool: true}})
		}
	}
	for _, given := range list {
		sys, wrong := l.System(l.sys.Name, given)
		marked, diags := l.Marked(l.sys.Name, given)
		if wrong.HasErrors() || diags.HasErrors() {
			continue
		}
		if err := seen.games(l.ctx, sys, marked); err != nil && (given == nil || l.ctx.Err() != nil) {
			return err // with a switch the other way a fault is none of this game
		}
	}
	return nil
}

// games is play for one setting of the parameters.
func (seen *occurred) games(ctx context.Context, sys *rules.System, marked *rules.Marked) error {
	r := coverage.Of(ctx, sys, marked)
	var first rules.State
	err := r.Starts(ctx, func(st rules.State) error {
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
