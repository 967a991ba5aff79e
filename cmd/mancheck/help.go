package main

import (
	"embed"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/manual"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/dsl/spell"
	"github.com/mancheck/mancheck/internal/file"
	"github.com/mancheck/mancheck/internal/lists"
)

type helpCmd struct {
	Topic  string `arg:"" optional:"" help:"A command, a topic, a code of a diagnostic such as R008, or codes for a list of them."`
	Format string `enum:"text,md,man" default:"text" help:"text: for a terminal. md: all commands and topics as Markdown, which is docs/cli.md. man: pages for man, into the folder of -o."`
	Output string `short:"o" placeholder:"DIR" help:"With --format man, the folder for the pages. It is made if there is none."`
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
	switch {
	case c.Format != "text" && c.Topic != "":
		return usageError{errors.New("--format md and man are about all topics")}
	case (c.Format == "man") != (c.Output != ""):
		return usageError{errors.New("--format man and -o DIR belong together")}
	case c.Format == "md":
		_, err := s.out.Write(s.manual().Markdown())
		return err
	case c.Format == "man":
		return c.pages(s)
	case c.Topic == "":
		return s.command([]string{"--help"})
	}
	return c.topic(s)
}

// manual is the manual with the grammar of all commands.
func (s *session) manual() *manual.Manual {
	m := texts
	m.Grammar = s.parser(func(string) bool { return true }).Model
	return &m
}

// pages writes the pages for man.
func (c *helpCmd) pages(s *session) error {
	if err := file.MkdirAll(c.Output, 0o777); err != nil {
		return err
	}
	for _, p := range s.manual().Pages(tool()) {
		if err := file.Write(filepath.Join(c.Output, p.Name), p.Text, file.Named); err != nil {
			return err
		}
	}
	return nil
}

func (c *helpCmd) topic(s *session) error {
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
