package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/rules"
)

// verdictWords returns the verdict as a sentence.
func verdictWords(r *proofs.Result) string {
	word := strings.ToUpper(r.Status.String()[:1]) + r.Status.String()[1:]
	switch {
	case r.Status == proofs.Bounded:
		word = fmt.Sprintf("Nothing within %s decides it: no proof, and no refutation", count(r.Bound, "move"))
	case r.Status == proofs.Unknown:
		word = "Unknown: " + r.Sentence()
	}
	switch {
	case r.AsExpected() && r.Status == proofs.Refuted:
		word += ", as the file expects"
	case !r.AsExpected() && !r.Inconclusive():
		word += ", though the file expects it to be " + r.Expected().String()
	}
	if r.Checked == proofs.Unchecked {
		word += " (unchecked: " + say.Gap(r.Gap) + ")"
	}
	if r.OfNothing() {
		word += "; it is about nothing that exists"
	}
	return word + "."
}

// trust lists what a verdict relies on, from the most specific to the parser, the resolver, Go and
// the machine.
func trust(r *proofs.Result, w say.Words) []string {
	list := []string{"the parser and the resolver, which read the rules and the claim", "the Go compiler and its libraries, and this machine"}
	switch {
	case r.Status == proofs.Unknown:
		return nil
	case r.Checked == proofs.ByCertificate:
		return append([]string{"the executor of the rules, which the certificate checker shares with the reference interpreter, and not with the stepper of the searches", "the argument that this evidence is enough, which `mancheck help evidence` tells of"}, list...)
	case r.Checked == proofs.ByEnumeration:
		return append([]string{"the reference interpreter, which has played all plays and found the same"}, list...)
	case w.Shown:
		play := "the reference interpreter, which has replayed the play one seed at a time"
		if w.Least {
			play += "; that no lesser value suffices, on the search"
		}
		return append([]string{play}, list...)
	case r.Engine == proofs.Forward:
		found := []string{"the forward search and its packed states"}
		return slices.Concat(found, lists.Map(r.Trusted, say.Table), list)
	case r.Engine == proofs.Backward:
		return append([]string{"the construction of predecessors; a certificate can be checked without it"}, list...)
	}
	return append([]string{"the encoding of the rules as formulas, and the solver"}, list...)
}

func count(n int, what string) string { return numeral.Count(int64(n), what) }

// anotherBoard stands for a board with too many filled pits to describe in a line.
const anotherBoard = "another board"

// boardWords describes the pits with seeds in a line.
func boardWords(sys *rules.System, s rules.State, keep rules.Kept) string {
	var items []string
	for p, n := range s.Seeds {
		if n > 0 && keep.HasPit(p) {
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
