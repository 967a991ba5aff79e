package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/format"
	"github.com/mancheck/mancheck/internal/file"
)

type fmtCmd struct {
	Files []string `arg:"" optional:"" name:"file" help:"Rules files; without any, standard input."`
	List  bool     `short:"l" help:"List the files that would change."`
	Diff  bool     `short:"d" help:"Show what would change."`
	Write bool     `short:"w" help:"Write the result back to the file."`

	budgetFlags `group:"limits"`
}

// Run lays out each file. A mistake in one does not stop the others.
func (c *fmtCmd) Run(s *session) error {
	files := c.Files
	if len(files) == 0 {
		files = []string{input.Stdin}
	}
	if c.Write && slices.Contains(files, input.Stdin) {
		return usageError{errors.New("fmt -w: standard input cannot be rewritten")}
	}
	var diags diag.List
	changed := false
	for _, path := range files {
		differs, err := c.file(s, path)
		if err != nil {
			diags = append(diags, diagnostics(err)...)
		}
		changed = changed || differs
	}
	switch {
	case len(diags) > 0:
		return diags
	case changed && (c.List || c.Diff) && !c.Write:
		return status(exitUnexpected)
	}
	return nil
}

// file lays out one file, and reports whether its layout differs from the canonical one.
func (c *fmtCmd) file(s *session, path string) (differs bool, err error) {
	src, err := s.reader.Open(path)
	if err != nil {
		return false, unreadable(path, err)
	}
	s.reader.Sources[path] = src
	out, err := format.Source(&ast.File{Path: path, Source: src})
	if err != nil {
		return false, err
	}
	differs = !bytes.Equal(src, out)
	if c.List && differs {
		fmt.Fprintln(s.out, path)
	}
	if c.Diff && differs {
		s.out.Write(diff.Diff(path+".orig", src, path, out))
	}
	if c.Write && differs {
		return differs, file.Write(path, out, file.Named)
	}
	if !c.List && !c.Diff && !c.Write {
		s.out.Write(out)
	}
	return differs, nil
}
