package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/spell"
)

type helpCmd struct {
	Topic string `arg:"" optional:"" help:"A command, a code of a diagnostic such as R008, codes for a list of them, or exit-codes."`
}

// Topics of help that are not commands.
const (
	exitCodes = "exit-codes"
	codes     = "codes"
)

// Run writes the text for the topic: a command, a code of a diagnostic, or one of the topics above.
func (c *helpCmd) Run(s *session) error {
	switch c.Topic {
	case "":
		return s.command([]string{"--help"})
	case exitCodes:
		text, err := helpTexts.ReadFile("help/" + exitCodes + ".txt")
		_, _ = s.out.Write(text) // finish reports an error of the stream
		return err
	}
	if c.Topic == codes {
		for _, e := range diag.Explanations() {
			fmt.Fprintf(s.out, "%s  %s\n", e.Code, e.Title)
		}
		return nil
	}
	if e, ok := diag.Explain(diag.Code(strings.ToUpper(c.Topic))); ok {
		_, _ = s.out.Write([]byte(e.Paragraphs()))
		return nil
	}
	topics := topics()
	if slices.Contains(topics, c.Topic) {
		return s.command([]string{c.Topic, "--help"})
	}
	hint := ""
	if near := spell.Nearest(c.Topic, topics); near != "" {
		hint = fmt.Sprintf("; did you mean %q?", near)
	}
	return usageError{fmt.Errorf("there is no help on %q%s", c.Topic, hint)}
}

// topics lists what there is help on, except the codes of diagnostics.
func topics() []string {
	list := []string{exitCodes, codes}
	for _, c := range commands() {
		list = append(list, c.name)
	}
	return list
}
