package explain

import (
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
	"github.com/mancheck/mancheck/rules/space"
)

// verdictWords is the verdict in a sentence.
func verdictWords(r *proofs.Result) string {
	word := strings.ToUpper(r.Status.String()[:1]) + r.Status.String()[1:]
	switch {
	case r.Status == proofs.Bounded:
		word = fmt.Sprintf("Nothing within %s decides it: no proof, and no refutation", count(r.Bound, "move"))
	case r.Status == proofs.Unknown:
		word = "Unknown: " + r.Reason
	}
	switch {
	case r.AsExpected() && r.Status == proofs.Refuted:
		word += ", as the file expects"
	case !r.AsExpected() && !r.Inconclusive():
		word += ", though the file expects it to be " + r.Expected().String()
	}
	if r.Checked == proofs.Unchecked {
		word += " (unchecked: " + r.Why + ")"
	}
	if r.Vacuous {
		word += "; it speaks of nothing at all"
	}
	return word + "."
}

// scopeWords is what a verdict holds for.
func scopeWords(s proofs.Scope) string {
	var items []string
	for _, p := range s.Params {
		if p.All {
			items = append(items, "every "+p.Name+" in "+p.Text)
		} else {
			items = append(items, p.Name+" = "+p.Text)
		}
	}
	for _, name := range s.Unbounded {
		items = append(items, "any number of "+name)
	}
	return strings.Join(items, ", ")
}

// how says what an engine does.
func how(r *proofs.Result) string {
	switch p := r.Instance.Property.(type) {
	case *resolve.Relation:
		if p.Kind == resolve.Reverses {
			return string(r.Engine) + ": each reachable step is looked for in the other variant, from the board after it to the board before"
		}
		return string(r.Engine) + ": pairs of states, one of each variant, that the same moves lead to, breadth first"
	case *resolve.StrategyWins:
		return string(r.Engine) + ": the starts that can be won are found, then all plays by the strategy from these are explored"
	case *resolve.Count:
		if p.Set == resolve.CountPlays {
			return string(r.Engine) + ": all plays are played, and nothing is remembered"
		}
	}
	switch r.Engine {
	case proofs.Forward:
		return "forward: breadth first from the starts, or from the states that the claim speaks of, with an exact set of the states seen"
	case proofs.Backward:
		switch r.Instance.Property.(type) {
		case *resolve.Neighbours, *resolve.StepTo:
			return "backward: the predecessors are constructed, and each is played forward by the reference interpreter"
		}
		return "backward: from the states that the claim speaks of to all that lead there, until nothing is added or a start is met"
	case proofs.BMC:
		return "bmc: a solver was asked for a play of 0, 1, 2, … moves"
	case proofs.Induction:
		return "induction: a solver showed that every step from a state in which the claim holds leads to one in which it holds"
	case proofs.SMT:
		return "smt: a solver answered for all states of the right shape"
	}
	return string(r.Engine)
}

// trust lists what a verdict rests on, besides the parser, the resolver, Go and the machine.
func trust(r *proofs.Result) []string {
	list := []string{"the parser and the resolver, which read the rules and the claim", "the Go compiler and its libraries, and this machine"}
	switch {
	case r.Status == proofs.Unknown:
		return nil
	case r.Checked == proofs.ByCertificate:
		return append([]string{"the certificate checker's own reading of the rules, which shares no code with the engines", "the argument in docs/certificates.md"}, list...)
	case r.Checked == proofs.ByEnumeration:
		return append([]string{"the reference interpreter, which has played all plays and found the same"}, list...)
	case shownByPlay(r):
		play := "the reference interpreter, which has replayed the play one seed at a time"
		if least(r) {
			play += "; that nothing less will do, on the search"
		}
		return append([]string{play}, list...)
	case r.Engine == proofs.Forward:
		return append([]string{"the forward search and its packed states"}, list...)
	case r.Engine == proofs.Backward:
		return append([]string{"the construction of predecessors; a certificate can be checked without it"}, list...)
	}
	return append([]string{"the encoding of the rules as formulas, and the solver"}, list...)
}

// shownByPlay reports whether the trace is all the evidence that a verdict needs. Where a step leads instead of where it should is not.
func shownByPlay(r *proofs.Result) bool {
	if r.Trace == nil {
		return false
	}
	if p, ok := r.Instance.Property.(*resolve.StepTo); ok {
		return (r.Status == proofs.Proved) != p.Not
	}
	return true
}

// least reports whether a verdict says more of its play than that there is one: that none is shorter, or that no lesser value has one.
func least(r *proofs.Result) bool {
	switch p := r.Instance.Property.(type) {
	case *resolve.Reach, *resolve.NeverStuck, *resolve.Relation:
		return true
	case *resolve.EveryStep:
		return !p.All
	}
	return r.Instance.Some != ""
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%s %ss", number(n), what)
}

// number writes n with commas between thousands.
func number(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// anotherBoard is a board with too much on it to be told in a line.
const anotherBoard = "another board"

// boardWords writes the pits that hold seeds in a line.
func boardWords(sys *rules.System, s rules.State, keep space.Kept) string {
	var items []string
	for p, n := range s.Seeds {
		if n > 0 && keeps(keep.Pits, p) {
			items = append(items, fmt.Sprintf("%s %d", sys.Pits[p].Name, n))
		}
	}
	if len(items) == 0 {
		return "a board without seeds"
	}
	if len(items) > 6 {
		return anotherBoard
	}
	return "a board with " + strings.Join(items, ", ")
}
