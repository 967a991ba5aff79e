package main

import (
	"fmt"
	"slices"

	"github.com/mancheck/mancheck/cmd/mancheck/internal/term"
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
		writeExitCodes(s)
		return nil
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

func writeExitCodes(s *session) {
	t := term.Table{}
	t.Row("0", "every claim as expected; nothing to complain of")
	t.Row("1", "a claim not as expected; a certificate rejected; fmt -l, fmt -d or vet found something; trace found no play")
	t.Row("2", "the input or the tool failed: mistakes in a file, an unknown name, an illegal move, a wrong option, an unreadable certificate, evidence that was rejected")
	t.Row("3", "inconclusive: a limit was hit, an interrupt came, or no engine could tell; with --strict also what is unchecked or vacuous")
	fmt.Fprintln(s.out, "Exit status of mancheck:")
	t.Write(s.out, "  ")
	fmt.Fprintln(s.out, "If several apply to check, prove or certify, 2 goes before 1, and 1 before 3.")
}
