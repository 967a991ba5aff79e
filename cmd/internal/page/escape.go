package page

import (
	"regexp"
	"strings"
)

// special are the characters that mean something within a line of Markdown.
var special = regexp.MustCompile("[\\\\`*_\\[\\]<>|&~#]")

// marker begins a list, a heading or a rule at the beginning of a line.
var marker = regexp.MustCompile(`(?m)^(\s*)([-+=]|\d+[.)])`)

// code is a stretch in backquotes, which the document uses for what is written in the language.
var code = regexp.MustCompile("`[^`\n]+`")

// barred escapes the bars that nothing escapes, as in code: in a table they would begin a cell
// there, too.
func barred(text string) string {
	var out strings.Builder
	for i := range len(text) {
		if text[i] == '|' && (i == 0 || text[i-1] != '\\') {
			out.WriteByte('\\')
		}
		out.WriteByte(text[i])
	}
	return out.String()
}

// escape makes text mean itself in Markdown.
func escape(text string) string {
	text = special.ReplaceAllString(text, `\$0`)
	return marker.ReplaceAllStringFunc(text, func(m string) string {
		return m[:len(m)-1] + `\` + m[len(m)-1:]
	})
}

// spans sets a text whose stretches in backquotes are code.
func spans(text string, plain, set func(string) string) string {
	var out strings.Builder
	at := 0
	for _, span := range code.FindAllStringIndex(text, -1) {
		out.WriteString(plain(text[at:span[0]]) + set(text[span[0]:span[1]]))
		at = span[1]
	}
	return out.String() + plain(text[at:])
}

// prose is escape, but for code, which stays as it is.
func prose(text string) string {
	return spans(text, escape, func(span string) string { return span })
}

// cell is prose in a table.
func cell(text string) string { return strings.ReplaceAll(prose(text), "\n", " ") }

// codeSpan sets text as code in a line.
func codeSpan(text string) string { return "`" + strings.ReplaceAll(text, "`", "'") + "`" }

// fenced is a code block. Its fence is longer than any in the text.
func fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + strings.TrimRight(text, "\n") + "\n" + fence + "\n"
}

// begun is where a line begins that is not empty.
var begun = regexp.MustCompile(`(?m)^.`)

// indented puts two spaces before each line that is not empty.
func indented(text string) string { return begun.ReplaceAllString(text, "  $0") }
