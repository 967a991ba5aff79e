package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/mancheck/mancheck/checker/value"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/cmd/internal/worth"
	"github.com/mancheck/mancheck/internal/numeral"
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
