package report

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mancheck/mancheck/cmd/mancheck/internal/term"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules/resolve"
)

// Table writes a run for people: a line for each claim, in columns that fit the width. The instances of a sweep share a line if all of them are
// as expected; what is not is followed by its evidence.
type Table struct {
	Text
	Width  int
	Times  bool
	files  map[string]columns
	sweeps map[*resolve.Claim]int // instances of each claim
	file   string                 // whose heading was written last
	group  []*suite.Item          // instances of one claim that wait for the others
}

// columns are the widths of a file's columns; those that are left out have none.
type columns struct {
	name, expect, scope, engine, detail int
	brief                               bool // scopes are in their short form
}

// Widths that columns have: that of the mark and the verdict, with the spaces around them; of `expected`; of the names of engines; of a time; and
// of the last column, in which short forms fit. Scopes and names are not made narrower than leastScope and leastName as long as something else
// can go.
const (
	leadWidth   = 13
	expectWidth = 8
	engineWidth = 9
	timeWidth   = 9
	shortWidth  = 20
	leastScope  = 12
	leastName   = 16
	leastLabel  = 5 // below that it says nothing
	gap         = 2
)

// Begin sets the columns for the files of a run.
func (t *Table) Begin(files []suite.File) {
	t.files, t.sweeps = map[string]columns{}, map[*resolve.Claim]int{}
	for _, f := range files {
		for _, inst := range f.Instances {
			t.sweeps[inst.Claim]++
		}
		t.files[f.Path] = t.columns(f.Instances)
	}
}

func (t *Table) columns(instances []*resolve.Instance) columns {
	c := columns{engine: engineWidth}
	bare := utf8.RuneCountInString(instanceName(&suite.Item{})) // stands there if the file has a fault
	c.name = bare
	scopes := map[*resolve.Claim][]proofs.Scope{}
	firsts := map[*resolve.Claim]*resolve.Instance{}
	for _, inst := range instances {
		bare = max(bare, utf8.RuneCountInString(inst.Name()))
		c.name = max(c.name, bare, utf8.RuneCountInString(claimTitle(inst.Claim)))
		scopes[inst.Claim] = append(scopes[inst.Claim], proofs.ScopeOf(inst.System))
		firsts[inst.Claim] = inst
		if inst.Claim.Refuted {
			c.expect = expectWidth
		}
	}
	brief := 0
	for claim, list := range scopes {
		merged := mergedScope(list)
		c.scope = max(c.scope, utf8.RuneCountInString(scopeText(merged)))
		brief = max(brief, utf8.RuneCountInString(shortScope(firsts[claim], merged)))
	}
	return t.narrow(c, bare, brief)
}

// narrow takes what says least until something is left for what was found: parameters with their defaults; the expectation, which the mark and
// the verdict tell as well; the labels after the names; part of the names and of the scope; then whole columns.
func (t *Table) narrow(c columns, bare, brief int) columns {
	left := func() int {
		n := t.Width - leadWidth - t.timeWidth()
		for _, width := range []int{c.name, c.expect, c.scope, c.engine} {
			if width > 0 {
				n -= width + gap
			}
		}
		return n
	}
	take := func(column *int, least int) {
		*column -= max(0, min(shortWidth-left(), *column-min(*column, least)))
	}
	if left() < shortWidth {
		c.brief, c.scope = true, brief
	}
	if left() < shortWidth {
		c.expect = 0
	}
	take(&c.name, bare)
	take(&c.name, leastName)
	take(&c.scope, leastScope)
	for _, column := range []*int{&c.engine, &c.scope} {
		if left() < shortWidth {
			*column = 0
		}
	}
	take(&c.name, 1)
	c.detail = max(0, left())
	return c
}

func (t *Table) timeWidth() int {
	if t.Times {
		return timeWidth + gap
	}
	return 0
}

// claimTitle is a claim's name with its label.
func claimTitle(c *resolve.Claim) string {
	if c.Label != "" {
		return fmt.Sprintf("%s %q", c.Name, c.Label)
	}
	return c.Name
}

