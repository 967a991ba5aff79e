package main

import (
	"embed"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

//go:embed completion
var completions embed.FS

// Run writes the completion script. The scripts ask the program what may stand on a command line.
func (c *completionCmd) Run(s *session) error {
	script, err := completions.ReadFile("completion/" + c.Shell)
	if err != nil {
		return err
	}
	_, err = s.out.Write(script)
	return err
}
