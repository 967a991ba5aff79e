package main

import (
	"slices"

	"github.com/mancheck/mancheck/cmd/mancheck/internal/input"
	"github.com/mancheck/mancheck/cmd/mancheck/internal/report"
	"github.com/mancheck/mancheck/proofs/suite"
)

type checkCmd struct {
	Files []string `arg:"" name:"file" help:"Rules files; - is standard input."`
	Claim []string `sep:"none" placeholder:"NAME" help:"Decide this claim only. May be repeated."`
	Brief bool     `help:"Show evidence only for verdicts that are not as expected."`
	certificatesFlag
	checkFlags
	decideFlags
	formatFlag
}

// Help explains the output and gives examples.
func (*checkCmd) Help() string {
	return `Every claim of the files is decided, in their order. Each line says the verdict (proved, refuted, bounded or unknown), the claim, what the verdict holds for, the engine and what it found; a play that is evidence is drawn below it. The mark is ✓ for a verdict that is as expected, ✗ for one that is not, and ? for one that is inconclusive.

The exit status is 0 if every verdict is as expected, 1 if one is not, 2 if the input or the tool failed, and 3 if a verdict is inconclusive.

The engines: forward searches from the starts, and finds shortest plays. backward constructs what leads to the states that the claim speaks of; the set it closes may prove the claim for any number of seeds. bmc asks a solver for plays of at most --bound moves; without one the verdict is bounded, which is no proof. induction asks a solver whether the claim is an inductive invariant, over up to --bound moves. smt does what a solver can: induction, then a closed set, then plays. docs/engines.md says more.

Examples:

    mancheck check examples/dose2015.sow
    mancheck check examples/dose2015.sow --claim thesis -p stones=48
    mancheck check examples/*.sow --brief --max-states 1000000
    mancheck check examples/dose2015.sow --claim thesis --engine bmc --bound 8 --solver cvc5
    mancheck check examples/*.sow --certificates proved
    mancheck check - --format json < game.sow`
}

// Run decides the claims.
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
	opt := suite.Options{Decide: c.options()}
	c.apply(&opt.Decide)
	rep := d.decide(items, opt)
	if s.json {
		s.object(report.Document{Certificates: d.certs.written, Diagnostics: d.diags, Sources: s.reader.Sources, Traces: true}.JSON(rep))
	}
	return d.status(rep)
}
