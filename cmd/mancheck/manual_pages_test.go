package main

import (
	"strings"

	"github.com/alecthomas/kong"

	"github.com/mancheck/mancheck/cmd/internal/manual"
	"github.com/mancheck/mancheck/internal/lists"
)

// documents makes documents about the command line of its grammar and of the texts of package
// manual: docs/cli.md (manual_markdown_test.go), and pages for man (manual_man_test.go). Nobody
// needs them of the program, so they are made by tests.
type documents struct {
	manual.Manual
	grammar *kong.Application
}

// documented is a command with what there is to say about it.
type documented struct {
	*kong.Node
	brief string // what --help says
	more  string // further sections
}

func (m *documents) commands() []documented {
	var list []documented
	for _, n := range m.grammar.Children {
		if n.Hidden {
			continue
		}
		text := m.Text(n.Name)
		brief, more, _ := strings.Cut(text, "\n## ")
		if more != "" {
			more = "## " + more
		}
		list = append(list, documented{n, strings.TrimSpace(brief), strings.TrimSpace(more)})
	}
	return list
}

// topic is a text about more than one command.
type topic struct{ name, title, text string }

func (m *documents) topics() []topic {
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
