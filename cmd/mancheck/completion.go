package main

import (
	"embed"
	"slices"
	"strings"
	"text/template"

	"github.com/alecthomas/kong"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

//go:embed completion
var completions embed.FS

// Run writes the completion script for the commands that this program has.
func (c *completionCmd) Run(s *session) error {
	script := template.New(c.Shell + ".tmpl").Funcs(template.FuncMap{"options": options, "parts": parts, "choices": choices})
	all := func(string) bool { return true }
	return template.Must(script.ParseFS(completions, "completion/*")).Execute(s.out, s.parser(all).Model.Children)
}

// options returns the options of a command and of its subcommands, with their dashes.
func options(n *kong.Node) string {
	var list []string
	add := func(name string) {
		if !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	for _, n := range append([]*kong.Node{n}, n.Children...) {
		for _, f := range n.Flags {
			add("--" + f.Name)
			if f.Short != 0 {
				add("-" + string(f.Short))
			}
		}
	}
	return strings.Join(list, " ")
}

// parts returns the names of a command's subcommands.
func parts(n *kong.Node) string {
	var list []string
	for _, sub := range n.Children {
		list = append(list, sub.Name)
	}
	return strings.Join(list, " ")
}

// choice is what may follow a word of the command line.
type choice struct{ After, Words string }

// choices returns the values of the options of a command and of its subcommands that have a list of
// them, and of its argument if that has one.
func choices(n *kong.Node) []choice {
	var list []choice
	seen := map[string]bool{}
	for _, part := range append([]*kong.Node{n}, n.Children...) {
		for _, f := range part.Flags {
			if words := strings.TrimSpace(strings.ReplaceAll(f.Enum, ",", " ")); words != "" && !seen[f.Name] {
				seen[f.Name] = true
				list = append(list, choice{"--" + f.Name, words})
			}
		}
	}
	for _, arg := range n.Positional {
		switch {
		case n.Name == "help":
			list = append(list, choice{n.Name, strings.Join(topics(), " ")})
		case arg.Enum != "":
			list = append(list, choice{n.Name, strings.ReplaceAll(arg.Enum, ",", " ")})
		}
	}
	return list
}
