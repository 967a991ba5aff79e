package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/output"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/cert"
	"github.com/mancheck/mancheck/proofs/confirm"
	"github.com/mancheck/mancheck/proofs/coq"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules/build"
	"github.com/mancheck/mancheck/smt/encode"
	"github.com/mancheck/mancheck/smt/obligation"
	"github.com/mancheck/mancheck/smt/solver"
)

type certifyCmd struct {
	Files       []string `arg:"" name:"certificate" help:"Certificates, as check --certificates writes them; - is standard input."`
	Rules       string   `placeholder:"FILE" help:"Reject a certificate that is not about the claim of that name in this rules file."`
	Claim       string   `placeholder:"NAME" help:"Reject a certificate that is not about the claim of this name."`
	Param       []string `short:"p" sep:"none" placeholder:"NAME=VALUE" help:"With --rules, value of a parameter. May be repeated."`
	Solver      string   `placeholder:"z3|cvc5|CMD" help:"Also check with this solver: z3 (built in, or else the program), z3-process, cvc5, or the command line of any program that reads SMT-LIB 2 from standard input."`
	Emit        emission `placeholder:"smt2:DIR|coq:DIR" help:"Write the questions for a solver to this folder, as SMT-LIB 2 scripts, each of which must be unsat; or a theorem and its proof for Coq. May be written as two words: --emit coq DIR."`
	Force       bool     `help:"With --emit, replace files that exist and are different."`
	budgetFlags `group:"limits"`
	formatFlag
}

// emission is the value of --emit: the folder for files of a format.
type emission struct{ format, dir string }

// The formats of files.
const (
	smt2  = "smt2"
	inCoq = "coq"
)

// Decode reads smt2:DIR or coq:DIR, which may be two words without the colon.
func (e *emission) Decode(ctx *kong.DecodeContext) error {
	value, err := ctx.Scan.PopValue("value")
	if err != nil {
		return err
	}
	text := value.String()
	if (text == smt2 || text == inCoq) && value.Type == kong.UntypedToken && ctx.Scan.Len() > 0 {
		text += ":" + ctx.Scan.Pop().String()
	}
	format, dir, _ := strings.Cut(text, ":")
	if format != smt2 && format != inCoq || dir == "" {
		return fmt.Errorf("%q: write --emit smt2 DIR or --emit coq DIR", text)
	}
	*e = emission{format, dir}
	return nil
}

// Run checks the certificates one after another. A bad one does not stop the others.
func (c *certifyCmd) Run(s *session) error {
	run := certifying{s: s, cmd: c, theorems: map[string]string{}}
	for n, path := range c.Files {
		if s.ctx.Err() != nil {
			break
		}
		done := s.progress.Clock(fmt.Sprintf("%d/%d %s", n, len(c.Files), path))
		certify := run.file
		if isJob(path) {
			certify = run.job
		}
		if err := certify(path); err != nil { // of the input or of the tool
			if run.diags = append(run.diags, diagnostics(err)...); !s.json {
				s.complain(err)
			}
		}
		done()
	}
	return run.finish()
}

// certifying is a run of certify.
type certifying struct {
	s     *session
	cmd   *certifyCmd
	done  []report.Certified
	diags diag.List // failures of the input or the tool

	theorems map[string]string // certificates, by the names of their theorems
}

