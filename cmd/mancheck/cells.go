package main

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs/survey"
)

// cell is what is written of an answer.
type cell struct {
	Variant  string         `json:"variant"`
	Params   map[string]any `json:"params"`
	Question string         `json:"question"`
	Answer   any            `json:"answer,omitempty"` // nil if nothing can be asked
	Least    any            `json:"least,omitempty"`  // bounds of what is open; may be nil
	Most     any            `json:"most,omitempty"`
	Checked  any            `json:"checked,omitempty"` // of what is known
	Reason   string         `json:"reason,omitempty"`  // of what is open or empty

	names []string // of the variant, of each parameter with its value, of the question
}

// open is the answer of a cell that is not known.
const open = "open"

// newCell returns the cell of a question to a game; params are the names of its parameters.
func newCell(g *survey.Game, variant string, params []string, question string, a *survey.Answer) cell {
	c := cell{Variant: variant, Params: map[string]any{}, Question: question, names: []string{variant}}
	for _, p := range params {
		value := g.Given[p].String()
		c.Params[p], c.names = literal(value), append(c.names, p+"="+value)
	}
	c.names = append(c.names, question)
	list := diag.List(nil)
	switch {
	case a.Item == nil && errors.As(a.Err, &list):
		c.Reason = list[0].Message
	case a.Item == nil:
		c.Reason = a.Err.Error()
	case a.Known():
		c.Answer, c.Checked = literal(a.Is()), a.Checked()
	default:
		c.Answer, c.Reason = open, strings.ReplaceAll(a.Why(), "\n", " ")
		least, most := a.Bounds()
		if least != nil {
			c.Least = *least
		}
		if most != nil {
			c.Most = *most
		}
	}
	return c
}

// literal is the number or the truth value that a word stands for, or else the word.
func literal(word string) any {
	if n, err := strconv.ParseInt(word, 10, 64); err == nil {
		return n
	}
	if truth, err := strconv.ParseBool(word); err == nil {
		return truth
	}
	return word
}

// text is the cell in a table.
func (c cell) text() string {
	number := func(value any) string {
		if n, is := value.(int64); is {
			return numeral.Number(n)
		}
		return fmt.Sprint(value)
	}
	switch {
	case c.Answer == nil:
		return "-"
	case c.Least != nil && c.Most != nil:
		return number(c.Least) + ".." + number(c.Most)
	case c.Least != nil:
		return "≥" + number(c.Least)
	case c.Most != nil:
		return "≤" + number(c.Most)
	case c.Answer == open:
		return "?"
	case c.Checked == false:
		return number(c.Answer) + "*"
	}
	return number(c.Answer)
}

// swept is the cells of a sweep, by variants, then by the values of parameters, then by questions.
type swept []cell

// csv writes a line for each cell.
func (t swept) csv(out io.Writer, params []string) {
	text := func(value any) string { return fmt.Sprint(cmp.Or(value, any(""))) }
	w := csv.NewWriter(out)
	_ = w.Write(slices.Concat([]string{"variant"}, params, []string{"question", "answer", "least", "most", "checked", "reason"}))
	for _, c := range t {
		values := lists.Map(params, func(p string) string { return text(c.Params[p]) })
		_ = w.Write(slices.Concat([]string{c.Variant}, values, lists.Map([]any{c.Question, c.Answer, c.Least, c.Most, c.Checked, c.Reason}, text)))
	}
	w.Flush() // the session reports an error of the stream
}

// layout says by which of their names cells are the rows and the columns of tables: by those in
// which they differ, parameters first, or else by the question.
func (t swept) layout() (rows, columns int) {
	n := len(t[0].names)
	var several, single []int
	for i := range n {
		at := (i + 1) % n // the variant comes after the question
		if slices.ContainsFunc(t, func(c cell) bool { return c.names[at] != t[0].names[at] }) {
			several = append(several, at)
		} else {
			single = append([]int{at}, single...)
		}
	}
	if len(several) == 1 && several[0] != n-1 {
		several = append(several, n-1)
	}
	several = append(several, single...)
	return several[0], several[1]
}

// mostReasons is how many reasons are written below the tables.
const mostReasons = 20

// write writes tables for people. Below are the reasons of the cells that are open or empty.
func (t swept) write(s *session) {
	rows, columns := t.layout()
	heads, tables := []string{}, map[string]swept{}
	for _, c := range t {
		rest := slices.Clone(c.names)
		rest[rows], rest[columns] = "", ""
		name := strings.Join(strings.Fields(strings.Join(rest, " ")), " ")
		heads, tables[name] = append(heads, name), append(tables[name], c)
	}
	for _, name := range lists.Distinct(heads) {
		fmt.Fprintln(s.out, s.color.Paint(term.Bold, cmp.Or(name, "Answers")))
		tables[name].table(s, rows, columns)
	}
	whys := lists.Distinct(lists.Map(t, func(c cell) string { return c.Reason }))
	whys = lists.Filter(whys, func(why string) bool { return why != "" })
	for _, why := range whys[:min(len(whys), mostReasons)] {
		same, more := lists.Filter(t, func(c cell) bool { return c.Reason == why }), ""
		if len(same) > 1 {
			more = fmt.Sprintf(" and %d more", len(same)-1)
		}
		fmt.Fprintln(s.out, s.color.Paint(term.Open, same[0].text()+"  "+strings.Join(same[0].names, " ")+more+": "+why))
	}
	if left := len(whys) - mostReasons; left > 0 {
		fmt.Fprintf(s.out, "and %s, which --format csv has\n", numeral.Count(int64(left), "more reason"))
	}
	empty, unchecked := lists.Count(t, func(c cell) bool { return c.Answer == nil }), ""
	if slices.ContainsFunc(t, func(c cell) bool { return c.Checked == false }) {
		unchecked = "; *: no independent code has checked it"
	}
	fmt.Fprintf(s.out, "%s: %d known, %d open, %d empty%s\n", numeral.Count(int64(len(t)), "cell"), len(t)-t.open()-empty, t.open(), empty, unchecked)
}

// open is how many cells are open.
func (t swept) open() int { return lists.Count(t, func(c cell) bool { return c.Answer == open }) }

// table writes the cells in rows and columns, in parts of as many columns as there is room for.
func (t swept) table(s *session, rows, columns int) {
	texts, widest := map[string]map[string]string{}, 1
	for _, c := range t {
		row, column := c.names[rows], c.names[columns]
		if texts[row] == nil {
			texts[row] = map[string]string{}
		}
		texts[row][column] = c.text()
		widest = max(widest, len(row), len(column), len(c.text()))
	}
	names := func(i int) []string { return lists.Distinct(lists.Map(t, func(c cell) string { return c.names[i] })) }
	for part := range slices.Chunk(names(columns), max(1, (cmp.Or(s.width, 80)-2)/(widest+2)-1)) {
		out := term.Table{Right: append([]bool{false}, slices.Repeat([]bool{true}, len(part))...)}
		out.Row(append([]string{""}, part...)...)
		for _, row := range names(rows) {
			out.Row(append([]string{row}, lists.Map(part, func(column string) string { return texts[row][column] })...)...)
		}
		out.Write(s.out, "  ")
	}
}
