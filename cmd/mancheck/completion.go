package main

import (
	"embed"
	"strings"
	"text/template"

	"github.com/alecthomas/kong"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

//go:embed completion
var completions embed.FS

// Run writes the script for the commands as they are.
func (c *completionCmd) Run(s *session) error {
	script := template.New(c.Shell + ".tmpl").Funcs(template.FuncMap{"options": options})
	return template.Must(script.ParseFS(completions, "completion/*")).Execute(s.out, s.parser().Model.Children)
}

// options are the options of a command with their dashes.
func options(n *kong.Node) string {
	var list []string
	for _, f := range n.Flags {
		list = append(list, "--"+f.Name)
		if f.Short != 0 {
			list = append(list, "-"+string(f.Short))
		}
	}
	return strings.Join(list, " ")
}
