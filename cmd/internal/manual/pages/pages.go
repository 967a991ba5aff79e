// Package pages makes documents about the command line of the grammar and the texts of package
// manual. Tests keep docs/cli.md with it, and releases have its pages for man.
//
//	markdown.go docs/cli.md
//	man.go      pages for man
package pages

import (
	"strings"

	"github.com/alecthomas/kong"

	"github.com/mancheck/mancheck/cmd/internal/manual"
	"github.com/mancheck/mancheck/internal/lists"
)

// Manual has the commands and the texts about them.
type Manual struct {
	manual.Manual
	Grammar *kong.Application
}

// command is what there is to say about a command.
type command struct {
	*kong.Node
	brief string // what --help says
	more  string // further sections
}

func (m *Manual) commands() []command {
	var list []command
	for _, n := range m.Grammar.Children {
		if n.Hidden {
			continue
		}
		text := m.Text(n.Name)
		brief, more, _ := strings.Cut(text, "\n## ")
		if more != "" {
			more = "## " + more
		}
		list = append(list, command{n, strings.TrimSpace(brief), strings.TrimSpace(more)})
	}
	return list
}

// topic is a text about more than one command.
type topic struct{ name, title, text string }

func (m *Manual) topics() []topic {
	return lists.Map(m.Topics, func(name string) topic {
		title, text := m.About(name)
		return topic{name, title, text}
	})
}

// group is some commands or options under a title.
type group[T any] struct {
	title string
	of    []T
}

// grouped sorts by group, in the order of first appearance. What has none comes first.
func grouped[T any](list []T, of func(T) *kong.Group) []group[T] {
	groups := []group[T]{{}}
	at := map[string]int{"": 0}
	for _, one := range list {
		title := ""
		if g := of(one); g != nil {
			title = strings.TrimSuffix(g.Title, ":")
		}
		n, known := at[title]
		if !known {
			n = len(groups)
			at[title], groups = n, append(groups, group[T]{title: title})
		}
		groups[n].of = append(groups[n].of, one)
	}
	if len(groups[0].of) == 0 {
		return groups[1:]
	}
	return groups
}

// options returns the options of a command itself, without those of all commands.
func options(n *kong.Node) []*kong.Flag {
	return lists.Filter(n.Flags, func(f *kong.Flag) bool { return !f.Hidden && f.Name != "help" })
}

// spelled is an option as it is written, with what stands for its value.
func spelled(f *kong.Flag) (names, value string) {
	names = "--" + f.Name
	if f.Short != 0 {
		names = "-" + string(f.Short) + ", " + names
	}
	if f.IsBool() || f.IsCounter() {
		return names, ""
	}
	if f.PlaceHolder == "" && f.Enum != "" {
		return names, strings.ReplaceAll(strings.Trim(f.Enum, ","), ",", "|")
	}
	return names, strings.Trim(f.FormatPlaceHolder(), `"`)
}
