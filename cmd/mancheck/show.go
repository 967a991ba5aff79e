package main

import (
	"fmt"

	"github.com/mancheck/mancheck/cmd/mancheck/internal/input"
	"github.com/mancheck/mancheck/cmd/mancheck/internal/report"
	"github.com/mancheck/mancheck/rules/board"
)

type showCmd struct {
	File string `arg:"" help:"Rules file; - is standard input."`
	gameFlags
	budgetFlags
	formatFlag
}

// Run shows the board.
func (c *showCmd) Run(s *session) error {
	given, diags := input.Settings(c.Param)
	if err := diags.Err(); err != nil {
		return err
	}
	f, diags := s.reader.File(c.File)
	if err := diags.Err(); err != nil {
		return err
	}
	sys, more := f.Whole(c.Variant, given)
	diags = append(diags, more...)
	if err := diags.Err(); err != nil {
		return err
	}
	s.warn(diags)
	text := board.Show(sys)
	if s.json {
		s.object(report.Object{{Name: "schema", Value: report.Schema}, {Name: "variant", Value: sys.Name}, {Name: "board", Value: text}})
	} else {
		fmt.Fprint(s.out, text)
	}
	return nil
}
