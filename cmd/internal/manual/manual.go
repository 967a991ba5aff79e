// Package manual has what --help and help TOPIC say: a text for each command and for some topics,
// which are Markdown, laid out for a terminal. Tests of the command make documents of them.
package manual

import (
	"embed"
	"path"
	"strings"
)

// Manual has the texts about commands and topics.
type Manual struct {
	Texts  embed.FS // help/NAME.md for each command, and help/topics/NAME.md
	Topics []string // their names, in order
}

// Text returns the text about a command, or an empty string if there is none of this name.
func (m *Manual) Text(name string) string {
	text, _ := m.Texts.ReadFile(path.Join("help", name+".md"))
	return string(text)
}

// About is the title and the text of a topic.
func (m *Manual) About(topic string) (title, text string) {
	head, text, _ := strings.Cut(m.Text(path.Join("topics", topic)), "\n")
	return strings.TrimPrefix(head, "# "), strings.TrimSpace(text)
}
