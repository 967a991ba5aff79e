package main

import (
	"path/filepath"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/gameprops"
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/output"
	"github.com/mancheck/mancheck/dsl/diag"
)

type importCmd struct {
	File  string `arg:"" name:"properties" help:"Game properties of MancalaGames, as GameProps/Wari.txt; - is standard input."`
	Out   string `name:"output" short:"o" placeholder:"PATH" help:"Write the rules to this file instead of to standard output."`
	Force bool   `help:"Replace the file if it exists."`
}

// Run writes the rules of the game.
func (c *importCmd) Run(s *session) error {
	text, err := s.reader.Open(c.File)
	if err != nil {
		return unreadable(c.File, err)
	}
	rules, err := gameprops.Rules(text, strings.Trim(strings.TrimSuffix(filepath.Base(c.File), filepath.Ext(c.File)), input.Stdin))
	if err != nil {
		return diag.Errorf(diag.Unfit, diag.Range{File: c.File}, "%v", err)
	}
	return output.File{Path: c.Out, Force: c.Force}.Write(s.out, rules)
}
