package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Help says where the script goes.
func (*completionCmd) Help() string {
	return `Prints a script that completes commands, options and files.

Examples:

    source <(mancheck completion bash)
    mancheck completion zsh > "${fpath[1]}/_mancheck"
    mancheck completion fish > ~/.config/fish/completions/mancheck.fish`
}

// Run writes the script for the commands as they are.
func (c *completionCmd) Run(s *session) error {
	commands := s.parser().Model.Children
	switch c.Shell {
	case "bash":
		bash(s.out, commands)
	case "zsh":
		zsh(s.out, commands)
	default:
		fish(s.out, commands)
	}
	return nil
}

// options are the options of a command with their dashes.
func options(n *kong.Node) []string {
	var list []string
	for _, f := range n.Flags {
		list = append(list, "--"+f.Name)
		if f.Short != 0 {
			list = append(list, "-"+string(f.Short))
		}
	}
	return list
}

func commandNames(commands []*kong.Node) string {
	var names []string
	for _, n := range commands {
		names = append(names, n.Name)
	}
	return strings.Join(names, " ")
}

func bash(w io.Writer, commands []*kong.Node) {
	fmt.Fprintf(w, `_mancheck() {
  local word=${COMP_WORDS[COMP_CWORD]} words=
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=%q
  elif [[ $word == -* ]]; then
    case ${COMP_WORDS[1]} in
`, commandNames(commands))
	for _, n := range commands {
		fmt.Fprintf(w, "      %s) words=%q ;;\n", n.Name, strings.Join(options(n), " "))
	}
	fmt.Fprint(w, `    esac
  fi
  if [ -n "$words" ]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -o filenames -F _mancheck mancheck
`)
}

func zsh(w io.Writer, commands []*kong.Node) {
	fmt.Fprintf(w, `#compdef mancheck
_mancheck() {
  if (( CURRENT == 2 )); then
    compadd -- %s
    return
  fi
  if [[ $words[CURRENT] == -* ]]; then
    case $words[2] in
`, commandNames(commands))
	for _, n := range commands {
		fmt.Fprintf(w, "      %s) compadd -- %s ;;\n", n.Name, strings.Join(options(n), " "))
	}
	fmt.Fprint(w, `    esac
    return
  fi
  _files
}
compdef _mancheck mancheck
`)
}

func fish(w io.Writer, commands []*kong.Node) {
	for _, n := range commands {
		fmt.Fprintf(w, "complete -c mancheck -n __fish_use_subcommand -f -a %s -d %q\n", n.Name, n.Help)
		for _, f := range n.Flags {
			short := ""
			if f.Short != 0 {
				short = " -s " + string(f.Short)
			}
			fmt.Fprintf(w, "complete -c mancheck -n '__fish_seen_subcommand_from %s' -l %s%s -d %q\n", n.Name, f.Name, short, f.Help)
		}
	}
}
