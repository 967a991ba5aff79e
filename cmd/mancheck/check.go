package main

import (
	"slices"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/proofs/suite"
)

type checkCmd struct {
	Files []string `arg:"" name:"file" help:"Rules files; - is standard input."`
	Claim []string `sep:"none" placeholder:"NAME" help:"Decide this claim only. May be repeated."`
	Brief bool     `help:"Show evidence only for verdicts that are not as expected."`
	longFlag
	certificatesFlag
	checkFlags
	decideFlags
	formatFlag
}

// Run decides the claims and writes the verdicts. It fails only if no claim can be read.
func (c *checkCmd) Run(s *session) error {
	items, diags, err := s.items(input.Named(c.Files...), c.Claim, c.Param)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(items, func(i *suite.Item) bool { return i.Err == nil }) {
		return diags.Err()
	}
	d := deciding{s: s, certs: newCertificates(c.Certificates), diags: diags}
	if !s.json {
		d.table = s.newTable()
		d.table.Brief = c.Brief
	}
	opt := suite.Options{}
	if opt.Decide, err = c.options(s); err != nil {
		return err
	}
	c.apply(&opt.Decide)
	c.leaveOut(items, c.Claim)
	object := func(rep *suite.Report) any {
		return report.Document{Certificates: d.certs.written, Diagnostics: d.diags, Sources: s.reader.Sources, Traces: true}.JSON(rep)
	}
	d.ifAbandoned(items, opt.Decide.Engine, object)
	rep := d.decide(items, opt)
	if s.json {
		s.object(object(rep))
	}
	return d.status(rep)
}
