package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/mancheck/mancheck/internal/lists"
)

// secondHeading is a heading of Markdown.
var secondHeading = regexp.MustCompile(`(?m)^##`)

// markdown is docs/cli.md: all commands, what their options mean, and the topics.
func (m *documents) markdown() []byte {
	var b strings.Builder
	b.WriteString("# The command line\n\n" + strings.TrimSpace(m.Text("intro")) + "\n\n")
	all := m.commands()
	for _, g := range grouped(all, func(c documented) *kong.Group { return c.Group }) {
		fmt.Fprintf(&b, "**%s**\n\n| | |\n|---|---|\n", g.title)
		for _, c := range g.of {
			fmt.Fprintf(&b, "| [`%s`](#%s) | %s |\n", c.Name, c.Name, c.Help)
		}
		b.WriteString("\n")
	}
	shared := m.shared(all)
	for _, c := range all {
		fmt.Fprintf(&b, "## %s\n\n%s\n\n", c.Name, c.Help)
		for _, n := range parts(c.Node) {
			fmt.Fprintf(&b, "    mancheck %s\n", n.Summary())
		}
		fmt.Fprintf(&b, "\n%s\n\n", c.brief)
		for _, n := range parts(c.Node) {
			if n != c.Node {
				fmt.Fprintf(&b, "`%s`: %s\n\n", n.Path(), n.Help)
			}
			table(&b, lists.Filter(options(n), func(f *kong.Flag) bool { return f.Group == nil }))
		}
		if also := also(c.Node); len(also) > 0 {
			fmt.Fprintf(&b, "Also: %s.\n\n", strings.Join(also, ",\n"))
		}
		if c.more != "" {
			b.WriteString(secondHeading.ReplaceAllString(c.more, "###") + "\n\n")
		}
	}
	b.WriteString("## Options of many commands\n\n")
	for _, g := range shared {
		fmt.Fprintf(&b, "### %s\n\n", g.title)
		table(&b, g.of)
	}
	for _, t := range m.topics() {
		fmt.Fprintf(&b, "## %s\n\n%s\n\n", t.title, secondHeading.ReplaceAllString(t.text, "###"))
	}
	return []byte(strings.TrimSpace(b.String()) + "\n")
}

// parts are the forms of a command: its subcommands, or itself if it has none.
func parts(n *kong.Node) []*kong.Node {
	if len(n.Children) > 0 {
		return n.Children
	}
	return []*kong.Node{n}
}

// also links to the groups of options that a command has.
func also(n *kong.Node) []string {
	var list []string
	for _, f := range lists.Flat(parts(n), options) {
		if f.Group != nil {
			title := strings.TrimSuffix(f.Group.Title, ":")
			anchor := strings.ReplaceAll(strings.ToLower(title), " ", "-")
			list = append(list, fmt.Sprintf("[%s](#%s)", strings.ToLower(title[:1])+title[1:], anchor))
		}
	}
	return lists.Distinct(list)
}

// shared are the options that commands have in groups, each once.
func (m *documents) shared(all []documented) []group[*kong.Flag] {
	var list []*kong.Flag
	seen := map[string]bool{}
	nodes := lists.Flat(all, func(c documented) []*kong.Node { return parts(c.Node) })
	for _, f := range append(lists.Flat(nodes, options), m.grammar.Flags...) {
		if f.Group != nil && !seen[f.Group.Key+" "+f.Name] {
			seen[f.Group.Key+" "+f.Name] = true
			list = append(list, f)
		}
	}
	return grouped(list, func(f *kong.Flag) *kong.Group { return f.Group })
}

// table lists options.
func table(b *strings.Builder, list []*kong.Flag) {
	if len(list) == 0 {
		return
	}
	b.WriteString("| | |\n|---|---|\n")
	for _, f := range list {
		names, value := spelled(f)
		if value != "" {
			names += " " + value
		}
		fmt.Fprintf(b, "| `%s` | %s |\n", strings.ReplaceAll(names, "|", `\|`), strings.ReplaceAll(f.Help, "|", `\|`))
	}
	b.WriteString("\n")
}
