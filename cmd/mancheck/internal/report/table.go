package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/mancheck/mancheck/cmd/mancheck/internal/term"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules/resolve"
)

// Table writes a run for people: a line for each claim with its evidence below, in columns that fit
// the width.
type Table struct {
	W       io.Writer
	Color   term.Palette
	Sources map[string][]byte // to quote what a claim lists
	Width   int               // of lines; 0: nothing is cut
	Times   bool
	Brief   bool                      // evidence only for verdicts that are not as expected
	Merge   bool                      // the instances of a sweep share a line if all are as expected
	Remarks map[*proofs.Result]string // what else stands below a verdict
	columns map[string]columns        // by file
	sweeps  map[*resolve.Claim]int    // instances of each claim
	file    string                    // whose heading was written last
	noted   map[string]bool           // notes that stand already under an earlier verdict on the file
	group   []*suite.Item             // instances of one claim that wait for the others
}

// columns are the widths of a file's columns, what was found last. Those that are left out have
// none.
type columns [6]int

const (
	nameColumn = iota
	expectColumn
	scopeColumn
	engineColumn
	timeColumn
	foundColumn
)

const (
	leadWidth   = 13 // the mark and the verdict, with the spaces around them
	engineWidth = 9
	timeWidth   = 9
	foundWidth  = 24 // what is kept free for what was found
	gap         = 2
)

// indent stands before what belongs to a verdict.
const indent = "      "

// Begin sets the columns for the items of a run.
func (t *Table) Begin(items []*suite.Item) {
	t.columns, t.sweeps = map[string]columns{}, map[*resolve.Claim]int{}
	names := map[string]int{} // widest name without label
	groups := map[*resolve.Claim][]*suite.Item{}
	for _, i := range items {
		t.widen(i.File, entryOf(i))
		names[i.File] = max(names[i.File], utf8.RuneCountInString(i.Name()))
		if inst := i.Instance; inst != nil {
			t.sweeps[inst.Claim]++
			groups[inst.Claim] = append(groups[inst.Claim], i)
		}
	}
	for claim, group := range groups {
		if t.Merge && t.sweeps[claim] > 1 {
			t.widen(group[0].File, sweepEntry(group))
		}
	}
	for file, c := range t.columns {
		if t.Width > 0 {
			c.narrow(t.Width-leadWidth, names[file])
		}
		t.columns[file] = c
	}
}

// widen makes room for a view.
func (t *Table) widen(file string, v entry) {
	c := t.columns[file]
	for n, cell := range []string{v.title(), v.expect, v.scope} {
		c[n] = max(c[n], utf8.RuneCountInString(cell))
	}
	if c[engineColumn] = engineWidth; t.Times {
		c[timeColumn] = timeWidth
	}
	t.columns[file] = c
}

// narrow takes from the columns what there is no room for: labels first; then the expectation,
// which the mark and the verdict tell as well; then part of the scope, and whole columns; and part
// of the names in the end.
func (c *columns) narrow(width, name int) {
	left := func() int {
		n := width
		for _, w := range c[:foundColumn] {
			if w > 0 {
				n -= w + gap
			}
		}
		return n
	}
	for _, step := range []struct{ column, least int }{
		{nameColumn, name}, {expectColumn, 0}, {scopeColumn, 16}, {engineColumn, 0}, {scopeColumn, 0}, {nameColumn, 16}, {nameColumn, 4},
	} {
		missing, w := foundWidth-left(), &c[step.column]
		switch {
		case missing <= 0 || *w <= step.least:
		case step.least == 0:
			*w = 0
		default:
			*w = max(step.least, *w-missing)
		}
	}
	c[foundColumn] = max(0, left())
}

// Item writes an item, or keeps it until it can be written together with the others of its sweep.
// Of claims that were left out only the total tells.
func (t *Table) Item(i *suite.Item) {
	if t.Merge && i.Instance != nil && t.sweeps[i.Instance.Claim] > 1 {
		if t.group = append(t.group, i); len(t.group) < t.sweeps[i.Instance.Claim] {
			return
		}
		group := t.group
		t.group = nil
		if alike(group) {
			t.line(i.File, sweepEntry(group))
			return
		}
		for _, i := range group {
			t.item(i)
		}
		return
	}
	t.item(i)
}

// alike reports whether nothing is to be said of one of the items that is not said of all.
func alike(group []*suite.Item) bool {
	for _, i := range group {
		if i.Outcome() != suite.AsExpected || i.Result.Vacuous != group[0].Result.Vacuous {
			return false
		}
	}
	return true
}

// item writes an item in a line of its own, with its evidence.
func (t *Table) item(i *suite.Item) {
	if i.Skipped {
		return
	}
	v := entryOf(i)
	cut := t.line(i.File, v)
	r := i.Result
	if r == nil || t.Brief && r.AsExpected() {
		return
	}
	if !r.AsExpected() {
		fmt.Fprintf(t.W, "%sexpected: %s\n", indent, v.expected)
	}
	if cut {
		t.faint(v.scope)
		t.faint(v.found)
	}
	t.evidence(v)
	t.faint(t.Remarks[r])
}

// faint writes a line that is less important below a verdict.
func (t *Table) faint(text string) {
	if text != "" {
		fmt.Fprintln(t.W, indent+t.Color.Paint(term.Faint, text))
	}
}

// line writes the line of a view, below the heading of its file. It reports whether part of it had
// to be left out.
func (t *Table) line(file string, v entry) (cut bool) {
	if file != t.file || t.noted == nil {
		fmt.Fprintln(t.W, t.Color.Paint(term.Bold, file))
		t.file, t.noted = file, map[string]bool{}
	}
	c := t.columns[file]
	title, time := v.title(), ""
	if t.Width > 0 && utf8.RuneCountInString(title) > c[nameColumn] {
		title = v.name
	}
	if t.Times {
		time = term.Left(timeWidth, v.time())
	}
	line := ""
	for n, cell := range []string{title, v.expect, v.scope, v.engine, time} {
		cut = cut || n != expectColumn && utf8.RuneCountInString(cell) > c[n]
		if c[n] > 0 {
			line += term.Fit(c[n], cell) + strings.Repeat(" ", gap)
		}
	}
	what := v.found
	if t.Width > 0 {
		what = strings.TrimRight(term.Fit(c[foundColumn], what), " ")
	}
	line = strings.TrimRight(line+t.Color.Paint(term.Faint, what), " ")
	fmt.Fprintf(t.W, "  %s %s\n", t.Color.Paint(v.color, v.mark+" "+term.Pad(8, v.word())), line)
	return cut || what != v.found
}

// Total writes how many items have each outcome.
func (t *Table) Total(rep *suite.Report) {
	text, color := tally(rep)
	fmt.Fprintln(t.W, t.Color.Paint(color, text))
	for _, text := range trusted(rep) {
		fmt.Fprintln(t.W, t.Color.Paint(term.Faint, text))
	}
}
