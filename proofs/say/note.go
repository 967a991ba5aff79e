package say

import (
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/proofs/verdict"
)

// Notes returns the sentences for the notes of a verdict, one for each.
func Notes(v *verdict.Verdict) []string {
	var out []string
	for _, n := range v.Notes {
		out = append(out, note(n))
	}
	return out
}

func note(n verdict.Note) string {
	switch n := n.(type) {
	case verdict.LeftOut:
		return "left out: " + n.Why.ForSentence()
	case verdict.CountedOnce:
		return "states that differ only in what is left out count once"
	case verdict.NeverLegal:
		return fmt.Sprintf("`%s` is never legal in a reachable state", n.Move)
	case verdict.SubjectUnknown:
		return subjects[n.Of]
	case verdict.NoSuchTotal:
		return fmt.Sprintf("no start has as many seeds as the position `%s`, so no play comes to it", n.Position)
	case verdict.FaultMet:
		return "an action that meets a fault of the rules has no step; in some state of the right shape one does: " + n.Fault.ForSentence()
	case verdict.MayFault:
		return "an action that meets a fault of the rules has no step; whether one does was not asked"
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
		return "compared: " + strings.Join(parts, "; ")
	case verdict.Ignored:
		return "left out by the claim: " + strings.Join(n.Pits, ", ")
	case verdict.SmallerUnknown:
		return fmt.Sprintf("whether a smaller %s does is not known: at %d, %s", n.Param, n.Value, Reason(n.Rest.Is))
	case verdict.EngineOpen:
		return string(n.Engine) + ": " + Reason(n.Why.Is)
	}
	panic(fmt.Sprintf("internal error: no sentence for a %T", n))
}

// subjects says what was not found out, and without which a proof may be about nothing.
var subjects = map[verdict.Subject]string{
	verdict.StartOfSetup:  "whether the setup has a start is not known",
	verdict.StartOfAny:    "whether the setup has a start for any value is not known",
	verdict.StateMatching: "whether any state matches it is not known",
	verdict.StepReached:   "whether a play comes to such a step was not asked",
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
