package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/cpuguy83/go-md2man/v2/md2man"

	"github.com/mancheck/mancheck/cmd/internal/manual"
	"github.com/mancheck/mancheck/internal/lists"
)

// manPage is a page of the manual for man.
type manPage struct {
	Name string // of the file, as in mancheck-check.1
	Text []byte
}

// pages are the pages for man: one for the program, one for each command, and one for each topic,
// which are of section 7.
func (m *documents) pages(version string) []manPage {
	name := m.grammar.Name
	var list []manPage
	add := func(page string, section int, text string) {
		head := fmt.Sprintf("%% %q %q %q %q %q\n", strings.ToUpper(page), fmt.Sprint(section), "", version, "mancheck manual")
		list = append(list, manPage{fmt.Sprintf("%s.%d", page, section), md2man.Render([]byte(head + inLists(manual.Plain(text))))})
	}
	all := m.commands()
	add(name, 1, m.program(all))
	for _, c := range all {
		add(name+"-"+c.Name, 1, m.command(c))
	}
	for _, t := range m.topics() {
		add(name+"-"+t.name, 7, fmt.Sprintf("# NAME\n\n%s-%s - %s\n\n# DESCRIPTION\n\n%s\n", name, t.name, strings.ToLower(t.title), t.text))
	}
	return list
}

// program is the page for the program as a whole.
func (m *documents) program(all []documented) string {
	var b strings.Builder
	name := m.grammar.Name
	first, rest, _ := strings.Cut(m.grammar.Help, "\n")
	fmt.Fprintf(&b, "# NAME\n\n%s - %s\n\n# SYNOPSIS\n\n**%s** *COMMAND* [*OPTIONS*]\n\n# DESCRIPTION\n\n%s\n\n# COMMANDS\n\n", name, lower(first), name, strings.TrimSpace(rest))
	for _, g := range grouped(all, func(c documented) *kong.Group { return c.Group }) {
		fmt.Fprintf(&b, "## %s\n\n", g.title)
		for _, c := range g.of {
			fmt.Fprintf(&b, "**%s-%s**(1)\n:   %s\n\n", name, c.Name, c.Help)
		}
	}
	b.WriteString("# OPTIONS\n\n")
	definitions(&b, m.grammar.Flags)
	b.WriteString("# SEE ALSO\n\n")
	topics := lists.Map(m.topics(), func(t topic) string { return fmt.Sprintf("**%s-%s**(7)", name, t.name) })
	b.WriteString(strings.Join(topics, ", ") + "\n")
	return b.String()
}

// command is the page for a command.
func (m *documents) command(c documented) string {
	var b strings.Builder
	name := m.grammar.Name
	fmt.Fprintf(&b, "# NAME\n\n%s-%s - %s\n\n# SYNOPSIS\n\n", name, c.Name, lower(c.Help))
	for _, n := range parts(c.Node) {
		fmt.Fprintf(&b, "    %s %s\n", name, n.Summary())
	}
	fmt.Fprintf(&b, "\n# DESCRIPTION\n\n%s\n\n# OPTIONS\n\n", c.brief)
	for _, n := range parts(c.Node) {
		if n != c.Node {
			fmt.Fprintf(&b, "## %s\n\n%s\n\n", n.Path(), n.Help)
		}
		for _, g := range grouped(options(n), func(f *kong.Flag) *kong.Group { return f.Group }) {
			if g.title != "" {
				fmt.Fprintf(&b, "## %s\n\n", g.title)
			}
			definitions(&b, g.of)
		}
	}
	if c.more != "" {
		b.WriteString("# NOTES\n\n" + c.more + "\n\n")
	}
	fmt.Fprintf(&b, "# SEE ALSO\n\n**%s**(1), **%s-exit-codes**(7)\n", name, name)
	return b.String()
}

// definitions lists options with what they mean.
func definitions(b *strings.Builder, list []*kong.Flag) {
	for _, f := range list {
		names, value := spelled(f)
		term := "**" + names + "**"
		if value != "" {
			term += " *" + value + "*"
		}
		fmt.Fprintf(b, "%s\n:   %s\n\n", term, f.Help)
	}
}

// inLists makes lists of tables: those of man do not break lines in their cells.
func inLists(text string) string {
	var out []string
	for line := range strings.SplitSeq(manual.Headless(text), "\n") {
		if cells := manual.Cells(line); cells != nil {
			line = "\n" + cells[0] + "\n:   " + strings.Join(cells[1:], ". ")
		}
		out = append(out, line)
	}
	return strings.Join(out, "\n")
}

// lower begins a sentence in lower case, and ends it without a stop.
func lower(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + strings.TrimSuffix(s[1:], ".")
}
