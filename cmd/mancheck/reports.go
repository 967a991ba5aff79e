package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/plain"
	"github.com/mancheck/mancheck/proofs/suite"
)

// writers has the report formats for programs, except JSON, which needs more arguments.
var writers = map[string]func(io.Writer, *suite.Report, map[string][]byte) error{
	"junit": report.JUnit, "tap": report.TAP, "sarif": report.SARIF, "github": report.GitHub,
}

// reportFlags are the reports to write to files.
type reportFlags struct {
	Report []reportFile `sep:"none" placeholder:"FORMAT=FILE" help:"Write a report into this file as well, in a format for programs. May be repeated."`
}

// reportFile is a report that a run writes to a file besides its output.
type reportFile struct{ format, path string }

// UnmarshalText reads FORMAT=FILE.
func (r *reportFile) UnmarshalText(text []byte) error {
	format, path, _ := strings.Cut(string(text), "=")
	if _, known := writers[format]; !known && format != "json" || path == "" {
		return fmt.Errorf("%q is no report: write json, junit, tap, sarif or github, and a file, as in junit=report.xml", text)
	}
	*r = reportFile{format, path}
	return nil
}

// format writes the run in a format for programs.
func (p *proving) format(w *bytes.Buffer, name string, rep *suite.Report) error {
	if name == "json" {
		writeObject(w, p.object(rep))
		return nil
	}
	return writers[name](w, rep, p.s.reader.Sources)
}

// object returns the report as JSON.
func (p *proving) object(rep *suite.Report) any {
	return report.Document{
		Certificates: p.certs.written, Diagnostics: p.diags, Sources: p.s.reader.Sources, Traces: p.cmd.Traces, Summary: true,
	}.JSON(rep)
}

// reports writes the files of --report. If one fails, the others are still written.
func (p *proving) reports(rep *suite.Report) error {
	var errs []error
	for _, r := range p.cmd.Report {
		errs = append(errs, p.reportTo(r, rep))
	}
	return errors.Join(errs...)
}

// reportTo writes one report, and makes the folder for it.
func (p *proving) reportTo(r reportFile, rep *suite.Report) error {
	var out bytes.Buffer
	err := errors.Join(p.format(&out, r.format, rep), file.MkdirAll(filepath.Dir(r.path), 0o777))
	if err != nil {
		return err
	}
	return file.Write(r.path, plain.Text(out.Bytes()), file.Named)
}
