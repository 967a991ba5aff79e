package main

import (
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/vet"
	"github.com/mancheck/mancheck/dsl/diag"
)

type vetCmd struct {
	Files       []string `arg:"" name:"file" help:"Rules files; - is standard input."`
	Thorough    bool     `help:"Also play and search: find moves and outcomes that occur in no play, and laps that go on from an empty pit. A variant is searched for at most ten seconds."`
	budgetFlags `group:"limits"`
	formatFlag
}

// Run checks each file without deciding its claims.
func (c *vetCmd) Run(s *session) error {
	var diags diag.List
	var open []string
	for _, path := range c.Files {
		f, wrong := s.reader.File(path)
		if wrong.Outside().HasErrors() {
			diags = append(diags, wrong...)
			continue
		}
		found, err := vet.All(s.ctx, f, wrong, c.Thorough)
		if err != nil {
			return err
		}
		diags, open = append(diags, found.Diags...), append(open, found.Open...)
	}
	if s.ctx.Err() != nil && unresolved(diags) {
		return diags // the interruption, not the files, is to blame
	}
	diags.Sort()
	s.result(diag.JSON(diags), func() {
		writeFew(s.out, diags, s.reader.Sources, s.color.On)
		if len(diags) > 0 && diags[0].Code != "" {
			fmt.Fprintf(s.out, "\n`mancheck help %s` explains the code, with an example.\n", diags[0].Code)
		}
	})
	if len(open) > 0 {
		s.note("too large to search, also with small parameters, so that moves and outcomes that occur in no play are not reported: %s", strings.Join(open, ", "))
	}
	switch {
	case diags.HasErrors():
		return status(exitFailed)
	case len(diags) > 0:
		return status(exitUnexpected)
	}
	return nil
}
