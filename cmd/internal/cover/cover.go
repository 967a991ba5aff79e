// Package cover shows what package coverage has counted: beside the text of the rules, and as JSON.
package cover

import (
	"fmt"
	"io"
	"strings"

	"github.com/mancheck/mancheck/checker/coverage"
	"github.com/mancheck/mancheck/cmd/internal/report"
	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/rules/board"
)

// Writer writes a report as text.
type Writer struct {
	W       io.Writer
	Sources map[string][]byte
	Color   term.Palette
}

// Write writes the lines of the rules that have a place, with what was counted there.
func (w Writer) Write(r *coverage.Report) {
	for _, run := range r.Runs {
		fmt.Fprintf(w.W, "\ncoverage of %s: %s\n", Game(run), extent(run))
	}
	file, last := "", 0
	for _, l := range r.Lines() {
		at := l.At.Start
		if l.At.File != file {
			file, last = l.At.File, 0
			fmt.Fprintf(w.W, "\n%s\n%12s %12s\n", file, "yes", "no")
		}
		source := strings.Split(string(w.Sources[file]), "\n")
		text := fmt.Sprintf("%5s   · %s", "", term.Cut(60, diag.OneLine(w.Sources[file], l.At)))
		if at.Line > last {
			if last > 0 && at.Line > last+1 {
				w.between(source, last, at.Line)
			}
			text = fmt.Sprintf("%5d | %s", at.Line, strings.TrimRight(source[at.Line-1], " \t\r"))
			last = at.Line
		}
		yes, no := numbers(l)
		note := l.Idle()
		if note != "" {
			note = "  <- " + w.Color.Paint(term.Bad, note)
		}
		fmt.Fprintf(w.W, "%12s %12s %s%s\n", yes, no, text, note)
	}
}

// WriteIdle writes only the places that were never carried out, or whose conditions were never
// true, and to which play came; of conditions in one another only the outer one.
func (w Writer) WriteIdle(r *coverage.Report) {
	var outer diag.Range
	idle := lists.Filter(r.Lines(), func(l *coverage.Line) bool {
		if l.Idle() == "" || l.Idle() == coverage.AlwaysTrue || !l.Reached() || outer.Holds(l.At) {
			return false
		}
		outer = l.At
		return true
	})
	if len(idle) == 0 {
		return
	}
	fmt.Fprintf(w.W, "\nwhat these games did not come to:\n")
	for _, l := range idle {
		at := fmt.Sprintf("%s:%d:%d", l.At.File, l.At.Start.Line, l.At.Start.Column)
		fmt.Fprintf(w.W, "  %s  %s  <- %s\n", at, term.Cut(60, diag.OneLine(w.Sources[l.At.File], l.At)), w.Color.Paint(term.Bad, l.Idle()))
	}
}

// mostBetween is how many lines without a place are shown between two that have one.
const mostBetween = 3

// between writes the lines between two lines, if they are few.
func (w Writer) between(source []string, from, to int) {
	if to-from-1 > mostBetween {
		fmt.Fprintf(w.W, "%26s%5s |\n", "", "...")
		return
	}
	for n := from + 1; n < to; n++ {
		fmt.Fprintf(w.W, "%26s%5d | %s\n", "", n, strings.TrimRight(source[n-1], " \t\r"))
	}
}

// numbers returns what the columns show. Of guards it is known only whether they were so.
func numbers(l *coverage.Line) (yes, no string) {
	show := func(n int64) string {
		switch {
		case n == 0:
			return "never"
		case !l.Counted():
			return "some"
		}
		return numeral.Number(n)
	}
	switch {
	case l.Off():
		return "off", ""
	case l.Decided && l.Yes > 0:
		return "known", ""
	case l.Decided:
		return "", "known"
	case !l.Condition():
		return show(l.Yes), ""
	}
	return show(l.Yes), show(l.No)
}

// Game names the game of a run.
func Game(run coverage.Run) string {
	return strings.TrimSpace(run.Sys.Name + " " + report.Params(run.Sys))
}

// extent says how much was counted.
func extent(run coverage.Run) string {
	switch {
	case run.Games > 0:
		return numeral.Count(run.Games, "game")
	case run.Complete:
		return "all " + numeral.Count(run.States, "state")
	}
	return numeral.Count(run.States, "state") + ", not all"
}

// JSON returns a report as JSON.
func JSON(r *coverage.Report) report.Object {
	runs := lists.Map(r.Runs, func(run coverage.Run) report.Object {
		return report.Object{{Name: "variant", Value: run.Sys.Name}, {Name: "params", Value: board.ParamsJSON(run.Sys)}, {Name: "complete", Value: run.Complete}}.
			If(run.Games > 0, "games", run.Games).If(run.Games == 0, "states", run.States)
	})
	places := lists.Map(r.Lines(), func(l *coverage.Line) report.Object {
		out := report.Object{{Name: "file", Value: l.At.File}, {Name: "range", Value: l.At.JSON()}, {Name: "kind", Value: string(l.Kind)}}
		yes, no := any(l.Yes), any(l.No)
		if !l.Counted() {
			yes, no = l.Yes > 0, l.No > 0
		}
		return out.If(!l.Decided, "yes", yes).If(!l.Decided && l.Condition(), "no", no).If(l.Idle() != "", "idle", l.Idle()).If(!l.Reached(), "reached", false)
	})
	return report.Object{{Name: "runs", Value: runs}, {Name: "places", Value: places}}
}
