package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/checker/choose"
	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/cmd/internal/worth"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/rules/board"
)

type valueCmd struct {
	File string `arg:"" help:"Rules file; - is standard input."`
	valueFlags
}

// Run finds the value of the position and writes it with a line of best play.
func (c *valueCmd) Run(s *session) error {
	v, err := c.find(s, c.File, false)
	if err != nil {
		return err
	}
	best := cmp.Or(v.Line, &value.Line{})
	line, err := v.notation(best.Actions)
	if err != nil {
		return err
	}
	out := v.head().With("line", append([]string{}, line...)).If(best.Endless, "lineEndless", true)
	s.result(append(out, v.tail()...), func() { v.write(line, best.Endless) })
	return inconclusiveUnless(v.Known())
}

// write writes the value for people.
func (v *valued) write(line []string, endless bool) {
	fmt.Fprintln(v.s.out, v.heading(v.s.color))
	t := term.Table{}
	t.Row("value", v.Scale.Bounds(v.Lo, v.Hi))
	v.estimate.rows(&t)
	t.Row("payoff", worth.KindName(v.Kind))
	if len(line) > 0 {
		text := strings.Join(line, ", ")
		if endless {
			text += ", and so on for ever"
		}
		t.Row("line", text)
	}
	v.work(&t)
	t.Write(v.s.out, "  ")
	v.incomplete()
}

// work adds rows about the work that was done.
func (v *valued) work(t *term.Table) {
	t.Row("method", string(v.Method))
	t.Row("nodes", numeral.Number(v.Nodes))
	t.Row("seconds", fmt.Sprintf("%.2f", v.Seconds))
	if v.table != nil {
		t.Row("trusted", v.table.String())
	}
}

// incomplete writes why the value is not known.
func (v *valued) incomplete() {
	if !v.Known() {
		fmt.Fprintln(v.s.out, v.s.color.Paint(term.Open, "  incomplete: "+v.Reason))
	}
}

type bestCmd struct {
	File string `arg:"" help:"Rules file; - is standard input."`
	valueFlags
}

// Run finds the value of each move and lists them.
func (c *bestCmd) Run(s *session) error {
	s.draws = true
	v, err := c.find(s, c.File, true)
	if err != nil {
		return err
	}
	standings := choose.Standings(v.Moves, v.st.Mover)
	s.result(v.bestJSON(standings), func() { v.writeBest(standings) })
	return inconclusiveUnless(v.Known())
}

// best gives, for the standing of a move, its word and its value in JSON, where null means unknown.
var best = map[choose.Standing]struct {
	word string
	json any
}{
	choose.Best:   {"best", true},
	choose.Worse:  {"", false},
	choose.Unsure: {"perhaps", nil},
}

// bestJSON returns the object that --format json writes.
func (v *valued) bestJSON(standings []choose.Standing) report.Object {
	moves := []report.Object{}
	for i, m := range v.Moves {
		one := report.Object{
			{Name: "move", Value: v.in.Notation(m.Action, v.st)},
			{Name: "label", Value: v.Sys.Actions[m.Action].Label},
			{Name: "value", Value: exact(m.Lo, m.Hi)},
			{Name: "bounds", Value: boundsJSON(m.Lo, m.Hi)},
			{Name: "best", Value: best[standings[i]].json},
		}
		if p := v.estimate.of(m.Action); p != nil {
			one = one.With("estimate", p.Score)
		}
		moves = append(moves, one)
	}
	return append(v.head().With("state", board.StateJSON(v.Sys, v.st)).With("moves", moves), v.tail()...)
}

// writeBest draws the position and lists the moves with their values.
func (v *valued) writeBest(standings []choose.Standing) {
	fmt.Fprint(v.s.out, board.Draw(v.Sys, v.st, board.Options{}))
	t := term.Table{}
	for i, m := range v.Moves {
		known, word := v.Scale.Bounds(m.Lo, m.Hi), best[standings[i]].word
		if p := v.estimate.of(m.Action); p != nil {
			known = v.About(p.Score) + ", " + known
			if m.Action == v.estimate.Line[0] && standings[i] != choose.Best {
				word = "first by the estimate"
			}
		}
		t.Row(v.in.Notation(m.Action, v.st), known, word)
	}
	if len(v.Moves) > 0 {
		fmt.Fprintln(v.s.out)
		t.Write(v.s.out, "  ")
	}
	fmt.Fprintln(v.s.out)
	w := term.Table{}
	w.Row("value", v.Scale.Bounds(v.Lo, v.Hi))
	v.estimate.rows(&w)
	v.work(&w)
	w.Write(v.s.out, "  ")
	v.incomplete()
}