// file checks one certificate and, unless it is rejected, writes its questions for a solver, or its
// theorem, if that is asked for.
func (c *certifying) file(path string) error {
	ct, err := c.read(path)
	if err != nil {
		return err
	}
	out, err := c.check(path, ct)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	switch {
	case out.Status == report.Rejected:
	case c.cmd.Emit.format == smt2 && cert.Asks(ct.Evidence.Is):
		err = c.emit(path, ct, out)
	case c.cmd.Emit.format == inCoq:
		err = c.theorem(path, ct, out)
	}
	c.tell(out)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// job checks the job of a folder.
func (c *certifying) job(path string) error {
	out, err := certifyJob(c.s, path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	c.tell(out)
	return nil
}

// tell notes the result for one certificate, and writes it for people.
func (c *certifying) tell(out *report.Certified) {
	c.done = append(c.done, *out)
	if !c.s.json {
		c.s.progress.Clear()
		report.CertifiedText(c.s.out, c.s.color, *out)
		c.s.out.Flush()
	}
}

// read reads a certificate. A rules file in its place is a likely mistake with its own message.
func (c *certifying) read(path string) (*cert.Certificate, error) {
	r, err := c.s.reader.Stream(path)
	if err == nil {
		defer r.Close()
		var ct *cert.Certificate
		if ct, err = cert.Read(r); err == nil {
			return ct, nil
		}
		err = input.Reason(err)
	}
	var garbled *cert.Rejected
	switch {
	case errors.As(err, &garbled) && filepath.Ext(path) == ".sow":
		return nil, diag.Errorf(diag.Unreadable, diag.Range{File: path}, "this is no certificate: it is a rules file").
			WithHelp("`mancheck check FILE --certificates DIR` writes certificates, which certify checks")
	case errors.As(err, &garbled):
		return nil, diag.Errorf(diag.Unreadable, diag.Range{File: path}, "%s", garbled.Reason)
	}
	return nil, unreadable(path, err)
}

// bound fails with a *cert.Rejected unless a certificate is about the claim and the rules that the
// options name.
func (c *certifying) bound(ct *cert.Certificate) error {
	if c.cmd.Claim != "" && c.cmd.Claim != ct.Claim.Name {
		return &cert.Rejected{Reason: fmt.Sprintf("it is about the claim `%s`, and not `%s`", ct.Claim.Name, c.cmd.Claim)}
	}
	if c.cmd.Rules == "" {
		return nil
	}
	items, diags, err := c.s.items(input.Named(c.cmd.Rules), nil, c.cmd.Param)
	if err = cmp.Or(err, diags.Err()); err != nil {
		return err
	}
	return ct.Binds(lists.Map(items, func(i *suite.Item) *build.Instance { return i.Instance }))
}

// check determines whether a certificate shows its verdict. An error is a failure of the tool, not
// of the certificate.
func (c *certifying) check(path string, ct *cert.Certificate) (*report.Certified, error) {
	out, asks, spec := &report.Certified{File: path}, cert.Asks(ct.Evidence.Is), c.cmd.Solver
	if !asks {
		spec = ""
	}
	err := c.bound(ct)
	if err == nil {
		out.Report, err = confirm.Certify(c.s.ctx, ct, spec)
	}
	if err != nil {
		out.Status, out.Reason, err = standing(err, asks)
		return out, err
	}
	if !asks && (c.cmd.Solver != "" || c.cmd.Emit.format == smt2) {
		out.Report.Notes = append(out.Report.Notes, "evidence of this kind makes no questions for a solver: checked without one")
	}
	return out, nil
}

// standing interprets the error of a check: it returns whether the certificate is rejected or
// undecided, and why. asks means that a solver might decide it. Errors that say nothing about the
// certificate are returned as they are.
func standing(err error, asks bool) (report.Standing, string, error) {
	var rejected *cert.Rejected
	var needs *cert.NeedsSolver
	var missing *solver.NotInstalled
	var not *obligation.NotShownError
	switch {
	case limit.Ended(err):
		return report.Undecided, "interrupted", nil
	case errors.As(err, &needs) && !asks:
		return report.Undecided, needs.Reason, nil
	case errors.As(err, &needs):
		return report.Undecided, needs.Reason + ": --solver puts it to a solver", nil
	case errors.As(err, &missing):
		return report.Undecided, missing.Error() + ": " + missing.Help(), nil
	case errors.As(err, &not) && not.Answer.Status == solver.Unknown, errors.As(err, new(*encode.UnsupportedError)):
		return report.Undecided, err.Error(), nil
	case errors.As(err, &rejected):
		return report.Rejected, rejected.Reason, nil
	case not != nil:
		return report.Rejected, err.Error(), nil
	}
	return report.Undecided, "", err
}

// emit writes the questions of a certificate, each to a file of its own.
func (c *certifying) emit(path string, ct *cert.Certificate, out *report.Certified) error {
	dir := output.Dir{Path: c.cmd.Emit.dir, Prefix: output.Base(path, ".cert") + ".", Force: c.cmd.Force}
	err := confirm.EmitSMT2(c.s.ctx, ct, func(name string, text []byte) error {
		to, err := dir.Write(name, text)
		if err == nil {
			out.Scripts = append(out.Scripts, to)
		}
		return err
	})
	var none *cert.Rejected
	switch {
	case limit.Ended(err):
		return nil // finish reports the interruption
	case errors.As(err, &none):
		return errors.New(none.Reason)
	}
	return err
}

// theorem writes a theorem with its proof for Coq, with the theory that it rests on.
func (c *certifying) theorem(path string, ct *cert.Certificate, out *report.Certified) error {
	name := coq.Identifier(output.Base(path, ".cert"))
	text, err := coq.Theorem(c.s.ctx, ct)
	var none *coq.NoCounterpart
	var open *cert.NeedsSolver
	switch {
	case limit.Ended(err):
		return nil // finish reports the interruption
	case errors.As(err, &open):
		return noTheorem(path, open.Reason)
	case errors.As(err, &none):
		return noTheorem(path, none.Error())
	case err != nil:
		return err
	}
	dir := output.Dir{Path: c.cmd.Emit.dir, Force: c.cmd.Force}
	if first, taken := c.theorems[name]; taken {
		return fmt.Errorf("%s: its theorem would have the name of that of %s: `%s`", path, first, name)
	}
	c.theorems[name] = path
	to, err := dir.Write(name+".v", text)
	if err != nil {
		return err
	}
	out.Theorem = to
	return coq.EachNeeded(text, func(name string, text []byte) error {
		_, err := dir.Write(name, text)
		return err
	})
}

// noTheorem returns the error for a certificate that the theory in Coq has no theorem for.
func noTheorem(path, reason string) error {
	return diag.Errorf(diag.Unfit, diag.Range{File: path}, "there is no theorem in Coq for it: %s", reason)
}

// finish writes the summary and returns the exit status. A rejected certificate counts more than an
// undecided one, and a failure more than either.
func (c *certifying) finish() error {
	c.s.concluding.Store(true)
	c.s.result(report.CertifiedJSON(c.done, c.diags), func() { report.CertifiedSummary(c.s.out, c.s.color, c.done, len(c.cmd.Files)) })
	code := exitExpected
	for _, d := range c.done {
		switch {
		case d.Status == report.Rejected:
			code = exitUnexpected
		case d.Status == report.Undecided && code == exitExpected:
			code = exitInconclusive
		}
	}
	if len(c.diags) > 0 {
		code = exitFailed
	} else if code == exitExpected && c.s.ctx.Err() != nil {
		code = exitInconclusive
	}
	return statusError(code)
}
