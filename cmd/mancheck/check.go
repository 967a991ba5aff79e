package main

import "fmt"

type checkCmd struct {
	Paths    []string `arg:"" name:"path" help:"Rules files, and folders with rules files; - is standard input."`
	Coverage bool     `help:"Then also search the games of the claims, and write beside the rules in how many steps each statement is carried out, and each condition is true and false. A game is searched from the starts of its setup, up to --max-states (default 1,000,000)."`
	Plays    count    `placeholder:"N" default:"1" help:"Show up to N plays for each verdict that a play shows, which differ in the first move or in the rule of the last one."`
	suiteFlags
}

// Run decides the claims and shows the evidence.
func (c *checkCmd) Run(s *session) error {
	style := suiteStyle{command: "check", cache: "off", traces: true, strict: true, plays: int(c.Plays)}
	if c.Coverage {
		if c.Format != "text" && c.Format != "json" {
			return usageError{fmt.Errorf("--coverage is written as text or json, not as %s", c.Format)}
		}
		style.coverage = covered
	}
	return c.decide(s, c.Paths, style)
}
