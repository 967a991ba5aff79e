package main

import (
	"bytes"
	"errors"
	"os"
	"slices"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/plain"
	"github.com/mancheck/mancheck/proofs/suite"
)

type proveCmd struct {
	Paths   []string `arg:"" optional:"" name:"path" help:"Rules files and folders with rules files; - is standard input. The default is the current folder."`
	Format  string   `enum:"text,json,junit,tap,sarif,github" default:"text" help:"text: a table for people. json, junit, tap, sarif, github (workflow commands): for programs."`
	Output  string   `short:"o" placeholder:"FILE" help:"Write the report to this file, and the table to standard output."`
	Changed bool     `help:"Skip claims on which the cache has a verdict that is as expected."`
	Since   string   `placeholder:"REF" help:"Skip claims that have not changed since this revision of the git repository."`
	Jobs    threads  `placeholder:"N" help:"Claims to decide at the same time; the default is one for each processor. Results do not depend on it."`
	Times   bool     `help:"Show in the table how long each decision took."`
	Traces  bool     `help:"Write all plays into the JSON. Otherwise it has those of verdicts that are not as expected, and the lengths of the others."`
	longFlag
	certificatesFlag
	cacheFlags
	reportFlags
	checkFlags
	decideFlags
}

// usualStates is the default limit on states for each search of prove. Without a solver, searches
// that an induction would make unnecessary could otherwise go on until the memory is full.
const usualStates = 5_000_000

// AfterApply makes the session report failures as JSON if the report on standard output is JSON.
func (c *proveCmd) AfterApply(s *session) error {
	s.json = c.Format == "json" && c.Output == ""
	return nil
}

// Run decides the claims of all files and writes the reports.
func (c *proveCmd) Run(s *session) error {
	if c.Changed && c.Cache == "off" {
		return usageError{errors.New("--changed needs the cache, and --cache off does without")}
	}
	found, err := input.Find(c.Paths)
	if err != nil {
		return err
	}
	opt, err := c.suite(s)
	if err != nil {
		return err
	}
	items, diags, err := s.itemsWith(found, nil, c.Param, func(items []*suite.Item) {
		c.leaveOut(items, nil)
		if c.Since == "" {
			suite.Recall(items, opt)
		}
		if len(found) > 1 {
			suite.Shed(items, opt)
		}
	})
	if err != nil {
		return err
	}
	if c.Since != "" {
		before, err := c.before(items, opt)
		if err != nil {
			return err
		}
		opt.Same = before.has
	}
	if slices.ContainsFunc(items, func(i *suite.Item) bool { return i.Result == nil }) {
		limit.CollectSeldom(2 * limit.Freely) // searches make more garbage, and there is room for it
	}
	if c.Output != "" {
		// Better now than at the end. The file keeps its content until the report is written.
		if err := file.Try(c.Output, file.Named); err != nil {
			return err
		}
	}
	p := &proving{deciding: deciding{s: s, certs: newCertificates(c.Certificates), diags: diags, brief: true}, cmd: c}
	if c.Format == "text" || c.Output != "" {
		p.table = s.newTable()
		p.table.Times, p.table.Brief, p.table.Merge = c.Times, true, true
	}
	if c.Format == "text" && c.Output != "" {
		p.table.W, p.table.Color, p.table.Width = &p.text, term.Palette{}, 0
	}
	p.ifAbandoned(items, opt.Decide.Engine, p.object)
	rep := p.decide(items, opt)
	if err := p.programs(rep); err != nil {
		return err
	}
	return p.status(rep)
}

// proving is a run of prove.
type proving struct {
	deciding
	cmd  *proveCmd
	text bytes.Buffer // the table, if it goes into a file
}

// programs writes the reports in formats for programs.
func (p *proving) programs(rep *suite.Report) error {
	out := &p.text
	if p.cmd.Format != "text" {
		if err := p.format(out, p.cmd.Format, rep); err != nil {
			return err
		}
	}
	if p.cmd.Output == "" {
		p.s.out.Write(out.Bytes())
	} else if err := file.Write(p.cmd.Output, plain.Text(out.Bytes()), file.Named); err != nil {
		return err
	}
	return errors.Join(p.reports(rep), p.stepSummary(rep))
}

// stepSummary appends a summary to the page of a run on GitHub Actions, if the environment names a
// file for it.
func (p *proving) stepSummary(rep *suite.Report) error {
	path := os.Getenv("GITHUB_STEP_SUMMARY")
	if p.cmd.Format != "github" || path == "" {
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