// Item writes an item, or keeps it until it can be written together with the others of its sweep. Of claims that were left out only the total
// tells.
func (t *Table) Item(i *suite.Item) {
	if i.Instance == nil {
		t.heading(i)
		t.row(row{mark: "✗", color: term.Bad, verdict: "failed", name: instanceName(i)})
		return
	}
	if t.group = append(t.group, i); len(t.group) < t.sweeps[i.Instance.Claim] {
		return
	}
	group := t.group
	t.group = nil
	if len(group) > 1 && alike(group) {
		t.heading(i)
		t.row(sweepRow(group))
		return
	}
	for _, i := range group {
		if !i.Skipped {
			t.heading(i)
			t.one(i)
		}
	}
}

// heading begins the lines of an item's file.
func (t *Table) heading(i *suite.Item) {
	if i.File != t.file {
		t.Heading(i.File, nil)
		t.file = i.File
	}
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

// one writes an item in a line of its own, with its evidence if it is not as expected.
func (t *Table) one(i *suite.Item) {
	if i.Result == nil {
		t.row(unresolved(i))
		return
	}
	r := i.Result
	shortened := t.row(itemRow(i))
	if r.AsExpected() {
		return
	}
	fmt.Fprintf(t.W, "%sexpected: %s\n", indent, r.Expected())
	if shortened {
		for _, text := range []string{scopeText(resultScope(r)), r.Reason} {
			if text != "" {
				fmt.Fprintln(t.W, indent+t.Color.Paint(term.Faint, text))
			}
		}
	}
	t.evidence(r)
}

// row is a line of the table.
type row struct {
	mark, verdict, name, label, expect, engine string
	scope, shortScope                          string
	detail, short                              string
	color                                      term.Color
	elapsed                                    time.Duration
	untimed                                    bool
}

// title is the name with as much of the label as there is room for. A name that is too long for itself loses its middle, since names that
// belong together begin alike, and sweeps tell their values at the end.
func (r row) title(width int) string {
	full := r.name
	if r.label != "" {
		full = fmt.Sprintf("%s %q", r.name, r.label)
	}
	n := utf8.RuneCountInString(r.name)
	switch {
	case n > width:
		return middleCut(width, r.name)
	case utf8.RuneCountInString(full) > width && width < n+leastLabel:
		return r.name
	}
	return full
}

// middleCut makes s no wider than width by an ellipsis in the place of its middle.
func middleCut(width int, s string) string {
	runes := []rune(s)
	if len(runes) <= width || width < 1 {
		return s
	}
	head := width / 2
	return string(runes[:head]) + "…" + string(runes[len(runes)-(width-head-1):])
}

// row writes a line. It reports whether something had to be shortened.
func (t *Table) row(r row) (shortened bool) {
	c := t.files[t.file]
	scope, detail := r.scope, r.detail
	if c.brief {
		scope = r.shortScope
	}
	if c.brief || utf8.RuneCountInString(detail) > c.detail {
		detail = r.short
	}
	shortened = scope != r.scope || detail != r.detail
	cells := []struct {
		text  string
		width int
	}{{r.title(c.name), c.name}, {r.expect, c.expect}, {scope, c.scope}, {r.engine, c.engine}}
	var line strings.Builder
	for _, cell := range cells {
		shortened = shortened || utf8.RuneCountInString(cell.text) > cell.width
		if cell.width > 0 {
			line.WriteString(term.Fit(cell.width, cell.text) + strings.Repeat(" ", gap))
		}
	}
	if t.Times {
		line.WriteString(term.Left(timeWidth, r.time()) + strings.Repeat(" ", gap))
	}
	detail = strings.TrimRight(term.Fit(c.detail, detail), " ")
	text := line.String() + t.Color.Paint(term.Faint, detail)
	fmt.Fprintf(t.W, "  %s %s\n", t.Color.Paint(r.color, r.mark+" "+term.Pad(8, r.verdict)), strings.TrimRight(text, " "))
	return shortened
}

func (r row) time() string {
	if r.untimed {
		return "cached"
	}
	return fmt.Sprintf("%.2f s", r.elapsed.Seconds())
}
