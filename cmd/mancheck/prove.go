package main

import (
	"bytes"
	"errors"
	"io"
	"os"

	"github.com/mancheck/mancheck/cmd/mancheck/internal/input"
	"github.com/mancheck/mancheck/cmd/mancheck/internal/report"
	"github.com/mancheck/mancheck/cmd/mancheck/internal/term"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/plain"
	"github.com/mancheck/mancheck/proofs/suite"
)

type proveCmd struct {
	Paths        []string `arg:"" optional:"" name:"path" help:"Rules files, and folders that hold such; - is standard input. The default is the current folder."`
	Format       string   `enum:"text,json,junit,tap,sarif,github" default:"text" help:"text: a table for people. json, junit, tap, sarif, github (workflow commands): for programs."`
	Output       string   `short:"o" placeholder:"FILE" help:"Write what is for programs into this file, and the table to standard output."`
	Changed      bool     `help:"Only decide what the cache has no verdict on that is as expected."`
	Since        string   `placeholder:"REF" help:"Only decide what is different from this revision of the git repository."`
	Jobs         threads  `placeholder:"N" help:"Claims to decide at the same time; the default is one for each processor. Results do not depend on it."`
	Times        bool     `help:"Show in the table how long each decision took."`
	Certificates string   `placeholder:"DIR" help:"Write a certificate of each verdict that has one into this folder; certify checks them again."`
	cacheFlags
	reportFlags
	checkFlags
	decideFlags
}

// usualStates bounds each search of prove where nothing else is said: where no solver is installed, searches that a proof by induction makes
// needless would go on until the memory is full.
const usualStates = 5_000_000

// Help explains the table, the cache, and what CI needs.
func (*proveCmd) Help() string {
	return `Every claim of the files is decided, and of all rules files below the folders; hidden folders, and those named testdata, are left out. The table has a line for each claim: the verdict, the claim, whether it is expected to be refuted, what the verdict holds for, the engine and what it found. The mark is ✓ for a verdict that is as expected, ✗ for one that is not, ? for one that is inconclusive, and ! for one that is as expected but speaks of nothing. Claims that are left out are only counted. The instances of a sweep share a line if all are as expected. A verdict that is not as expected is followed by its evidence. Lines are as wide as the terminal; elsewhere as COLUMNS says, or 80.

Verdicts are kept in a cache, by what they depend on: the rules as they are played, the claim, the engine, and this build of the program. An edit of a comment changes none of these. What it holds is checked again before it is believed, like what an engine finds. What a limit or an interrupt left undecided is never kept. docs/cache.md says more.

A verdict is checked before anybody is told: by the checker of certificates, by replaying its play, or by playing all plays. One that cannot be checked has a star. Evidence that is rejected fails the run, and is written into a file mancheck-rejected-….zip.

--max-states, --max-memory and --solver-steps bound each decision by work that is the same on every machine. Unless --max-states says otherwise a search ends after 5,000,000 states.

The exit status is 0 if every verdict is as expected, 1 if one is not, 2 if the input or the tool failed, and 3 if a verdict is inconclusive.

Examples:

    mancheck prove
    mancheck prove examples proofs
    mancheck prove --changed
    mancheck prove --since main --cache off
    mancheck prove --cache readonly --format junit -o report.xml
    mancheck prove --report junit=report.xml --report sarif=report.sarif
    mancheck prove --format github --max-states 5_000_000 --solver-steps 10_000_000`
}

// AfterApply tells the session, so that failures are in the same format.
func (c *proveCmd) AfterApply(s *session) error {
	s.json = c.Format == "json" && c.Output == ""
	return nil
}

// Run decides the claims of all files.
func (c *proveCmd) Run(s *session) error {
	if c.Changed && c.Cache == "off" {
		return usageError{errors.New("--changed needs the cache, and --cache off does without")}
	}
	files, diags, err := c.files(s)
	if err != nil {
		return err
	}
	opt, err := c.suite(s, files)
	if err != nil {
		return err
	}
	if c.MaxStates == 0 {
		opt.Decide.MaxStates = usualStates
	}
	if err := c.writable(); err != nil {
		return err
	}
	run := &proving{s: s, cmd: c, certs: newCertificates(c.Certificates), diags: diags}
	if c.Format == "text" || c.Output != "" {
		run.begin(files)
	}
	opt.Done, opt.Watch = run.item, s.watch()
	rep := suite.Run(s.ctx, files, opt)
	return run.finish(rep)
}

