package main

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/dsl/spell"
)

type helpCmd struct {
	Topic string `arg:"" optional:"" help:"A command, or exit-codes."`
}

// exitCodes is the topic that is no command.
const exitCodes = "exit-codes"

// Run explains the topic.
func (c *helpCmd) Run(s *session) error {
	switch c.Topic {
	case "":
		return s.command([]string{"--help"})
	case exitCodes:
		text, err := helpTexts.ReadFile("help/" + exitCodes + ".txt")
		_, _ = s.out.Write(text) // the session sees the error at the end
		return err
	}
	topics := []string{exitCodes}
	for _, n := range s.parser().Model.Children {
		topics = append(topics, n.Name)
	}
	if slices.Contains(topics, c.Topic) {
		return s.command([]string{c.Topic, "--help"})
	}
	hint := "mancheck help lists the commands"
	if near := spell.Nearest(c.Topic, topics); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return usageError{fmt.Errorf("there is no help on %q; %s", c.Topic, hint)}
}
