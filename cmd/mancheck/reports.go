package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/mancheck/mancheck/checker/coverage"
	"github.com/mancheck/mancheck/cmd/internal/cover"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/plain"
	"github.com/mancheck/mancheck/proofs/suite"
)

// writers has the report formats for programs, except JSON, which needs more arguments.
var writers = map[string]func(io.Writer, *suite.Report, map[string][]byte) error{
	"junit": report.JUnit, "sarif": report.SARIF, "github": report.GitHub,
}

// reportFile is a report that a run writes to a file besides its output.
type reportFile struct{ format, path string }

// UnmarshalText reads FORMAT=FILE.
func (r *reportFile) UnmarshalText(text []byte) error {
	format, path, _ := strings.Cut(string(text), "=")
	if _, known := writers[format]; !known && format != "json" || path == "" {
		return fmt.Errorf("%q is no report: write json, junit, sarif or github, and a file, as in junit=report.xml", text)
	}
	*r = reportFile{format, path}
	return nil
}

// viewFlags say how a run is shown.
type viewFlags struct {
	Format  string       `enum:"text,json,junit,sarif,github" default:"text" help:"text: a table for people. json, junit, sarif, github (workflow commands): for programs."`
	Output  string       `short:"o" placeholder:"FILE" help:"Write the report to this file, and the table to standard output."`
	Brief   bool         `help:"Show evidence only for verdicts that are not as expected, and the instances of a sweep on one line if all are. So does prove."`
	Verbose bool         `short:"v" help:"Show the evidence for every verdict, and how it was found: what a search left out of the states."`
	Times   bool         `help:"Show in the table how long each decision took."`
	Report  []reportFile `group:"reports" sep:"none" placeholder:"FORMAT=FILE" help:"Write a report into this file as well, in a format for programs. May be repeated."`
}

// AfterApply makes the session report failures as JSON if the report on standard output is JSON.
func (f *viewFlags) AfterApply(s *session) error {
	s.json = f.Format == "json" && f.Output == ""
	return nil
}

// tried fails if the report cannot be written: better before the work than after it. The file keeps
// its content until then.
func (f *viewFlags) tried() error {
	if f.Output == "" {
		return nil
	}
	return file.Try(f.Output, file.Named)
}

// reporting is a run of check or prove.
type reporting struct {
	deciding
	view     viewFlags
	shard    *sharing         // nil if it decides all claims
	traces   bool             // of the JSON
	summary  bool             // of the JSON
	text     bytes.Buffer     // the table, if it goes into a file
	coverage *coverage.Report // nil: it was not asked for
}

// begin makes the table, if there is one.
func (p *reporting) begin() {
	f := p.view
	if f.Format != "text" && f.Output == "" {
		return
	}
	p.table = p.s.newTable()
	p.table.Times, p.table.Brief, p.table.Verbose, p.table.Merge = f.Times, f.Brief, f.Verbose, f.Brief
	if f.Format == "text" && f.Output != "" {
		p.table.W, p.table.Color, p.table.Width = &p.text, term.Palette{}, 0
	}
}

// programs writes the reports in formats for programs.
func (p *reporting) programs(rep *suite.Report) error {
	out := &p.text
	if p.coverage != nil && p.table != nil {
		cover.Writer{W: p.table.W, Sources: p.s.reader.Sources, Color: p.table.Color}.Write(p.coverage)
	}
	if p.view.Format != "text" {
		if err := p.format(out, p.view.Format, rep); err != nil {
			return err
		}
	}
	if p.view.Output == "" {
		p.s.out.Write(out.Bytes())
	} else if err := file.Write(p.view.Output, plain.Text(out.Bytes()), file.Named); err != nil {
		return err
	}
	// If a file of --report fails, the others are still written.
	written := lists.Map(p.view.Report, func(r reportFile) error { return p.reportTo(r, rep) })
	return errors.Join(append(written, p.stepSummary(rep))...)
}

// stepSummary appends a summary to the page of a run on GitHub Actions, if the environment names a
// file for it.
func (p *reporting) stepSummary(rep *suite.Report) error {
	path := os.Getenv("GITHUB_STEP_SUMMARY")
	if p.view.Format != "github" || path == "" {
		return nil
	}
	var text bytes.Buffer
	if err := report.GitHubSummary(&text, rep, p.s.reader.Sources); err != nil {
		return err
	}
	f, err := file.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(plain.Text(text.Bytes()))
	return errors.Join(err, f.Close())
}

// format writes the run in a format for programs.
func (p *reporting) format(w *bytes.Buffer, name string, rep *suite.Report) error {
	if name == "json" {
		writeObject(w, p.object(rep))
		return nil
	}
	return writers[name](w, rep, p.s.reader.Sources)
}

// object returns the report as JSON.
func (p *reporting) object(rep *suite.Report) any {
	doc := p.document()
	if p.shard != nil {
		doc.Shard = p.shardOf(rep)
	}
	return doc.JSON(rep)
}

func (p *reporting) document() report.Document {
	var covered any
	if p.coverage != nil {
		covered = cover.JSON(p.coverage)
	}
	return report.Document{
		Coverage: covered, Certificates: p.certs.written, Diagnostics: p.diags, Sources: p.s.reader.Sources, Traces: p.traces, Summary: p.summary,
	}
}

// reportTo writes one report, and makes the folder for it.
func (p *reporting) reportTo(r reportFile, rep *suite.Report) error {
	var out bytes.Buffer
	err := errors.Join(p.format(&out, r.format, rep), file.MkdirAll(filepath.Dir(r.path), 0o777))
	if err != nil {
		return err
	}
	return file.Write(r.path, plain.Text(out.Bytes()), file.Named)
}
