package main

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/manual"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/spell"
	"github.com/mancheck/mancheck/internal/lists"
)

type helpCmd struct {
	Topic string `arg:"" optional:"" help:"A command, a topic, a code of a diagnostic such as R008, or codes for a list of them."`
}

//go:embed help
var helpFiles embed.FS

// texts has the texts about commands and topics.
var texts = manual.Manual{Texts: helpFiles, Topics: []string{
	"using", "language", "options", "starts", "evidence", "limits", "exit-codes", "exports", "json",
}}

// codes is the topic that lists the codes of diagnostics.
const codes = "codes"

// Run writes the text for the topic, or the manual as a whole.
func (c *helpCmd) Run(s *session) error {
	if c.Topic == "" {
		return s.command([]string{"--help"})
	}
	if text := texts.Topic(c.Topic); text != "" {
		_, err := s.out.WriteString(text)
		return err
	}
	if c.Topic == codes {
		for _, e := range diag.Explanations() {
			fmt.Fprintf(s.out, "%s  %s\n", e.Code, e.Title)
		}
		return nil
	}
	if e, ok := diag.Explain(diag.Code(strings.ToUpper(c.Topic))); ok {
		_, err := s.out.WriteString(e.Paragraphs())
		return err
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
	return slices.Concat([]string{codes}, texts.Topics, lists.Map(commands(), func(c subcommand) string { return c.name }))
}
