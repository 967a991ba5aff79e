// Package board writes and reads single states and plays as text: drawn boards, flat lists of
// counts, settings of variables, and JSON. What it writes it can read.
package board

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/rules"
)

// Options say how a board is drawn. If Before is not nil, pits that have gained or lost seeds since
// that state are marked with + or -. Indent comes before every line. If Open is not nil, it reports
// pits that may hold any number of seeds, which are drawn as `_`.
type Options struct {
	Before *rules.State
	Indent string
	Open   func(pit int) bool
}

// Draw draws the board as it lies on the table, with a line for each row. If the variant has
// exactly one variable for a pit, the pit that it names is in brackets. Other variables, the player
// to move and the outcome are in a line below. The text ends with a line break.
func Draw(sys *rules.System, s rules.State, opts Options) string {
	text := Rows(sys, s, opts)
	if line := Status(sys, s); line != "" {
		text += opts.Indent + line + "\n"
	}
	return text
}

// Rows draws only the rows.
func Rows(sys *rules.System, s rules.State, opts Options) string {
	d := drawing{sys: sys, s: s, opts: opts, marked: Marked(sys, s)}
	d.width = d.cellWidth()
	return d.rows()
}

// Marked returns the pit that is in brackets, or None.
func Marked(sys *rules.System, s rules.State) int {
	if v, ok := sys.PitVar(); ok {
		return s.Vars[v]
	}
	return rules.None
}

// drawing is a board being drawn.
type drawing struct {
	sys    *rules.System
	s      rules.State
	opts   Options
	marked int // the pit in brackets, or rules.None
	width  int // of counts, in columns
}

// rows draws the picture. Parts below each other have the same width.
func (d drawing) rows() string {
	columns := widths(d.sys.Picture, d.partWidth)
	var text strings.Builder
	for _, row := range d.sys.Picture {
		var parts []string
		for i, pits := range row {
			parts = append(parts, d.part(pits)+strings.Repeat(" ", columns[i]-d.partWidth(pits)))
		}
		text.WriteString(strings.TrimRight(d.opts.Indent+strings.Join(parts, "|"), " ") + "\n")
	}
	return text.String()
}

// widths returns how wide the widest of the parts below each other are.
func widths[E any](rows [][]E, width func(part E) int) []int {
	var list []int
	for _, row := range rows {
		for i, part := range row {
			if i == len(list) {
				list = append(list, 0)
			}
			list[i] = max(list[i], width(part))
		}
	}
	return list
}

func (d drawing) part(pits []int) string {
	var text strings.Builder
	for _, p := range pits {
		text.WriteString(d.cell(p))
	}
	return text.String()
}

func (d drawing) cell(p int) string {
	mark := d.change(p)
	if p == d.marked {
		return fmt.Sprintf("[%*s]%s", d.width, d.count(p), mark)
	}
	return fmt.Sprintf(" %*s%s ", d.width, d.count(p), mark)
}

// partWidth returns the number of columns that pits take.
func (d drawing) partWidth(pits []int) int {
	return lists.Sum(pits, func(p int) int { return len(d.cell(p)) })
}

func (d drawing) open(p int) bool { return d.opts.Open != nil && d.opts.Open(p) }

func (d drawing) count(p int) string {
	if d.open(p) {
		return "_"
	}
	return strconv.Itoa(d.s.Seeds[p])
}

// cellWidth returns the width of the widest count, in this state or the one before.
func (d drawing) cellWidth() int {
	w := 1
	for p := range d.s.Seeds {
		w = max(w, len(d.count(p)))
		if d.opts.Before != nil {
			w = max(w, len(strconv.Itoa(d.opts.Before.Seeds[p])))
		}
	}
	return w
}

// change returns the mark of a pit. Without a state before, there is no column for marks.
func (d drawing) change(p int) string {
	if d.opts.Before == nil {
		return ""
	}
	switch was := d.opts.Before.Seeds[p]; {
	case d.open(p):
	case d.s.Seeds[p] > was:
		return "+"
	case d.s.Seeds[p] < was:
		return "-"
	}
	return " "
}

// Status describes in one line what the board does not show: variables, the player to move, and the
// outcome. It may be empty. Variables that exist for each pit of a group are shown only where they
// differ from their initial values.
func Status(sys *rules.System, s rules.State) string {
	drawn, one := sys.PitVar()
	var items []string
	for i := range sys.Vars {
		if one && i == drawn && s.Vars[i] != rules.None || s.Vars[i] == sys.Vars[i].Init && ofPit(sys, i) {
			continue
		}
		items = append(items, sys.Vars[i].Name+" = "+VarValue(sys, i, s.Vars[i]))
	}
	switch {
	case !s.Live():
		items = append(items, "over: "+outcome(sys, s.Outcome))
	case len(sys.Players) > 1:
		items = append(items, sys.Players[s.Mover]+" to move")
	}
	return strings.Join(items, ", ")
}

// ofPit reports whether a variable belongs to a pit, as `marked(south1)` does.
func ofPit(sys *rules.System, v int) bool {
	_, arg, ok := strings.Cut(sys.Vars[v].Name, "(")
	return ok && sys.PitNamed(strings.TrimSuffix(arg, ")")) != rules.None
}

// outcome returns the name of an outcome, with its kind unless the label says it.
func outcome(sys *rules.System, i int) string {
	o := sys.Outcomes[i]
	if o.Kind == rules.WinOutcome && len(sys.Players) > 1 {
		return sys.OutcomeName(i)
	}
	kind := [...]string{"win", "lose", "draw", "end", "endless"}[o.Kind]
	if o.Label == kind {
		return kind
	}
	return o.Label + " (" + kind + ")"
}
