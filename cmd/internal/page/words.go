package page

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/explain"
)

// words are the functions that both templates have.
var words = map[string]any{
	"mark": mark, "markClass": markClass, "grouped": report.Grouped, "kind": explain.Block.Kind, "reasons": reasons, "shows": shows, "intro": positionsIntro, "tally": tally, "summary": summary, "whose": whose, "sentence": sentence, "short": firstLine,
	"plural": plural, "number": func(n uint64) string { return numeral.Number(int64(n)) }, "join": strings.Join,
	"add": func(a, b int) int { return a + b },
}

func plural(n int, what string) string { return numeral.Count(int64(n), what) }

// mark reports whether a verdict is as expected.
func mark(inst *explain.Instance) string {
	switch {
	case inst.Failed != "":
		return "!"
	case inst.AsExpected:
		return "✓"
	case inst.Status == proofs.Unknown || inst.Status == proofs.Bounded:
		return "?"
	}
	return "✗"
}

// markClass says what a mark means, for its colour.
func markClass(inst *explain.Instance) string {
	return map[string]string{"✓": "good", "✗": "bad"}[mark(inst)]
}

// verdicts is how many instances of a claim have the same verdict.
type verdicts struct {
	Mark, Class, Word string
	N                 int
}

// tally counts the verdicts on a claim.
func tally(c *explain.Claim) (list []verdicts) {
	for _, inst := range c.Instances {
		v := verdicts{mark(inst), markClass(inst), inst.Status.String(), 1}
		if inst.Failed != "" {
			v.Word = "not decided"
		}
		same := slices.IndexFunc(list, func(w verdicts) bool { return w.Mark == v.Mark && w.Word == v.Word })
		if same >= 0 {
			list[same].N++
		} else {
			list = append(list, v)
		}
	}
	return list
}

// summary says how many verdicts of a document are as the file expects.
func summary(claims []*explain.Claim) string {
	marks := lists.Map(lists.Flat(claims, func(c *explain.Claim) []*explain.Instance { return c.Instances }), mark)
	with := func(mark string) int { return lists.Count(marks, func(m string) bool { return m == mark }) }
	all, expected, contrary := len(marks), with("✓"), with("✗")
	text := fmt.Sprintf("%s, %s: ", plural(len(claims), "claim"), plural(all, "verdict"))
	switch {
	case expected == all && all == 1:
		return text + "as the file expects."
	case expected == all:
		return text + "all as the file expects."
	}
	var parts []string
	for _, p := range []struct {
		n    int
		what string
	}{{expected, "as the file expects"}, {contrary, "otherwise"}, {all - expected - contrary, "open"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	return text + strings.Join(parts, ", ") + "."
}

// whose counts the names of claims, or of instances where something is not said of all that a claim
// has.
func whose(names []string) string {
	if slices.ContainsFunc(names, func(n string) bool { return strings.Contains(n, "[") }) {
		return fmt.Sprintf("%d claims and instances", len(names))
	}
	return plural(len(names), "claim")
}

// reasons says of a state why no play comes to it through here.
func reasons(n *explain.Node) []string {
	if n.Says != "" {
		return []string{n.Says}
	}
	var list []string
	if n.NotStart != "" {
		list = append(list, "It is no start: "+n.NotStart+".")
	}
	if n.Uncounted {
		list = append(list, "It is not counted.")
	}
	if n.Mirror > 0 {
		list = append(list, fmt.Sprintf("With all that stands below, it mirrors No. %d, %s exchanged.", n.Mirror, n.How))
	}
	if len(n.Preds)+n.Hidden == 0 {
		list = append(list, "Dead end: no state has a step to it.")
	}
	if n.Hidden > 0 {
		list = append(list, fmt.Sprintf("%s not drawn here.", plural(n.Hidden, "predecessor")))
	}
	return list
}

// positionsIntro says what the statuses mean.
func positionsIntro(p *explain.Positions) string {
	if p.Claim == "" {
		return "The named positions, on the board with " + p.Scope + "."
	}
	return fmt.Sprintf("The named positions as seen from the target of `%s` (%s). A position is valid if it leads to the target "+
		"and some state leads to it, "+
		"dead if it leads to the target but nothing leads to it and it is no start, and invalid if no play from it reaches the target. "+
		"Games that are over, though not at the target, fit most positions too; they are not counted.", p.Claim, p.Scope)
}

// sentence is text with a capital and a full stop.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// shows reports whether there is something to be seen of a claim that stands beside.
func shows(c *explain.Claim) bool {
	return slices.ContainsFunc(c.Instances, func(inst *explain.Instance) bool { return len(inst.Evidence) > 0 })
}

// maxText is how many characters of a rule stand in a table.
const maxText = 120

// firstLine is the beginning of the text that a label names.
func firstLine(l explain.Label) string { return explain.Short(l.Text, maxText) }
