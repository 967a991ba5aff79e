package report

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"path/filepath"
	"strings"

	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs/suite"
)

// GitHub rejects a summary of more than a megabyte as a whole, so the evidence and the table have a
// limit each, in bytes.
const (
	summaryEvidence = 300 << 10
	summaryTable    = 500 << 10
)

// GitHubSummary writes a run as Markdown, for the file that GITHUB_STEP_SUMMARY names: the totals,
// the evidence for findings, the most useful first, and a table of all claims. A finding for whose
// evidence there is no room has a line, and what has no room at all is counted. An error is an
// error of writing.
func GitHubSummary(w io.Writer, rep *suite.Report, sources map[string][]byte) error {
	evidence, table := limitedText{max: summaryEvidence}, limitedText{max: summaryTable}
	shown := map[*suite.Item]bool{}
	for _, f := range usefulFirst(findings(rep)) {
		if !shown[f.item] {
			evidence.add(summaryDetails(f.item, sources), summaryLine(f.item))
		}
		shown[f.item] = true
	}
	for _, i := range rep.Items {
		table.add(summaryRow(i))
	}
	var out bytes.Buffer
	total, _ := tally(rep)
	fmt.Fprintf(&out, "### mancheck\n\n%s\n\n", total)
	out.WriteString(evidence.text.String())
	evidence.rest(&out, "finding")
	if len(rep.Items) > 0 {
		out.WriteString("\n| | claim | expected | verdict | scope | engine | found |\n|---|---|---|---|---|---|---|\n")
		out.WriteString(table.text.String())
		table.rest(&out, "claim")
	}
	_, err := out.WriteTo(w)
	return err
}

// limitedText takes the pieces that fit, and counts the others.
type limitedText struct {
	text bytes.Buffer
	max  int // bytes
	room int // number of pieces that did not fit
}

// add adds the first of the given forms of a piece that fits.
func (l *limitedText) add(forms ...string) {
	for _, piece := range forms {
		if l.text.Len()+len(piece) <= l.max {
			l.text.WriteString(piece)
			return
		}
	}
	l.room++
}

// rest says how many pieces did not fit.
func (l *limitedText) rest(out io.Writer, what string) {
	if l.room > 0 {
		fmt.Fprintf(out, "\n%s left out here.\n", numeral.Count(int64(l.room), "more "+what))
	}
}

// summaryDetails returns a finding whose evidence can be unfolded. Inside pre, Markdown is not
// interpreted.
func summaryDetails(i *suite.Item, sources map[string][]byte) string {
	text := html.EscapeString(firstLines(evidenceText(i, sources), 20*annotationLines))
	if text == "" {
		return summaryLine(i)
	}
	return "<details><summary>" + summaryTitle(i) + "</summary>\n<pre>" + text + "</pre>\n</details>\n\n"
}

// summaryLine returns a finding in one line.
func summaryLine(i *suite.Item) string { return "<p>" + summaryTitle(i) + "</p>\n\n" }

func summaryTitle(i *suite.Item) string {
	return fmt.Sprintf("%s <code>%s</code> %s", outcomeMark(i), literal(printable(filepath.ToSlash(i.File))), literal(headline(i)))
}

// summaryRow returns the row of the table for an item.
func summaryRow(i *suite.Item) string {
	v := entryOf(i)
	v.Name = filepath.ToSlash(i.File) + ": " + v.Name
	if v.vacuous {
		v.Verdict += " (vacuous)"
	}
	if v.starred {
		v.Verdict += " (unchecked)"
	}
	cells := []string{outcomeMark(i), v.title(), v.expected, v.Verdict, v.Scope, v.Engine, oneLine(v.Found)}
	for n := range cells {
		cells[n] = literal(printable(cells[n]))
	}
	return "| " + strings.Join(cells, " | ") + " |\n"
}

// outcomeMark returns the mark of an item, with a sign for warnings that is easier to see.
func outcomeMark(i *suite.Item) string {
	if v := entryOf(i); v.Mark != "!" {
		return v.Mark
	}
	return "⚠"
}

// literal escapes a text for Markdown and HTML. Both show character references as plain characters.
func literal(text string) string {
	var out strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_{}[]()<>#+-.!|~&\"'@:", r) {
			fmt.Fprintf(&out, "&#%d;", r)
			continue
		}
		out.WriteRune(r)
	}
	return out.String()
}
