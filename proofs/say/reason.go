package say

import (
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs/verdict"
)

// Reason says why a verdict is unknown or bounded. It is empty for nil. A reason may contain
// another one, whose sentence then ends its own.
func Reason(r verdict.Reason) string {
	switch r := r.(type) {
	case nil:
		return ""
	case verdict.Ended:
		return r.Limit.String()
	case verdict.NotBegun:
		return "not decided: " + r.Limit.String()
	case verdict.SearchEnded:
		if r.Depth < 0 {
			return r.Limit.String() + ", before all starts were examined"
		}
		return fmt.Sprintf("%s: %s, complete to depth %d", bare(r.Limit), count(r.States, "state"), r.Depth)
	case verdict.BackwardEnded:
		return backwardEnded(r.Limit)
	case verdict.ComparisonEnded:
		return comparisonEnded(r)
	case verdict.TooMany:
		return tooMany(r)
	case verdict.Computation:
		return r.Words.ForSentence()
	case verdict.Refused:
		return refused(r)
	case verdict.Obstacle:
		return obstacles[r.Is] + r.Words.ForSentence()
	case verdict.NotInductive:
		return fmt.Sprintf("not inductive for k up to %d: the counterexample to the induction step need not be reachable", r.K)
	case verdict.SolverUnknown:
		return solverUnknown(r)
	case verdict.MissingSolver:
		return missing(r) + ": " + r.Help.ForSentence()
	case verdict.OneSolver:
		return "only " + r.Solver + " shows it: " + Gap(r.Gap.Is)
	case verdict.HoldsStart:
		return "the set of states that lead there holds a start"
	case verdict.ComesBack:
		return "the rules end a play in which a position comes back, and which positions do is not decided"
	case verdict.OpenEnd:
		if r.Rest.Is != nil {
			return r.Words.ForSentence() + "; whether the value depends on that is not decided: " + Reason(r.Rest.Is)
		}
		return r.Words.ForSentence()
	case verdict.BestUnknown:
		return fmt.Sprintf("whether `%s` is one of the best moves is not decided: %s", r.Move, Reason(r.Rest.Is))
	case verdict.NotEverywhere:
		return "the strategy does not win from every state that leads to a win"
	case verdict.At:
		return fmt.Sprintf("at %s = %d: %s", r.Param, r.Value, Reason(r.Rest.Is))
	case verdict.NoneDecides:
		return fmt.Sprintf("no value of %s that was tried refutes it, and none proves it for all", strings.Join(r.Params, ", "))
	case verdict.MixedQuantifiers:
		return "a claim for all values of one parameter and for some of another is not decided"
	case verdict.NoStartsLately:
		return fmt.Sprintf("no start for the last %d values of %s, up to %d", r.Values, r.Param, r.N)
	case verdict.NoneOfLeast:
		return "it holds for none of the least " + count(r.Values, "value")
	case verdict.NotEverySize:
		if r.None {
			return fmt.Sprintf("it is not known for any %s: %s", r.Size, r.Words.ForSentence())
		}
		return fmt.Sprintf("it holds up to %s = %d, and is not known for greater boards: %s", r.Size, r.Value, r.Words.ForSentence())
	case verdict.StartUnknown:
		return subjects[verdict.StartOfSetup]
	case verdict.NoPlay:
		return noPlay(r)
	case verdict.StartIs:
		return startIs(r)
	}
	panic(fmt.Sprintf("internal error: no sentence for a %T", r))
}

// backwardEnded says at which limit a backward search ended.
func backwardEnded(h limit.Hit) string {
	switch h.Kind {
	case limit.States:
		return fmt.Sprintf("more than %d states", h.Most)
	case limit.Memory:
		return fmt.Sprintf("%d states need more than %d bytes", h.Found, h.Most)
	}
	return fmt.Sprintf("%s, with %s found", bare(h), numeral.Count(h.Found, "state"))
}

// comparisonEnded says how far the comparison of two variants got. A negative depth means that it
// did not get beyond the starts.
func comparisonEnded(r verdict.ComparisonEnded) string {
	switch {
	case r.Depth < 0:
		return "the limit on states is reached, before all starts were listed"
	case r.Limit.Kind == limit.States:
		return fmt.Sprintf("%s, %d moves from the starts", r.Limit, r.Depth)
	case r.Limit.Kind == limit.Memory:
		return r.Limit.String()
	}
	return fmt.Sprintf("%s, with %d pairs of states", bare(r.Limit), r.Limit.Found)
}

// bare returns what ended a search without the number of states, which the caller gives itself.
func bare(h limit.Hit) string {
	h.Told = false
	return h.String()
}

// tooMany says what exceeds a limit.
func tooMany(r verdict.TooMany) string {
	switch r.Of {
	case verdict.Positions:
		return fmt.Sprintf("there are more than %d positions to look at", r.Most)
	case verdict.Starts:
		return fmt.Sprintf("there are more than %d starts (the limit on states)", r.Most)
	case verdict.Plays:
		return fmt.Sprintf("there are more than %d plays of up to %s (the limit on states)", r.Most, count(r.Moves, "move"))
	case verdict.PlayMoves:
		return fmt.Sprintf("plays go on after %d moves, and longer ones are not counted", r.Most)
	case verdict.ShapedStates:
		return fmt.Sprintf("more than %d states of the right shape fit", r.Most)
	case verdict.Ancestors:
	}
	return fmt.Sprintf("the set of states that lead there has more than %d", r.Most)
}

// solverUnknown gives the answer of a solver, and at which question it gave up.
func solverUnknown(r verdict.SolverUnknown) string {
	text := fmt.Sprintf("%s answers unknown: %s", r.Solver, r.Words.ForSentence())
	switch r.Asked {
	case verdict.AskedDepth:
		return fmt.Sprintf("at depth %d %s", r.N, text)
	case verdict.AskedInduction:
		return fmt.Sprintf("in the step of %d-induction %s", r.N, text)
	case verdict.AskedOnce:
	}
	return text
}

// missing says which solver is missing. Without a name, any would do.
func missing(m verdict.MissingSolver) string {
	if m.Program == "" {
		return "no solver is installed"
	}
	return m.Program + " is not installed"
}

// Gap returns the reason why a verdict is unchecked. It is empty for nil.
func Gap(g verdict.Gap) string {
	switch g := g.(type) {
	case nil:
		return ""
	case verdict.OverBudget:
		return fmt.Sprintf("it would take more than the budget of %d states", g.States)
	case verdict.NoCertificate:
		return "no certificate for this kind of verdict"
	case verdict.Uncertified:
		return g.Why.ForSentence() + "; --certify asks for a certificate"
	case verdict.NotChecked:
		return g.Why.ForSentence()
	}
	panic(fmt.Sprintf("internal error: no sentence for a %T", g))
}
