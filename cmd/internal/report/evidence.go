package report

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/internal/limit"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/interp"
)

// evidence writes what shows a verdict, and the remarks on it.
func (t *Table) evidence(e entry) {
	r := e.item.Result
	open := func(text string) { fmt.Fprintln(t.W, indent+t.Color.Paint(term.Open, text)) }
	for _, m := range e.remarks() {
		switch m.weight {
		case notable:
			open(m.text)
		case plainly:
			t.faint(m.text)
		case repeated:
			t.once(m.text)
		case aside:
			if t.Verbose {
				t.once(m.text)
			}
		}
	}
	if r.Sets != nil {
		t.sets(r)
	}
	if r.Trace != nil {
		fmt.Fprint(t.W, Play(r.Trace, indent))
	}
	if others := r.Others; others != nil {
		for _, play := range others.Plays {
			open("another play:")
			fmt.Fprint(t.W, Play(play, indent))
		}
		more := "; there may be others"
		if others.All {
			more = "; all others have the first move and the last rule of one of these"
		}
		open(numeral.Count(int64(1+len(others.Plays)), "play") + more)
	}
	if r.Other != nil {
		open(r.Words().Pair.Other + ":")
		fmt.Fprint(t.W, Play(r.Other, indent))
	}
	if step := r.StepCounterexample; step != nil {
		// The first line of a play calls its first board a start, which this one need not be.
		open("counterexample to the induction step (its first board need not be reachable; it refutes nothing):")
		_, boards, _ := strings.Cut(Play(step, indent), "\n")
		fmt.Fprint(t.W, boards)
	}
}

// once writes a remark, unless it was already written for an earlier verdict on the same file.
func (t *Table) once(text string) {
	if !t.noted[text] {
		t.noted[text] = true
		t.faint(text)
	}
}

// Play draws a play. If the game is not over at its end, it says why the play ends there.
func Play(t *rules.Trace, indent string) string {
	text := board.TraceText(t.System, t, board.Options{Indent: indent})
	if end := Ending(t); end != "" {
		text += indent + "     " + end + "\n"
	}
	return text
}

// Ending says why a play ends although the game is not over: because it is stuck, or because it
// repeats. It is empty if there is no such reason, or if it takes too long to make the moves.
func Ending(t *rules.Trace) string {
	last := t.End()
	if !last.Live() {
		return ""
	}
	if first := t.Loop(); first >= 0 {
		moves := len(t.Steps) - first
		where := fmt.Sprintf("after move %d", first)
		if first == 0 {
			where = "at the start"
		}
		if rule := t.System.Repetition; rule != nil {
			outcome := t.System.OutcomeName(rule.Outcome[last.Mover])
			if rule.Offered {
				return fmt.Sprintf("as %s: the game may end here: %s", where, outcome)
			}
			return fmt.Sprintf("as %s: the game is over: %s", where, outcome)
		}
		return fmt.Sprintf("as %s: the last %s can repeat forever", where, numeral.Count(int64(moves), "move"))
	}
	in := interp.New(t.System).Within(limit.WithClock(context.Background(), mostEnding))
	if can, err := in.CanMove(last); err == nil && !can {
		return "stuck: there is no legal move"
	}
	return ""
}

// mostEnding bounds the search for a legal move at the end of a play.
const mostEnding = time.Second

// sets writes how the states found differ from those listed.
func (t *Table) sets(r *proofs.Result) {
	if len(r.Sets.Extra) > 0 {
		fmt.Fprintln(t.W, indent+"found, but not listed:")
	}
	for i, s := range r.Sets.Extra {
		if i == shownStates {
			fmt.Fprintf(t.W, "%s… and %s\n", indent, numeral.Number(int64(len(r.Sets.Extra)-i))+" more")
			break
		}
		fmt.Fprint(t.W, board.Draw(r.System, s, board.Options{Indent: indent + "  "}))
	}
	if len(r.Sets.Missing) > 0 {
		fmt.Fprintln(t.W, indent+"listed, but not found:")
	}
	for _, m := range r.Sets.Missing {
		fmt.Fprintln(t.W, indent+"  "+text(m.At, t.Sources))
	}
}

// shownStates is how many states of a set are drawn.
const shownStates = 10

// text returns the source text at r in one line, or the range itself if the source is not at hand.
func text(r diag.Range, sources map[string][]byte) string {
	src := sources[r.File]
	if r.End.Offset > len(src) || r.Start.Offset > r.End.Offset {
		return r.String()
	}
	return strings.Join(strings.Fields(string(src[r.Start.Offset:r.End.Offset])), " ")
}
