package diag

import (
	_ "embed" // the explanations
	"strings"
	"sync"

	"github.com/mancheck/mancheck/internal/lists"
)

// Explanation says what the diagnostics of a code are about. Wrong is a file that has just such a
// diagnostic, and Right the same file without the mistake. Both are empty for codes that do not
// come from the text of a file.
type Explanation struct {
	Code  Code
	Title string
	Text  string
	Wrong string
	Right string
}

// texts has a section for each code.
//
//go:embed codes.txt
var texts string

// Explanations are those of all codes, in the order of the text.
var Explanations = sync.OnceValue(func() []Explanation {
	return lists.Map(strings.Split("\n"+texts, "\n## ")[1:], explanation)
})

// explanation reads a section.
func explanation(section string) Explanation {
	head, body, _ := strings.Cut(section, "\n")
	code, title, _ := strings.Cut(head, ": ")
	e := Explanation{Code: Code(code), Title: title}
	text, examples, _ := strings.Cut(body, "```")
	e.Text = strings.TrimSpace(text)
	e.Wrong, e.Right = example("```"+examples, "wrong"), example("```"+examples, "right")
	return e
}

// example is the block of a section with this mark.
func example(section, mark string) string {
	_, from, found := strings.Cut(section, "```sow "+mark+"\n")
	if !found {
		return ""
	}
	text, _, _ := strings.Cut(from, "```")
	return text
}

// Explain finds the explanation of a code.
func Explain(c Code) (Explanation, bool) {
	for _, e := range Explanations() {
		if e.Code == c {
			return e, true
		}
	}
	return Explanation{}, false
}

// Paragraphs writes the explanation for a terminal, with the examples indented.
func (e Explanation) Paragraphs() string {
	var b strings.Builder
	b.WriteString(string(e.Code) + ": " + e.Title + "\n\n" + e.Text + "\n")
	for _, x := range []struct{ head, text string }{{"This is a mistake:", e.Wrong}, {"This is not:", e.Right}} {
		if x.text == "" {
			continue
		}
		b.WriteString("\n" + x.head + "\n\n")
		for line := range strings.Lines(x.text) {
			b.WriteString("    " + line)
		}
	}
	return b.String()
}
