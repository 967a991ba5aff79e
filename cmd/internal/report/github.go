package report

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"path/filepath"
	"strings"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs/suite"
)

// annotationLines bounds the lines of evidence in an annotation, which is shown within a page.
const annotationLines = 60

// GitHub writes a run as workflow commands, which GitHub Actions shows as annotations in the log
// and beside the changed lines. What is not as expected or failed is an error; what is inconclusive
// or vacuous is a warning. GitHub shows the first ten of each, so the most useful come first. The
// last line has the totals. An error is an error of writing.
func GitHub(w io.Writer, rep *suite.Report, sources map[string][]byte) error {
	var out bytes.Buffer
	for _, f := range usefulFirst(findings(rep)) {
		title, text := strings.ReplaceAll(f.kind, "-", " ")+": "+entryOf(f.item).title(), ""
		if f.kind == failedClaim {
			if text = faultText(f.fault); f.fault.Code != "" {
				title += fmt.Sprintf(" [%s]", f.fault.Code)
			}
		} else {
			text = strings.TrimSpace(headline(f.item) + "\n" + firstLines(evidenceText(f.item, sources), annotationLines))
		}
		command(&out, annotationLevel(f), f.place, title, text)
	}
	total, _ := tally(rep)
	fmt.Fprintln(&out, total)
	_, err := out.WriteTo(w)
	return err
}

// annotationLevel returns the command for a finding.
func annotationLevel(f finding) string {
	if f.kind == unexpectedClaim || f.kind == failedClaim && f.fault.Severity == diag.Error {
		return "error"
	}
	return "warning"
}

// faultText returns a diagnostic without its place.
func faultText(d diag.Diagnostic) string {
	text := d.Message
	for _, n := range d.Notes {
		text += "\nnote: " + n.Message
	}
	if d.Help != "" {
		text += "\nhelp: " + d.Help
	}
	return printableLines(text)
}

// command writes one workflow command. Columns are given only for ranges within a line: GitHub
// ignores others.
func command(out io.Writer, name string, at diag.Range, title, message string) {
	var properties []string
	add := func(key, value string) { properties = append(properties, key+"="+escapeProperty(value)) }
	if path, _ := sourcePath(at.File); path != "" {
		add("file", path)
	}
	if !at.IsZero() {
		add("line", fmt.Sprint(at.Start.Line))
		add("endLine", fmt.Sprint(at.End.Line))
	}
	if !at.IsZero() && at.Start.Line == at.End.Line {
		add("col", fmt.Sprint(at.Start.Column))
		add("endColumn", fmt.Sprint(at.End.Column))
	}
	add("title", printable(title))
	fmt.Fprintf(out, "::%s %s::%s\n", name, strings.Join(properties, ","), escapeData(message))
}

// escapeData escapes the message of a workflow command.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// escapeProperty escapes the value of a property of a workflow command.
func escapeProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapeData(s))
}

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
