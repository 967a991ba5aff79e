// Package say turns verdicts into sentences. No other package does: package verdict has the data,
// and tables, reports, documents and JSON show the sentences made here.
//
//	say.go      a verdict in one line, and what it holds for
//	said.go     the sentences that differ by their words alone
//	finding.go  what was found, as where variants differ
//	reason.go   why a verdict is unknown, bounded or unchecked; notes, and what it trusts
//	words.go    how a claim was decided, by its kind
package say

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
)

// Sentence returns in one line what a verdict about sys is based on: what was found, or why the
// answer is not known. It is empty if nothing was found yet.
func Sentence(sys *rules.System, v *verdict.Verdict) string {
	text := Finding(sys, v.Found)
	if v.Open != nil {
		text = Reason(v.Open)
	}
	if v.Least != nil {
		text = fmt.Sprintf("least %s: %d; %s", v.Least.Param, v.Least.Value, text)
	}
	if v.Status == verdict.Unknown && v.Value != nil {
		text += "; " + worth(sys, *v.Value)
	}
	if m := v.Missing; m != nil {
		text += fmt.Sprintf("; a solver may decide it, but %s", Reason(*m))
	}
	return text
}

// count returns a number with its noun in the right form. It writes no commas between thousands;
// tables add these (report.Grouped).
func count[T int | int64](n T, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// quoted lists moves in backquotes.
func quoted(moves []string) string { return "`" + strings.Join(moves, "`, `") + "`" }

// TellsStates reports whether Sentence already says how many states were examined, or which ones,
// so that their number need not be added.
func TellsStates(v *verdict.Verdict) bool {
	switch f := any(v.Found).(type) { // most findings do not
	case verdict.AllReachable, verdict.AllSteps:
		return true
	case verdict.Fact:
		switch f {
		case verdict.StartIsTarget, verdict.NoStartIsTarget, verdict.StepsOfShape, verdict.BadStep:
			return true
		}
	case verdict.Figure:
		switch f.Is {
		case verdict.ClosedSet, verdict.SolverSet, verdict.StepsOfReachable, verdict.WinsWherever:
			return true
		}
	case verdict.StrategyFails:
		if f.End == verdict.EndsStuck {
			return true
		}
	case verdict.SetFound:
		if f.Extra+f.Missing == 0 {
			return true
		}
	}
	// The number may occur in the sentence by chance, as a count of something else. Writing it
	// twice would be confusing in either case.
	n := v.Stats.States
	return slices.ContainsFunc(shown(v.Found), func(f int64) bool { return f == n || f == -n }) || reasonTellsStates(v.Open)
}

// shown returns the numbers that occur in the sentence of a finding.
func shown(f verdict.Finding) []int64 {
	several := func(positions int) []int64 {
		if positions > 1 {
			return []int64{int64(positions)}
		}
		return nil
	}
	switch f := any(f).(type) { // most have all their numbers there
	case verdict.SetFound:
		return []int64{int64(f.Extra), int64(f.Missing)}
	case verdict.Valued:
		if f.Winner {
			return several(f.Worth.Positions)
		}
		return append(several(f.Worth.Positions), int64(f.Worth.Lo), int64(f.Worth.Hi))
	case verdict.Best:
		return several(f.Positions)
	case verdict.Forced:
		return append(several(f.Positions), int64(f.Moves))
	}
	return verdict.Figures(f)
}

// reasonTellsStates is TellsStates for the reason of an open verdict.
func reasonTellsStates(r verdict.Reason) bool {
	switch r := any(r).(type) {
	case verdict.Ended:
		if r.Work == verdict.Decision {
			return r.Limit.Kind == limit.States || r.Limit.Kind == limit.Memory || r.Limit.Told
		}
		return r.Work != verdict.Waiting
	case verdict.ManyPlays:
		return true
	case verdict.Fact:
		switch r {
		case verdict.HoldsStart, verdict.NotEverywhere, verdict.StartIsTarget, verdict.NoStartIsTarget:
			return true
		}
	case verdict.Figure:
		switch r.Is {
		case verdict.ManyStarts, verdict.ManyShapes, verdict.ManyAncestors:
			return true
		}
	case verdict.Quote:
		return r.Is == verdict.RulesFault || r.Is == verdict.InfiniteStarts
	case verdict.OpenEnd:
		return reasonTellsStates(r.Rest.Is)
	case verdict.BestUnknown:
		return reasonTellsStates(r.Rest.Is)
	case verdict.At:
		return reasonTellsStates(r.Rest.Is)
	}
	return false
}

// ScopeFrom is Scope with the position that games begin at, if it is not empty.
func ScopeFrom(s verdict.Scope, position, eq string) string {
	text := Scope(s, eq)
	switch {
	case position == "":
		return text
	case text == "":
		return "from " + position
	}
	return text + ", from " + position
}

// Scope lists the parameters that a verdict holds for, with eq between name and value, and what it
// holds for any number of.
func Scope(s verdict.Scope, eq string) string {
	var items []string
	for _, p := range s.Params {
		if p.All {
			items = append(items, "every "+p.Name+" in "+Value(p))
		} else {
			items = append(items, p.Name+eq+Value(p))
		}
	}
	items = append(items, lists.Map(s.Unbounded, func(name string) string { return "any number of " + name })...)
	return strings.Join(items, ", ")
}

// Value returns the value of a parameter, or the range of values that it stands for.
func Value(p verdict.Param) string {
	switch {
	case p.Up:
		return fmt.Sprintf("%d..", p.N)
	case p.All:
		return fmt.Sprintf("%d..%d", p.N, p.Hi)
	case p.Bool:
		return fmt.Sprint(p.N != 0)
	}
	return fmt.Sprint(p.N)
}
