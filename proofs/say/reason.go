package say

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
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
		return ended(r)
	case verdict.ManyPlays:
		return fmt.Sprintf("there are more than %d plays of up to %s (the limit on states)", r.Most, count(r.Moves, "move"))
	case verdict.Refused:
		return fmt.Sprintf("the engine %s does not decide %s", r.Engine, cmp.Or(kinds[r.What], "claims of this kind"))
	case verdict.SolverUnknown:
		return solverUnknown(r)
	case verdict.MissingSolver:
		return missing(r) + ": " + r.Help.ForSentence()
	case verdict.OneSolver:
		return "only " + r.Solver + " shows it: " + Gap(r.Gap.Is)
	case verdict.OpenEnd:
		if r.Rest.Is != nil {
			return r.Words.ForSentence() + "; whether the value depends on that is not decided: " + Reason(r.Rest.Is)
		}
		return r.Words.ForSentence()
	case verdict.BestUnknown:
		return fmt.Sprintf("whether `%s` is one of the best moves is not decided: %s", r.Move, Reason(r.Rest.Is))
	case verdict.At:
		return fmt.Sprintf("at %s = %d: %s", r.Param, r.Value, Reason(r.Rest.Is))
	case verdict.NoStartsLately:
		return fmt.Sprintf("no start for the last %d values of %s, up to %d", r.Values, r.Param, r.N)
	case verdict.NotEverySize:
		if r.None {
			return fmt.Sprintf("it is not known for any %s: %s", r.Size, r.Words.ForSentence())
		}
		return fmt.Sprintf("it holds up to %s = %d, and is not known for greater boards: %s", r.Size, r.Value, r.Words.ForSentence())
	case verdict.Fact, verdict.Figure, verdict.Quote, verdict.Mention:
	}
	return said(r)
}

// kinds names the kinds of claims that an engine may refuse.
var kinds = map[verdict.Kind]string{
	verdict.Reachable:      "claims about reachability",
	verdict.Terminates:     "termination",
	verdict.Neighbours:     "claims about predecessors and successors",
	verdict.Step:           "claims about single steps",
	verdict.EveryStep:      "claims about every step",
	verdict.Count:          "counts of this kind",
	verdict.CountAncestors: "counts of ancestors",
	verdict.WinningStarts:  "claims about winning starts",
	verdict.StrategyWins:   "claims about strategies",
	verdict.Refines:        "relations between variants",
	verdict.Value:          "claims about values",
	verdict.Force:          "claims about what can be forced",
	verdict.OfStarts:       "claims that ask which states are starts",
	verdict.AllValues:      "this kind of claim for all values of a parameter",
}

// ended says at which limit a kind of work ended, and how far it got.
func ended(r verdict.Ended) string {
	switch r.Work {
	case verdict.Waiting:
		return "not decided: " + r.Limit.String()
	case verdict.ForwardSearch:
		if r.Depth < 0 {
			return r.Limit.String() + ", before all starts were examined"
		}
		return fmt.Sprintf("%s: %s, complete to depth %d", bare(r.Limit), count(r.States, "state"), r.Depth)
	case verdict.BackwardSearch:
		return backwardEnded(r.Limit)
	case verdict.Comparison:
		return comparisonEnded(r)
	case verdict.Games:
		return fmt.Sprintf("%s: no play was met in %s of games", bare(r.Limit), count(r.States, "position"))
	case verdict.Decision:
	}
	return r.Limit.String()
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
func comparisonEnded(r verdict.Ended) string {
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
	if g == nil {
		return ""
	}
	return said(g)
}

// Notes returns the sentences for the notes of a verdict, one for each.
func Notes(v *verdict.Verdict) []string {
	return lists.Map(v.Notes, note)
}

func note(n verdict.Note) string {
	switch n := n.(type) {
	case verdict.Asked:
		return asked(n)
	case verdict.Compared:
		var parts []string
		if n.ByName > 0 {
			parts = append(parts, count(n.ByName, "pit")+" by name")
		}
		if len(n.ByPlace) > 0 {
			parts = append(parts, "by place "+strings.Join(n.ByPlace, ", "))
		}
		if !n.In.Boards() {
			return "compared: moves, " + n.In.String() + "; starts by " + strings.Join(parts, "; ")
		}
		return "compared: " + strings.Join(parts, "; ")
	case verdict.SmallerUnknown:
		return fmt.Sprintf("whether a smaller %s does is not known: at %d, %s", n.Param, n.Value, Reason(n.Rest.Is))
	case verdict.EngineOpen:
		return string(n.Engine) + ": " + Reason(n.Why.Is)
	case verdict.Fact, verdict.Quote, verdict.Mention:
	}
	return said(n)
}

// asked says which solver found a verdict, and which one showed its evidence.
func asked(n verdict.Asked) string {
	second := n.Second + " answers unsat to all questions about the evidence"
	switch {
	case n.Second == "":
		return "asked " + n.Solver
	case n.Solver == "":
		return second
	}
	return n.Solver + " found it, and " + second
}

// Table names an endgame table by its file and its digest.
func Table(t verdict.Table) string {
	return fmt.Sprintf("the endgame table %s, SHA-256 %s", t.File, t.SHA256)
}
