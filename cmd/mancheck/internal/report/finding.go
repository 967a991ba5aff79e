package report

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs/suite"
)

// The kinds of findings in a run. Code hosts follow a finding from run to run by its kind: the
// names stay.
const (
	unexpectedClaim   = "claim-not-as-expected"
	inconclusiveClaim = "claim-inconclusive"
	failedClaim       = "claim-failed"
	vacuousClaim      = "vacuous-claim"
)

// findingKind is what somebody should look at in an item, or "".
func findingKind(i *suite.Item) string {
	switch i.Outcome() {
	case suite.NotAsExpected:
		return unexpectedClaim
	case suite.Inconclusive:
		return inconclusiveClaim
	case suite.Failed:
		return failedClaim
	case suite.AsExpected:
		if i.Result.Vacuous {
			return vacuousClaim
		}
	}
	return ""
}

// finding is one thing to look at in a run: what came of a claim, or one of the mistakes that made
// an item fail.
type finding struct {
	kind  string
	item  *suite.Item
	fault diag.Diagnostic // of an item that failed
	place diag.Range
	again bool // there is another one before it that is at this place, or about this item
}

// findings are in the order of the run.
func findings(rep *suite.Report) []finding {
	var out []finding
	for _, i := range rep.Items {
		switch kind := findingKind(i); kind {
		case "":
		case failedClaim:
			for _, d := range faults(i) {
				out = append(out, finding{kind: kind, item: i, fault: d, place: d.Range})
			}
		default:
			out = append(out, finding{kind: kind, item: i, place: itemPlace(i)})
		}
	}
	places, items := map[diag.Range]bool{}, map[*suite.Item]bool{}
	for n := range out {
		f := &out[n]
		f.again = places[f.place] || items[f.item]
		places[f.place], items[f.item] = true, true
	}
	return out
}

// usefulFirst is for hosts that show only the first few findings: further instances of a sweep, and
// further mistakes in a file, come after all that is new; mistakes, which may be behind what else
// is red, come before verdicts.
func usefulFirst(list []finding) []finding {
	rank := func(f finding) int {
		n := slices.Index([]string{failedClaim, unexpectedClaim, inconclusiveClaim, vacuousClaim}, f.kind)
		if f.again {
			n += 10
		}
		return n
	}
	return slices.SortedStableFunc(slices.Values(list), func(a, b finding) int { return cmp.Compare(rank(a), rank(b)) })
}

// itemPlace is where the claim stands.
func itemPlace(i *suite.Item) diag.Range {
	if i.Instance == nil {
		return diag.Range{File: i.File}
	}
	return i.Instance.Claim.At
}

// headline says in one line what came of an item.
func headline(i *suite.Item) string {
	v := entryOf(i)
	text := v.title() + ": "
	switch v.outcome {
	case suite.NotRun:
		return text + "not run, since nothing that it depends on has changed"
	case suite.Failed:
		return text + "failed: " + v.found
	case suite.AsExpected:
		text += v.verdict
	case suite.NotAsExpected:
		if v.contrary {
			text += fmt.Sprintf("expected %s, but ", v.expected)
		}
		text += v.verdict
	default:
		text += fmt.Sprintf("expected %s, but %s", v.expected, v.verdict)
	}
	if v.reason != "" {
		text += ": " + oneLine(v.reason)
	}
	if v.vacuous {
		text += " (vacuous)"
	}
	if v.starred {
		text += " (unchecked: " + oneLine(v.unchecked) + ")"
	}
	return text
}

// faultLine is the first mistake of an item that failed, and how many more there are.
func faultLine(i *suite.Item) string {
	list := faults(i)
	text := oneLine(list[0].Message)
	if more := len(list) - 1; more > 0 {
		text += fmt.Sprintf(", and %s", numeral.Count(int64(more), "more mistake"))
	}
	return text
}

// oneLine keeps line breaks and whatever else is not printable out of a text.
func oneLine(text string) string { return printable(strings.Join(strings.Fields(text), " ")) }

// evidenceText draws the evidence of an item as `check` does, or the mistakes that made it fail. It
// may be empty.
func evidenceText(i *suite.Item, sources map[string][]byte) string {
	var text strings.Builder
	switch {
	case i.Err != nil:
		diag.Text(&text, faults(i), sources, false)
	case i.Result != nil:
		t := Table{W: &text, Sources: sources, noted: map[string]bool{}}
		t.evidence(entryOf(i))
	}
	return printableLines(outdent(text.String()))
}

// outdent drops the indent that evidence has below a verdict.
func outdent(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for n := range lines {
		lines[n] = strings.TrimPrefix(lines[n], indent)
	}
	return strings.Join(lines, "\n")
}

// printableLines is printable for each line of a text.
func printableLines(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// firstLines cuts a text where whoever shows it has no room for more.
func firstLines(text string, n int) string {
	lines := strings.Split(text, "\n")
	if len(lines) <= n {
		return text
	}
	return strings.Join(lines[:n], "\n") + fmt.Sprintf("\n… and %s", numeral.Count(int64(len(lines)-n), "more line"))
}

// faults is what made an item fail, each with a place: that of the claim if it has none of its own.
func faults(i *suite.Item) diag.List {
	list := diag.List{{Message: "there is no verdict"}}
	if i.Err != nil {
		list = diag.FromError(i.Err)
	}
	for n := range list {
		if list[n].Range.File == "" {
			list[n].Range = itemPlace(i)
		}
	}
	return list
}

// sourcePath is a path as code hosts want it: relative to the current folder if it lies below, with
// forward slashes. It is empty for standard input, and ok is false for a path that leads out of the
// folder.
func sourcePath(file string) (path string, ok bool) {
	if file == "-" || file == "" {
		return "", false
	}
	path = filepath.Clean(file)
	if filepath.IsAbs(path) {
		if here, err := os.Getwd(); err == nil {
			if rel, err := filepath.Rel(here, path); err == nil && filepath.IsLocal(rel) {
				path = rel
			}
		}
	}
	return filepath.ToSlash(path), fs.ValidPath(filepath.ToSlash(path))
}
