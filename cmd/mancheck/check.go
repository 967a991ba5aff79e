package main

import (
	"github.com/mancheck/mancheck/cmd/mancheck/internal/report"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs"
)

type checkCmd struct {
	Files []string `arg:"" name:"file" help:"Rules files; - is standard input."`
	Claim []string `sep:"none" placeholder:"NAME" help:"Decide this claim only. May be repeated."`
	Brief bool     `help:"Show evidence only for verdicts that are not as expected."`
	decideFlags
	formatFlag
}

// Help explains the output and gives examples.
func (*checkCmd) Help() string {
	return `Every claim of the files is decided, in their order. Each line says the verdict (proved, refuted, bounded or unknown), the claim, what the verdict holds for, the engine and what it found; a play that is evidence is drawn below it. The mark is ✓ for a verdict that is as expected, ✗ for one that is not, and ? for one that is inconclusive.

The exit status is 0 if every verdict is as expected, 1 if one is not, 2 if the input or the tool failed, and 3 if a verdict is inconclusive.

Examples:

    mancheck check examples/dose2015.sow
    mancheck check examples/dose2015.sow --claim thesis -p stones=48
    mancheck check examples/*.sow --brief --max-states 1000000
    mancheck check - --format json < game.sow`
}

// Run decides the claims.
func (c *checkCmd) Run(s *session) error {
	files, diags := s.claims(c.Files, c.Claim, c.Param)
	if err := diags.Err(); err != nil {
		return err
	}
	s.warn(diags)
	run := checking{s: s, opt: c.options(s), diags: diags}
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
	failed  int       // instances that could not be decided
	diags   diag.List // warnings, and why those could not be decided
}

func (c *checking) file(f fileClaims) {
	if len(f.instances) == 0 {
		return
	}
	if !c.s.json {
		c.text.Heading(f.path, f.instances)
	}
	for _, inst := range f.instances {
		r, err := c.s.decide(inst, c.opt)
		if err != nil {
			c.failed++
			c.diags = append(c.diags, diagnostics(err)...)
		} else {
			c.results = append(c.results, r)
		}
		if c.s.json {
			continue
		}
		if err != nil {
			c.text.Failed(inst)
			c.s.complain(err)
		} else {
			c.text.Result(r)
		}
		c.s.out.Flush()
	}
}

// finish writes what stands at the end, and chooses the exit status.
func (c *checking) finish() error {
	if c.s.json {
		c.s.object(report.JSON(c.results, c.diags, c.s.reader.Sources))
	} else {
		c.text.Summary(c.results, c.failed)
	}
	if c.failed > 0 {
		return status(exitFailed)
	}
	return statusError(proofs.ExitCode(c.results))
}
