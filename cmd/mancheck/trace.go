package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/mancheck/mancheck/cmd/mancheck/internal/output"
	"github.com/mancheck/mancheck/cmd/mancheck/internal/report"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/plain"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/resolve"
)

type traceCmd struct {
	File   string `arg:"" help:"Rules file; - is standard input."`
	Claim  string `required:"" placeholder:"NAME" help:"The claim."`
	Output string `short:"o" placeholder:"PATH" help:"Write the play to this file instead of to standard output."`
	Force  bool   `help:"Replace the file if it exists."`
	Format string `enum:"text,json" default:"json" help:"json: a trace that replay reads; text: drawn boards."`
	decideFlags
}

// Help explains when there is a play.
func (*traceCmd) Help() string {
	return `Decides one claim and writes the play that is the evidence: one that reaches what the claim calls reachable, or one that refutes it. A claim with a sweep needs -p to choose one of its values.

The exit status is 0 if there is a play, 1 if the verdict needs none, and 3 if it is inconclusive.

Examples:

    mancheck trace examples/dose2015.sow --claim hole_in_the_rules --format text
    mancheck trace examples/dose2015.sow --claim narrow_boards -p n=3 -o win.json
    mancheck replay examples/dose2015.sow win.json`
}

// AfterApply tells the session, so that failures are in the same format.
func (c *traceCmd) AfterApply(s *session) error {
	s.json = c.Format == "json"
	return nil
}

// Run decides the claim and writes its play.
func (c *traceCmd) Run(s *session) error {
	if err := output.Free(c.Output, c.Force); err != nil {
		return err
	}
	inst, err := c.instance(s)
	if err != nil {
		return err
	}
	r, err := s.decide(inst, c.options(s))
	if err != nil {
		return err
	}
	if r.Trace == nil {
		s.note("%s is %s, and no play is evidence for that: %s", r.Instance.Name(), r.Status, r.Reason)
		if r.Inconclusive() {
			return status(exitInconclusive)
		}
		return status(exitUnexpected)
	}
	return c.write(s, r)
}

func (c *traceCmd) instance(s *session) (*resolve.Instance, error) {
	files, diags := s.claims([]string{c.File}, []string{c.Claim}, c.Param)
	if err := diags.Err(); err != nil {
		return nil, err
	}
	s.warn(diags)
	list := files[0].instances
	if len(list) > 1 {
		return nil, several(list)
	}
	return list[0], nil
}

func several(list []*resolve.Instance) error {
	var diags diag.List
	claim, swept := list[0].Claim, list[0].Swept()
	help := "choose one with"
	for _, name := range swept {
		help += fmt.Sprintf(" -p %s=%s", name, list[0].Settings[name])
	}
	diags.Errorf(diag.BadClause, claim.At, "claim `%s` is about %d choices of parameters", claim.Name, len(list)).WithHelp("%s", help)
	return diags
}

func (c *traceCmd) write(s *session, r *proofs.Result) error {
	text := c.text(r.Trace)
	if c.Output == "" {
		s.out.Write(text)
		return nil
	}
	return output.File(c.Output, plain.Text(text), c.Force)
}

func (c *traceCmd) text(t *rules.Trace) []byte {
	if c.Format == "text" {
		return []byte(board.TraceText(t.System, t, board.Options{}))
	}
	var out bytes.Buffer
	if err := json.Indent(&out, report.Trace(t), "", "  "); err != nil {
		panic(err) // it was written a moment ago
	}
	out.WriteByte('\n')
	return plain.JSON(out.Bytes())
}
