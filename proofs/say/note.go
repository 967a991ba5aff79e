package say

import (
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/verdict"
)

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
