package report

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mancheck/mancheck/proofs/suite"
)

// tapDetail is the YAML block below a test point that is a finding.
type tapDetail struct {
	Finding  string `yaml:"finding"`
	Message  string `yaml:"message"`
	File     string `yaml:"file"`
	Line     int    `yaml:"line,omitempty"`
	Column   int    `yaml:"column,omitempty"`
	Expected string `yaml:"expected,omitempty"`
	Verdict  string `yaml:"verdict,omitempty"`
	Reason   string `yaml:"reason,omitempty"`
	Scope    string `yaml:"scope,omitempty"`
	Engine   string `yaml:"engine,omitempty"`
	Evidence string `yaml:"evidence,omitempty"`
}

// TAP writes a run in version 14 of the Test Anything Protocol, with a test point for each instance
// of a claim. Inconclusive and failed claims are not ok. An error is an error of writing.
func TAP(w io.Writer, rep *suite.Report, sources map[string][]byte) error {
	out := bytes.NewBufferString("TAP version 14\n")
	fmt.Fprintf(out, "1..%d", len(rep.Items))
	if len(rep.Items) == 0 {
		out.WriteString(" # SKIP there are no claims")
	}
	out.WriteString("\n")
	if rep.Part != nil {
		fmt.Fprintf(out, "# %s\n", partOf(rep.Part))
	}
	for n, i := range rep.Items {
		if err := tapPoint(out, n+1, i, sources); err != nil {
			return err
		}
	}
	_, err := out.WriteTo(w)
	return err
}

// tapPoint writes the test point for one item.
func tapPoint(out *bytes.Buffer, n int, i *suite.Item, sources map[string][]byte) error {
	e, status, directive := entryOf(i), "ok", ""
	switch e.outcome {
	case suite.AsExpected:
	case suite.NotRun:
		directive = " # SKIP nothing that it depends on has changed"
		if i.Long {
			directive = " # SKIP " + longClaim
		}
	default:
		status = "not ok"
	}
	fmt.Fprintf(out, "%s %d - %s%s\n", status, n, tapEscape(filepath.ToSlash(i.File)+": "+e.title()), directive)
	if e.kind != "" {
		if err := tapYAML(out, tapDetails(e, sources)); err != nil {
			return err
		}
	}
	// A YAML block must follow its line at once, so comments come after it.
	if e.starred {
		fmt.Fprintf(out, "# unchecked: %s\n", oneLine(e.unchecked))
		for _, text := range e.trusted {
			fmt.Fprintf(out, "# trusted: %s\n", oneLine(text))
		}
	}
	return nil
}

// tapEscape keeps a description from being read as a directive.
func tapEscape(text string) string {
	return strings.NewReplacer(`\`, `\\`, `#`, `\#`).Replace(printable(text))
}

// tapYAML writes the block that belongs to the line above. Empty lines occur only in the evidence,
// and are indented like the rest of it. YAML does not require that, but the Perl reader of TAP
// takes a less indented line for the end of the block.
func tapYAML(out *bytes.Buffer, d tapDetail) error {
	text, err := yaml.Marshal(d)
	if err != nil {
		return err
	}
	out.WriteString("  ---\n")
	for line := range strings.Lines(string(text)) {
		if line == "\n" {
			out.WriteString("    ")
		}
		out.WriteString("  " + line)
	}
	out.WriteString("  ...\n")
	return nil
}

// tapDetails returns the block for an item.
func tapDetails(e entry, sources map[string][]byte) tapDetail {
	i := e.item
	at := itemPlace(i)
	if e.outcome == suite.Failed {
		at = faults(i)[0].Range
	}
	out := tapDetail{
		Finding: e.kind, Message: headline(i), File: printable(filepath.ToSlash(at.File)), Line: at.Start.Line, Column: at.Start.Column,
	}
	if text := evidenceText(i, sources); text != "" {
		out.Evidence = text + "\n" // some readers of YAML do not support a block scalar without a final line break
	}
	if i.Result != nil {
		out.Expected, out.Verdict, out.Reason, out.Scope, out.Engine = e.expected, e.Verdict, oneLine(e.reason), e.Scope, e.Engine
	}
	return out
}
