package page

import (
	"bytes"
	_ "embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"unicode/utf8"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/proofs/explain"
	"github.com/mancheck/mancheck/rules/board"
)

//go:embed page.md.tmpl
var markdownText string

// Markdown writes a document as Markdown: boards in code blocks, trees as nested lists.
func Markdown(doc *explain.Document) []byte {
	t := template.New("page")
	funcs := template.FuncMap{
		"md": escape, "prose": func(text any) string { return prose(fmt.Sprint(text)) }, "cell": cell, "code": codeSpan, "fence": fenced, "indent": indented,
		"row": row, "cells": func(a, b []string) string { return row(append(anys(a), anys(b)...)...) }, "rule": rule, "list": list,
		"outcome": outcome, "play": playView, "pair": pairView, "stepText": stepText, "besides": besides, "draw": draw,
		"stateTitle": stateTitle, "nodeTitle": nodeTitle, "writtenOut": writtenOut, "texts": texts, "used": used, "sourceText": sourceText,
		// render carries out the template with this name, of which the result is text for another
		// function.
		"render": func(name string, data any) (string, error) {
			var out strings.Builder
			err := t.ExecuteTemplate(&out, name, data)
			return out.String(), err
		},
	}
	maps.Copy(funcs, words)
	template.Must(t.Funcs(funcs).Parse(markdownText))
	var out bytes.Buffer
	if err := t.Execute(&out, doc); err != nil {
		panic(err) // the template is the program's own, and a document has no methods that fail
	}
	return out.Bytes()
}

func list(items ...string) []string { return items }

func anys(list []string) []any {
	return lists.Map(list, func(text string) any { return text })
}

// row is a row of a table.
func row(cells ...any) string {
	return "| " + strings.Join(lists.Map(cells, func(c any) string { return barred(fmt.Sprint(c)) }), " | ") + " |\n"
}

// rule is the row below the head of a table with one column more than there are names, and one for
// each of more.
func rule(names []string, more ...string) string {
	return row(anys(strings.Fields(strings.Repeat("--- ", len(names)+len(more)+1)))...)
}

func texts(cells []explain.Cell) []string {
	return lists.Map(cells, func(c explain.Cell) string { return c.Text })
}

func outcome(inst *explain.Instance) string {
	return strings.TrimSuffix(inst.Status.String()+": "+inst.Found, ": ")
}

// maxInstances is how many instances of a sweep are written out. Of more the first one stands for
// all that are as expected; what was found of each is in the table.
const maxInstances = 4

type written struct {
	Instances []*explain.Instance
	Left      int
}

func writtenOut(all []*explain.Instance) (w written) {
	for i, inst := range all {
		if i > 0 && len(all) > maxInstances && inst.AsExpected {
			w.Left++
			continue
		}
		w.Instances = append(w.Instances, inst)
	}
	return w
}

// stepText is a state of a play in characters, under the move that leads to it.
func stepText(s *step) string {
	if s == nil {
		return ""
	}
	title := s.Title
	if s.Move != "" {
		title = strings.TrimRight(fmt.Sprintf("%d. %s  %s", s.No, s.Move, s.Label), " ")
	}
	if s.Loop {
		title += "  (the play comes back to here)"
	}
	return title + "\n\n" + draw(s.Board) + s.Ending
}

// besides puts the states of two plays next to each other; above the first ones stands which play
// is which.
func besides(p pairs, row twoSteps) string {
	a, b := stepText(row.Sides[0]), stepText(row.Sides[1])
	if row.No == 0 {
		a, b = p.Left.Title+"\n\n"+a, p.Right.Title+"\n\n"+b
	}
	left, right := strings.Split(strings.TrimRight(a, "\n"), "\n"), strings.Split(strings.TrimRight(b, "\n"), "\n")
	width := slices.Max(lists.Map(left, utf8.RuneCountInString))
	var text strings.Builder
	for i := range max(len(left), len(right)) {
		l, r := lineOf(left, i), lineOf(right, i)
		text.WriteString(strings.TrimRight(l+strings.Repeat(" ", width-utf8.RuneCountInString(l)+4)+r, " ") + "\n")
	}
	return text.String()
}

func lineOf(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

// draw draws a board in characters, with `_` where anything may lie.
func draw(b *explain.Board) string {
	s := b.State.Clone()
	if v, ok := b.System.PitVar(); ok {
		s.Vars[v] = b.Marked()
	}
	text := board.Rows(b.System, s, board.Options{Before: b.Before, Open: b.Open})
	if status := b.Status(); status != "" {
		text += status + "\n"
	}
	return text
}

func stateTitle(s explain.Shown) string {
	if s.Text == "" {
		return prose(s.Name)
	}
	return strings.TrimPrefix(prose(s.Name)+": "+cell(s.Text), ": ")
}

// nodeTitle is the number of a state, its names, and the move to the state above.
func nodeTitle(n *explain.Node) string {
	var items []string
	if n.No > 0 {
		items = append(items, fmt.Sprintf("**No. %d**", n.No))
	}
	if len(n.Names) > 0 {
		items = append(items, "**"+escape(strings.Join(n.Names, ", "))+"**")
	}
	if n.Target != "" {
		items = append(items, "the "+n.Target)
	}
	if len(n.Moves) > 0 {
		items = append(items, escape(strings.TrimSuffix(strings.Join(n.Moves, " or ")+" → "+n.To, " → ")))
	}
	if n.Same > 0 {
		items = append(items, fmt.Sprintf("the same state as No. %d", n.Same))
	}
	return strings.Join(items, " · ")
}

func used(is bool) string {
	if is {
		return "yes"
	}
	return ""
}

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
