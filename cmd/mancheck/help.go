package main

import (
	"fmt"

	"github.com/mancheck/mancheck/cmd/mancheck/internal/term"
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
	return s.command([]string{c.Topic, "--help"})
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
