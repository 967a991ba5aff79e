package main

import (
	"fmt"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/output"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs/suite"
)

type traceCmd struct {
	File   string `arg:"" help:"Rules file; - is standard input."`
	Claim  string `required:"" placeholder:"NAME" help:"The claim."`
	Output string `short:"o" placeholder:"PATH" help:"Write the play to this file instead of to standard output."`
	Force  bool   `help:"Replace the file if it exists."`
	Format string `enum:",text,json,itf,sow" default:"" help:"json, the default: a trace that replay reads; text: drawn boards; itf: a trace for the tools of Apalache and Quint; sow: positions, for a file of rules."`
	decideFlags
}

// AfterApply makes the session report failures as JSON if the play goes to standard output as JSON.
func (c *traceCmd) AfterApply(s *session) error {
	s.json = c.Format == "json" && c.Output == ""
	return nil
}

// Run decides the claim and writes the play that is the evidence for the verdict.
func (c *traceCmd) Run(s *session) error {
	out := output.File{Path: c.Output, Force: c.Force}
	if err := out.Free(); err != nil {
		return err
	}
	items, diags, err := single(s, c.File, c.Claim, c.Param)
	if err != nil {
		return err
	}
	opt := suite.Options{}
	if opt.Decide, err = c.options(s); err != nil {
		return err
	}
	d := deciding{s: s, certs: newCertificates(""), diags: diags}
	i := d.decide(items, opt).Items[0]
	switch r := i.Result; {
	case i.Err != nil && s.json:
		return d.diags
	case i.Err != nil:
		return status(exitFailed)
	case r.Trace != nil:
		return out.Write(s.out, playText(r.Trace, c.Format))
	default:
		s.note("%s is %s, and no play is evidence for that: %s", i.Name(), r.Status, r.Sentence())
		if r.Inconclusive() {
			return status(exitInconclusive)
		}
		return status(exitUnexpected)
	}
}

// single returns the only instance of a claim.
func single(s *session, file, claim string, params []string) ([]*suite.Item, diag.List, error) {
	items, diags, err := s.items(input.Named(file), []string{claim}, params)
	switch {
	case err != nil:
		return nil, nil, err
	case diags.HasErrors():
		return nil, nil, diags
	case len(items) > 1:
		return nil, nil, several(items)
	}
	return items, diags, nil
}

// several returns the error for a claim with several instances, with options that select one.
func several(items []*suite.Item) error {
	claim, first := items[0].Instance.Claim, items[0].Instance
	help := "choose one with"
	for _, name := range first.Swept() {
		help += fmt.Sprintf(" -p %s=%s", name, first.Settings[name])
	}
	return diag.Errorf(diag.BadClause, claim.At, "claim `%s` is about %d choices of parameters", claim.Name, len(items)).WithHelp("%s", help)
}
