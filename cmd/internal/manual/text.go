package manual

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mancheck/mancheck/internal/lists"
)

// link is a link of Markdown.
var link = regexp.MustCompile(`\[([^\]]+)\]\(([^)\s]+)\)`)

// Plain makes Markdown easy to read in a terminal: of links there remain their words, and the
// documents that they lead to.
func Plain(text string) string {
	return link.ReplaceAllStringFunc(text, func(l string) string {
		m := link.FindStringSubmatch(l)
		words, to := m[1], m[2]
		page, _, _ := strings.Cut(to, "#")
		switch {
		case page == "" || strings.Contains(page, ":"):
			return words
		case strings.Trim(words, "`") == page:
			return "docs/" + page
		}
		return words + " (docs/" + page + ")"
	})
}

// wide is how long the lines of a topic are at most.
const wide = 100

// tabled lays the tables of Markdown out for a terminal: the first column, and the others beside it
// in lines of their own.
func tabled(text string) string {
	var out []string
	var rows [][2]string
	flush := func() {
		first := 0
		for _, r := range rows {
			first = max(first, utf8.RuneCountInString(r[0]))
		}
		if first > wide/3 {
			first = 4
		}
		for _, r := range rows {
			lines := wrapped(r[1], wide-first-4)
			head := "  " + r[0]
			if pad := first - utf8.RuneCountInString(r[0]); pad >= 0 {
				head += strings.Repeat(" ", pad) + "  " + lines[0]
				lines = lines[1:]
			}
			out = append(out, strings.TrimRight(head, " "))
			out = append(out, lists.Map(lines, func(line string) string { return strings.Repeat(" ", first+4) + line })...)
		}
		rows = nil
	}
	for line := range strings.SplitSeq(Headless(text), "\n") {
		if cells := Cells(line); cells != nil {
			rows = append(rows, [2]string{cells[0], strings.Join(cells[1:], ". ")})
			continue
		}
		flush()
		out = append(out, line)
	}
	flush()
	return strings.Join(out, "\n")
}

// Headless takes the heads of tables away.
func Headless(text string) string { return head.ReplaceAllString(text, "") }

// head is the head of a table, with the line below it.
var head = regexp.MustCompile(`(?m)^\|.*\|\n\|[-:| ]+\|\n`)

// Cells are the cells of a line of a table; nil for another line.
func Cells(line string) []string {
	if !strings.HasPrefix(line, "|") {
		return nil
	}
	cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), " | ")
	for i, c := range cells {
		cells[i] = strings.TrimSpace(strings.ReplaceAll(c, `\|`, "|"))
	}
	return cells
}

// wrapped breaks a text between words. There is one line at least.
func wrapped(text string, width int) []string {
	lines := []string{""}
	for w := range strings.FieldsSeq(text) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = w
		case utf8.RuneCountInString(*last)+1+utf8.RuneCountInString(w) <= width:
			*last += " " + w
		default:
			lines = append(lines, w)
		}
	}
	return lines
}

// Brief is what --help says about a command.
func (m *Manual) Brief(name string) string {
	brief, _, _ := strings.Cut(m.Text(name), "\n## ")
	return Plain(brief)
}

// Topic is the text about a topic for a terminal, or an empty string if there is none of this name.
func (m *Manual) Topic(name string) string {
	if !slices.Contains(m.Topics, name) {
		return ""
	}
	title, text := m.About(name)
	return title + "\n\n" + tabled(Plain(text)) + "\n"
}
