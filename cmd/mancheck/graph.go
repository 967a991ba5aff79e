package main

import (
	"errors"

	"github.com/mancheck/mancheck/cmd/internal/export"
	"github.com/mancheck/mancheck/cmd/internal/fault"
	"github.com/mancheck/mancheck/cmd/internal/input"
	"github.com/mancheck/mancheck/cmd/internal/output"
)

type graphCmd struct {
	File      string   `arg:"" help:"Rules file; - is standard input."`
	Format    string   `enum:"dot,json" default:"dot" help:"dot, for Graphviz; or json."`
	Output    string   `short:"o" placeholder:"PATH" help:"Write the graph to this file instead of to standard output."`
	Force     bool     `help:"Replace the file if it exists."`
	MaxStates count    `default:"1000" placeholder:"N" help:"At most so many states, the nearest to the start; 1,000 by default. What is left out is said."`
	Depth     optional `default:"auto" placeholder:"D" help:"Only states that are at most so many moves away from the start."`
	positionFlags
	budgetFlags `group:"limits"`
}

// AfterApply makes the session report failures as JSON if the graph goes to standard output as
// JSON.
func (c *graphCmd) AfterApply(s *session) error {
	s.json = c.Format == "json" && c.Output == ""
	return nil
}

// Run collects the states and writes them.
func (c *graphCmd) Run(s *session) error {
	out := output.File{Path: c.Output, Force: c.Force}
	if err := out.Free(); err != nil {
		return err
	}
	if c.Board == "" && len(c.State) > 0 {
		return usageError{errors.New("--state goes with --board")}
	}
	in, from, err := starts(s, c.File, c.gameFlags, c.Board, c.State)
	if err != nil {
		return err
	}
	g, err := export.Reach(s.ctx, in, from, export.Bounds{States: int(c.MaxStates), Depth: int(c.Depth)})
	if err != nil {
		return fault.Explain(in.System(), err)
	}
	if len(g.States) == 0 {
		return input.NoStart(in.System())
	}
	if g.Cut != "" {
		s.note("the graph has not all states: %s", g.Cut)
	}
	switch {
	case c.Format == "dot":
		return out.Write(s.out, []byte(g.DOT()))
	case c.Output == "":
		s.object(g.JSON())
		return nil
	}
	return out.Write(s.out, objectText(versioned(g.JSON())))
}
