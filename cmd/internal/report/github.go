package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/mancheck/mancheck/dsl/diag"
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
		title, text := kindTitle(f.kind)+": "+entryOf(f.item).title(), ""
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

// kindTitle returns a kind of finding in words.
func kindTitle(kind string) string { return strings.ReplaceAll(kind, "-", " ") }

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
