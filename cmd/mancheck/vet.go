package main

import (
	"errors"

	"github.com/mancheck/mancheck/cmd/mancheck/internal/input"
	"github.com/mancheck/mancheck/cmd/mancheck/internal/report"
	"github.com/mancheck/mancheck/cmd/mancheck/internal/vet"
	"github.com/mancheck/mancheck/dsl/diag"
)

type vetCmd struct {
	Files []string `arg:"" name:"file" help:"Rules files; - is standard input."`
	formatFlag
}

// Run looks at each file.
func (c *vetCmd) Run(s *session) error {
	var diags diag.List
	for _, path := range c.Files {
		found, err := s.vet(path)
		if err != nil {
			return err
		}
		diags = append(diags, found...)
	}
	if s.ctx.Err() != nil && unresolved(diags) {
		return diags // which is no fault of the files
	}
	diags.Sort()
	if s.json {
		s.object(diag.JSON(diags))
	} else {
		diag.Text(s.out, diags, s.reader.Sources, s.color.On)
	}
	switch {
	case diags.HasErrors():
		return status(exitFailed)
	case len(diags) > 0:
		return status(exitUnexpected)
	}
	return nil
}

// vet finds the faults of one file. An error is one of the tool.
func (s *session) vet(path string) (diag.List, error) {
	f, diags := s.reader.File(path)
	if diags.HasErrors() {
		return diags, nil
	}
	_, more := claimItems(f, nil, nil)
	diags = append(append(diags, more...), vet.Unused(f.Root, f.Program.Files)...)
	for _, v := range f.Unit.Variants {
		found, err := s.vetVariant(f, v.Name.Name)
		if err != nil {
			return nil, err
		}
		diags = append(diags, found...)
	}
	return diags, nil
}

func (s *session) vetVariant(f *input.File, name string) (diag.List, error) {
	f.Unit.Remarks = &diag.List{}
	sys, diags := f.System(name, nil)
	remarks := *f.Unit.Remarks
	f.Unit.Remarks = nil
	if diags.HasErrors() || sys.File != f.Path {
		return diags, nil
	}
	diags = append(diags, remarks...)
	found, why, err := vet.Idle(s.ctx, sys)
	if why != "" {
		s.note("%s %s: moves that no play meets are not reported: %s", sys.Name, report.Params(sys), why)
	}
	var fault diag.Diagnostic
	if err = explain(sys, err); errors.As(err, &fault) {
		return append(diags, fault), nil
	}
	return append(diags, found...), err
}
