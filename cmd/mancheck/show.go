package main

import (
	"fmt"

	"github.com/mancheck/mancheck/cmd/mancheck/internal/input"
	"github.com/mancheck/mancheck/cmd/mancheck/internal/report"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/resolve"
)

type showCmd struct {
	File   string `arg:"" help:"Rules file; - is standard input."`
	Kernel bool   `help:"Show the resolved rules as canonical text instead: what is hashed and certified."`
	Claim  string `placeholder:"NAME" help:"With --kernel: the rules as this claim has them."`
	gameFlags
	budgetFlags
	formatFlag
}

// Validate rejects options that do not go together.
func (c *showCmd) Validate() error {
	switch {
	case c.Claim != "" && !c.Kernel:
		return fmt.Errorf("--claim needs --kernel: a board has no claims")
	case c.Claim != "" && c.Variant != "":
		return fmt.Errorf("--claim says which variant: it goes without --variant")
	}
	return nil
}

// Run writes the board or, with --kernel, the canonical text of the rules.
func (c *showCmd) Run(s *session) error {
	if c.Claim != "" {
		return c.claim(s)
	}
	given, diags := input.Settings(c.Param)
	if err := diags.Err(); err != nil {
		return err
	}
	f, diags := s.reader.File(c.File)
	if err := diags.Err(); err != nil {
		return err
	}
	system := f.Whole
	if c.Kernel {
		system = f.System
	}
	sys, more := system(c.Variant, given)
	diags = append(diags, more...)
	if err := diags.Err(); err != nil {
		return err
	}
	s.warn(diags)
	if c.Kernel {
		c.kernel(s, sys, nil)
		return nil
	}
	text := board.Show(sys)
	if s.json {
		s.object(report.Object{{Name: "schema", Value: report.Schema}, {Name: "variant", Value: sys.Name}, {Name: "board", Value: text}})
	} else {
		fmt.Fprint(s.out, text)
	}
	return nil
}

// claim writes the rules that a claim is about.
func (c *showCmd) claim(s *session) error {
	items, diags, err := s.items(input.Named(c.File), []string{c.Claim}, c.Param)
	switch {
	case err != nil:
		return err
	case diags.HasErrors():
		return diags
	case len(items) > 1:
		return several(items)
	}
	s.warn(diags)
	c.kernel(s, items[0].Instance.System, items[0].Instance)
	return nil
}

// kernel writes the canonical text, as it is hashed. JSON also has what the claim asserts.
func (c *showCmd) kernel(s *session, sys *rules.System, inst *resolve.Instance) {
	text := string(sys.Canonical())
	if !s.json {
		fmt.Fprint(s.out, text)
		return
	}
	out := report.Object{
		{Name: "schema", Value: report.Schema},
		{Name: "variant", Value: sys.Name},
		{Name: "system", Value: text},
		{Name: "systemHash", Value: sys.Hash()},
	}
	if inst != nil {
		out = append(out, report.Member{Name: "claim", Value: inst.Claim.Name})
		if asserts := inst.Asserts(); asserts != "" {
			out = append(out, report.Member{Name: "asserts", Value: asserts})
		}
	}
	s.object(out)
}