// files reads what is to be decided. The faults of one file are reported, and leave the others.
func (c *proveCmd) files(s *session) ([]suite.File, diag.List, error) {
	found, err := input.Find(c.Paths)
	if err != nil {
		return nil, nil, err
	}
	given, diags := input.Settings(c.Param)
	if err := diags.Err(); err != nil {
		return nil, nil, err
	}
	var files []suite.File
	claims := 0
	for _, f := range found {
		file, more := s.suiteFile(f, given)
		files, diags = append(files, file), append(diags, more...)
		claims += len(file.Instances)
		if file.Fault != nil {
			claims++
		}
	}
	if s.ctx.Err() != nil && unresolved(diags) {
		return nil, nil, diags // which is no fault of the files
	}
	if claims == 0 {
		return nil, nil, errors.New("no claim is declared in any of the files")
	}
	if len(diags) > 0 && !s.json {
		diags.Sort()
		s.tell(diags)
	}
	return files, diags, nil
}

// proving is a run of prove under way. Its methods are called one at a time.
type proving struct {
	s     *session
	cmd   *proveCmd
	table *report.Table // nil if nobody reads one
	text  bytes.Buffer  // the table, if it goes into a file
	certs *certificates
	diags diag.List
}

func (p *proving) begin(files []suite.File) {
	out, color := io.Writer(p.s.out), p.s.color
	if p.cmd.Format == "text" && p.cmd.Output != "" {
		out, color = &p.text, term.Palette{}
	}
	p.table = &report.Table{Text: report.Text{W: out, Color: color, Sources: p.s.reader.Sources}, Width: p.s.width, Times: p.cmd.Times}
	p.table.Begin(files)
}

// item reports an item whose turn has come.
func (p *proving) item(i *suite.Item) {
	p.s.progress.Clear()
	if p.table != nil {
		p.table.Item(i)
	}
	switch {
	case i.Err != nil && i.Instance != nil: // what is wrong with files was told before
		i.Err = p.s.fault(i.Instance, i.Err)
		p.complain(i.Err)
	case i.Result != nil:
		var remarks *report.Text
		if p.table != nil && !i.Result.AsExpected() {
			remarks = &p.table.Text
		}
		if err := p.certs.certify(i.Result, i.Program, remarks); err != nil {
			p.complain(err)
		}
	}
	p.s.out.Flush()
}

func (p *proving) complain(err error) {
	p.diags = append(p.diags, diagnostics(err)...)
	if !p.s.json {
		p.s.complain(err)
	}
}

// finish writes what stands at the end, and chooses the exit status.
func (p *proving) finish(rep *suite.Report) error {
	p.s.concluding.Store(true)
	p.s.progress.Clear()
	if p.table != nil {
		p.table.Total(rep)
		io.WriteString(p.table.W, p.certs.summary())
	}
	if err := p.programs(rep); err != nil {
		return err
	}
	if p.certs.lost > 0 {
		return status(exitFailed)
	}
	return statusError(rep.ExitCode())
}

// programs writes what is for programs.
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

// writable fails if the file for the output cannot be written: it would be a pity if that came out in the end. What the file holds
// stays until there is something to put in its place.
func (c *proveCmd) writable() error {
	if c.Output == "" {
		return nil
	}
	return file.Try(c.Output, file.Named)
}

// stepSummary adds a summary to the page of a run on GitHub, where there is one.
func (p *proving) stepSummary(rep *suite.Report) error {
	path := os.Getenv("GITHUB_STEP_SUMMARY")
	if p.cmd.Format != "github" || path == "" {
		return nil
	}
	var text bytes.Buffer
	if err := report.GitHubSummary(&text, rep, p.s.reader.Sources); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(plain.Text(text.Bytes()))
	return errors.Join(err, f.Close())
}
