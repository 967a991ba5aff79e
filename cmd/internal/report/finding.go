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

// The kinds of findings in a run. Code hosts track a finding from run to run by its kind, so the
// names must not change.
const (
	unexpectedClaim   = "claim-not-as-expected"
	inconclusiveClaim = "claim-inconclusive"
	failedClaim       = "claim-failed"
	vacuousClaim      = "vacuous-claim"
)

// findingKind returns the kind of finding that an item is, or an empty string if nobody needs to
// look at it.
func findingKind(i *suite.Item) string {
	switch i.Outcome() {
	case suite.NotAsExpected:
		return unexpectedClaim
	case suite.Inconclusive:
		return inconclusiveClaim
	case suite.Failed:
		return failedClaim
	case suite.AsExpected:
		if i.Result.OfNothing() {
			return vacuousClaim
		}
	}
	return ""
}

// finding is one thing to look at in a run: the verdict on a claim, or one of the mistakes that
// made an item fail.
type finding struct {
	kind  string
	item  *suite.Item
	fault diag.Diagnostic // of an item that failed
	place diag.Range
	again bool // an earlier finding is at this place or about this item
}

// findings lists the findings of a run in its order.
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

// usefulFirst sorts findings for hosts that show only the first few. Further instances of a sweep,
// and further mistakes at the same place, come last. Mistakes come before verdicts, as they may be
// the reason for them.
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

// itemPlace returns the place of the item's claim, or its file.
func itemPlace(i *suite.Item) diag.Range {
	if i.Instance == nil {
		return diag.Range{File: i.File}
	}
	return i.Instance.Claim.At
}

// headline describes the result of an item in one line.
func headline(i *suite.Item) string {
	v := entryOf(i)
	text := v.title()
	if v.Scope != "" {
		text += " (" + v.Scope + ")"
	}
	text += ": "
	switch v.outcome {
	case suite.NotRun:
		if i.Long {
			return text + "left out: " + longClaim
		}
		return text + "not run, since nothing that it depends on has changed"
	case suite.Failed:
		return text + "failed: " + v.Found
	}
	if v.contrary || v.outcome == suite.Inconclusive {
		text += fmt.Sprintf("expected %s, but ", v.expected)
	}
	text += v.Verdict
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

// faultLine returns the first mistake of an item that failed, and the number of others.
func faultLine(i *suite.Item) string {
	list := faults(i)
	text := oneLine(list[0].Message)
	if more := len(list) - 1; more > 0 {
		text += fmt.Sprintf(", and %s", numeral.Count(int64(more), "more mistake"))
	}
	return text
}

// oneLine puts a text on one line and replaces what is not printable.
func oneLine(text string) string { return printable(strings.Join(strings.Fields(text), " ")) }

// evidenceText returns the evidence of an item as `check` shows it, or the mistakes that made it
// fail. It may be empty.
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

// outdent removes the indentation that evidence has below a verdict.
func outdent(text string) string {
	return strings.ReplaceAll("\n"+strings.TrimRight(text, "\n"), "\n"+indent, "\n")[1:]
}

// printableLines is printable for a text of several lines.
func printableLines(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text)
}

// firstLines returns the first n lines of a text, and says how many are left out.
func firstLines(text string, n int) string {
	lines := strings.Split(text, "\n")
	if len(lines) <= n {
		return text
	}
	return strings.Join(lines[:n], "\n") + fmt.Sprintf("\n… and %s", numeral.Count(int64(len(lines)-n), "more line"))
}

// faults returns the mistakes that made an item fail. One without a place gets that of the claim.
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

// sourcePath returns a path as code hosts expect it: with forward slashes and, if it is below the
// current folder, relative to that. It is empty for standard input. ok is false for a path outside
// the current folder.
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
