package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules/build"
)

// Table writes a run for people: a line for each claim, in columns that fit the width, with its
// evidence below.
type Table struct {
	W       io.Writer
	Color   term.Palette
	Sources map[string][]byte // to quote what claims list
	Width   int               // of lines; 0: nothing is cut
	Times   bool
	Brief   bool                      // show evidence only for verdicts that are not as expected
	Verbose bool                      // say how verdicts were found, too
	Merge   bool                      // put the instances of a sweep on one line if all are as expected
	Remarks map[*proofs.Result]string // further lines below a verdict
	columns map[string]columns        // by file
	sweeps  map[*build.Claim]int      // instances of each claim
	file    string                    // whose heading was written last
	noted   map[string]bool           // remarks already written for an earlier verdict on the file
	group   []*suite.Item             // instances of one claim that wait for the last one
}

// columns has the widths of the columns for one file. The last one is for what was found. Columns
// that are left out have width 0.
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
	foundWidth  = 24 // what is kept free for the last column
	gap         = 2
)

// indent comes before whatever belongs to a verdict.
const indent = "      "

// Begin computes the columns for the items of a run. It must be called before Item.
func (t *Table) Begin(items []*suite.Item) {
	t.columns, t.sweeps = map[string]columns{}, map[*build.Claim]int{}
	names := map[string]int{} // widest name without label
	groups := map[*build.Claim][]*suite.Item{}
	for _, i := range items {
		i := new(*i)
		i.Result = nil // the columns do not depend on what the cache had before the run
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

// widen makes the columns wide enough for an entry.
func (t *Table) widen(file string, v entry) {
	c := t.columns[file]
	for n, cell := range []string{v.title(), v.Expect, v.Scope} {
		c[n] = max(c[n], utf8.RuneCountInString(cell))
	}
	if c[engineColumn] = engineWidth; t.Times {
		c[timeColumn] = timeWidth
	}
	t.columns[file] = c
}

// narrow makes columns narrower until what was found has room: labels go first, then the
// expectation, which the mark and the verdict imply, then part of the scope, whole columns, and
// finally part of the names. name is the width of the names without labels.
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

// Item writes an item, or keeps it until all instances of its sweep can be written together.
// Skipped items appear only in the total.
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

// alike reports whether the items can share a line: all are as expected, and all or none are
// vacuous.
func alike(group []*suite.Item) bool {
	return !slices.ContainsFunc(group, func(i *suite.Item) bool {
		return i.Outcome() != suite.AsExpected || i.Result.OfNothing() != group[0].Result.OfNothing()
	})
}

// item writes an item on a line of its own, with its evidence.
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
		t.faint(v.Scope)
		t.faint(v.Found)
	}
	t.evidence(v)
	t.faint(t.Remarks[r])
}

// faint writes a less important line below a verdict. An empty text writes nothing.
func (t *Table) faint(text string) {
	if text != "" {
		fmt.Fprintln(t.W, indent+t.Color.Paint(term.Faint, text))
	}
}

// line writes the line for an entry, after a heading if the file is a new one. It reports whether
// something was left out for lack of room.
func (t *Table) line(file string, v entry) (cut bool) {
	if file != t.file || t.noted == nil {
		fmt.Fprintln(t.W, t.Color.Paint(term.Bold, file))
		t.file, t.noted = file, map[string]bool{}
	}
	c := t.columns[file]
	title, time := v.title(), ""
	if t.Width > 0 && utf8.RuneCountInString(title) > c[nameColumn] {
		title = v.Name
	}
	if t.Times {
		time = term.Left(timeWidth, v.time())
	}
	line := ""
	for n, cell := range []string{title, v.Expect, v.Scope, v.Engine, time} {
		cut = cut || n != expectColumn && utf8.RuneCountInString(cell) > c[n]
		if c[n] > 0 {
			line += term.Fit(c[n], cell) + strings.Repeat(" ", gap)
		}
	}
	what := v.Found
	if t.Width > 0 {
		what = strings.TrimRight(term.Fit(c[foundColumn], what), " ")
	}
	line = strings.TrimRight(line+t.Color.Paint(term.Faint, what), " ")
	fmt.Fprintf(t.W, "  %s %s\n", t.Color.Paint(v.color, v.Mark+" "+term.Pad(8, v.word())), line)
	return cut || what != v.Found
}

// All writes the table of a run.
func (t *Table) All(rep *suite.Report) {
	t.Begin(rep.Items)
	for _, i := range rep.Items {
		t.Item(i)
	}
	t.Total(rep)
}

// Tally is the line with the number of items with each outcome.
func (t *Table) Tally(rep *suite.Report) string {
	text, color := tally(rep)
	return t.Color.Paint(color, text)
}

// Total writes the number of items with each outcome.
func (t *Table) Total(rep *suite.Report) {
	fmt.Fprintln(t.W, t.Tally(rep))
	for _, name := range rep.LeftOut() {
		fmt.Fprintln(t.W, t.Color.Paint(term.Faint, "left out: "+name+" takes long; --long decides it"))
	}
	for _, text := range trusted(rep) {
		fmt.Fprintln(t.W, t.Color.Paint(term.Faint, text))
	}
}
