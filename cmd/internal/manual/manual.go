// Package manual makes the documents about the command line. All have one source: the grammar of
// the command line, and a text for each command and for some topics, which are Markdown.
//
//	grammar, texts ─┬─▶ --help, help TOPIC     text.go
//	                ├─▶ docs/cli.md            markdown.go
//	                └─▶ pages for man          man.go
package manual

import (
	"embed"
	"path"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/mancheck/mancheck/internal/lists"
)

// Manual has the commands and the texts about them.
type Manual struct {
	Grammar *kong.Application
	Texts   embed.FS // help/NAME.md for each command, and help/topics/NAME.md
	Topics  []string // their names, in order
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
		text := m.text(n.Name)
		brief, more, _ := strings.Cut(text, "\n## ")
		if more != "" {
			more = "## " + more
		}
		list = append(list, command{n, strings.TrimSpace(brief), strings.TrimSpace(more)})
	}
	return list
}

// text returns a text, or an empty string if there is none of this name.
func (m *Manual) text(name string) string {
	text, _ := m.Texts.ReadFile(path.Join("help", name+".md"))
	return string(text)
}

// topic is a text about more than one command.
type topic struct{ name, title, text string }

func (m *Manual) topics() []topic {
	var list []topic
	for _, name := range m.Topics {
		head, text, _ := strings.Cut(m.text(path.Join("topics", name)), "\n")
		list = append(list, topic{name, strings.TrimPrefix(head, "# "), strings.TrimSpace(text)})
	}
	return list
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
