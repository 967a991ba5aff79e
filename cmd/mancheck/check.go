package main

import (
	"github.com/mancheck/mancheck/cmd/mancheck/internal/report"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules/resolve"
)

type checkCmd struct {
	Files        []string `arg:"" name:"file" help:"Rules files; - is standard input."`
	Claim        []string `sep:"none" placeholder:"NAME" help:"Decide this claim only. May be repeated."`
	Brief        bool     `help:"Show evidence only for verdicts that are not as expected."`
	Certificates string   `placeholder:"DIR" help:"Write a certificate of each verdict that has one into this folder; certify checks them again."`
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
	files, diags := s.claims(c.Files, c.Claim, c.Param)
	if err := diags.Err(); err != nil {
		return err
	}
	s.warn(diags)
	run := checking{s: s, opt: c.options(s), certs: newCertificates(c.Certificates), diags: diags}
	run.opt.Certify = c.Certificates != ""
	c.apply(&run.opt)
	run.text = report.Text{W: s.out, Color: s.color, Sources: s.reader.Sources, Brief: c.Brief}
	for _, f := range files {
		run.file(f)
	}
	return run.finish()
}

// checking is a check under way.
type checking struct {
	s       *session
	opt     proofs.Options
	text    report.Text
	results []*proofs.Result
	certs   *certificates
	failed  int       // instances that could not be decided
	diags   diag.List // warnings, and what failed
}

func (c *checking) file(f fileClaims) {
	if len(f.instances) == 0 {
		return
	}
	if !c.s.json {
		c.text.Heading(f.path, f.instances)
	}
	for _, inst := range f.instances {
		c.instance(f, inst)
		if !c.s.json {
			c.s.out.Flush()
		}
	}
}

func (c *checking) instance(f fileClaims, inst *resolve.Instance) {
	r, err := c.s.decide(inst, c.opt)
	if err != nil {
		c.failed++
		if !c.s.json {
			c.text.Failed(inst)
		}
		c.complain(err)
		return
	}
	c.results = append(c.results, r)
	var readers *report.Text
	if !c.s.json {
		readers = &c.text
		c.text.Result(r)
	}
	if err := c.certs.certify(r, f.program, readers); err != nil {
		c.complain(err)
	}
}

// complain tells of a failure, which with JSON stands at the end.
func (c *checking) complain(err error) {
	c.diags = append(c.diags, diagnostics(err)...)
	if !c.s.json {
		c.s.complain(err)
	}
}

// finish writes what stands at the end, and chooses the exit status.
func (c *checking) finish() error {
	c.s.concluding.Store(true)
	if c.s.json {
		c.s.object(report.JSON(c.results, c.certs.written, c.diags, c.s.reader.Sources))
	} else {
		c.text.Summary(c.results, c.failed)
		c.s.out.WriteString(c.certs.summary())
	}
	if c.failed+c.certs.lost > 0 {
		return status(exitFailed)
	}
	return statusError(proofs.ExitCode(c.results))
}
