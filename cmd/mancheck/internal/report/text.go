// Package report writes verdicts: text.go and table.go (with rows.go and short.go) for people, json.go and run.go for programs; and whole
// runs for build servers and code hosts, in the formats that junit.go, tap.go, sarif.go, github.go and summary.go are named after, with the
// words that these share in finding.go.
package report

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/mancheck/mancheck/cmd/mancheck/internal/term"
	"github.com/mancheck/mancheck/dsl/diag"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/board"
	"github.com/mancheck/mancheck/rules/resolve"
)

// Text writes verdicts for people, a line for each with its evidence below.
type Text struct {
	W       io.Writer
	Color   term.Palette
	Sources map[string][]byte // to quote what a claim lists
	Brief   bool              // evidence only for verdicts that are not as expected
	names   int               // width of the column of names
	scopes  int               // width of the column of scopes
	told    map[string]bool   // notes that stand already under an earlier verdict on the file
}

// indent stands before what belongs to a verdict.
const indent = "      "

// Heading begins the verdicts on a file, whose instances set the widths of the columns.
func (t *Text) Heading(file string, instances []*resolve.Instance) {
	fmt.Fprintln(t.W, t.Color.Paint(term.Bold, file))
	t.names, t.scopes, t.told = 0, 0, map[string]bool{}
	for _, inst := range instances {
		t.names = max(t.names, utf8.RuneCountInString(name(inst)))
		t.scopes = max(t.scopes, utf8.RuneCountInString(Params(inst.System)))
	}
}

// Result writes a verdict.
func (t *Text) Result(r *proofs.Result) {
	mark, color := verdictMark(r)
	line := fmt.Sprintf("%s  %s  %s", term.Pad(t.names, name(r.Instance)), term.Pad(t.scopes, scopeText(r.Scope)), term.Pad(9, string(r.Engine)))
	if r.Reason != "" {
		line += " " + t.Color.Paint(term.Faint, r.Reason)
	}
	fmt.Fprintf(t.W, "  %s %s\n", t.Color.Paint(color, mark+" "+term.Pad(8, starred(r))), strings.TrimRight(line, " "))
	if !r.AsExpected() {
		fmt.Fprintf(t.W, "%sexpected: %s\n", indent, r.Expected())
	}
	if !t.Brief || !r.AsExpected() {
		t.evidence(r)
	}
}

// Remark writes a line below a verdict, like evidence.
func (t *Text) Remark(r *proofs.Result, text string) {
	if !t.Brief || !r.AsExpected() {
		fmt.Fprintln(t.W, indent+t.Color.Paint(term.Faint, text))
	}
}

// Failed writes the line of a claim that could not be decided because its rules broke in play.
func (t *Text) Failed(inst *resolve.Instance) {
	n := name(inst)
	fmt.Fprintf(t.W, "  %s %s\n", t.Color.Paint(term.Bad, "✗ "+term.Pad(8, "failed")), n)
}

func verdictMark(r *proofs.Result) (string, term.Color) {
	switch {
	case r.AsExpected():
		return "✓", term.Good
	case r.Inconclusive():
		return "?", term.Open
	}
	return "✗", term.Bad
}

// verdict is the word for it; one that rests on a bound names it.
func verdict(r *proofs.Result) string {
	if r.Status == proofs.Bounded {
		return fmt.Sprintf("bounded %d", r.Bound)
	}
	return r.Status.String()
}

// starred is the word with a quiet mark if nobody has checked the verdict.
func starred(r *proofs.Result) string {
	if r.Checked == proofs.Unchecked {
		return verdict(r) + "*"
	}
	return verdict(r)
}

// name is what a claim is called, with its label.
func name(inst *resolve.Instance) string {
	if label := inst.Claim.Label; label != "" {
		return fmt.Sprintf("%s %q", inst.Name(), label)
	}
	return inst.Name()
}

func scopeText(s proofs.Scope) string {
	var items []string
	for _, p := range s.Params {
		items = append(items, setting(p.Name, p.Text, p.All))
	}
	for _, name := range s.Unbounded {
		items = append(items, "any number of "+name)
	}
	return strings.Join(items, ", ")
}

func setting(name, text string, all bool) string {
	if all {
		return "every " + name + " in " + text
	}
	return name + "=" + text
}

// Params is the parameters of a System in the words of a scope.
func Params(sys *rules.System) string { return scopeText(proofs.ScopeOf(sys)) }

func (t *Text) evidence(r *proofs.Result) {
	if r.Vacuous {
		fmt.Fprintf(t.W, "%s%s\n", indent, t.Color.Paint(term.Open, "vacuous: there is nothing that the claim speaks of"))
	}
	if r.Checked == proofs.Unchecked {
		fmt.Fprintln(t.W, indent+t.Color.Paint(term.Faint, "unchecked: "+r.Why))
	}
	if r.Status == proofs.Bounded {
		fmt.Fprintf(t.W, "%s%s\n", indent, t.Color.Paint(term.Open, boundedText(r)))
	}
	for _, n := range r.Notes {
		if !t.told[n] {
			t.told[n] = true
			fmt.Fprintln(t.W, indent+t.Color.Paint(term.Faint, n))
		}
	}
	if r.Sets != nil {
		t.sets(r)
	}
	if r.Trace != nil {
		fmt.Fprint(t.W, board.TraceText(r.System, r.Trace, board.Options{Indent: indent}))
	}
	if r.Other != nil {
		t.other(r)
	}
	if r.StepCounterexample != nil {
		t.stepCounterexample(r.StepCounterexample)
	}
}

// boundedText says what a bounded verdict is worth.
func boundedText(r *proofs.Result) string {
	within := term.Count(int64(r.Bound), "move", "moves")
	if p, ok := r.Instance.Property.(*resolve.Reach); ok && p.Reachable {
		return "no such play within " + within + "; not a refutation"
	}
	return "no counterexample within " + within + "; not a proof"
}

// other draws the play to hold beside the trace.
func (t *Text) other(r *proofs.Result) {
	what := "the same moves in " + proofs.OtherName(r.System, r.Other.System) + ":"
	if _, ok := r.Instance.Property.(*resolve.StrategyWins); ok {
		what = "a play that wins from there:"
	}
	fmt.Fprintln(t.W, indent+t.Color.Paint(term.Open, what))
	fmt.Fprint(t.W, board.TraceText(r.Other.System, r.Other, board.Options{Indent: indent}))
}

// stepCounterexample draws why an invariant is not inductive. What is said of it takes the place of the word above the first board, which
// would call it a start.
func (t *Text) stepCounterexample(step *rules.Trace) {
	fmt.Fprintln(t.W, indent+t.Color.Paint(term.Open,
		"counterexample to the induction step (its first board need not be reachable; it refutes nothing):"))
	_, boards, _ := strings.Cut(board.TraceText(step.System, step, board.Options{Indent: indent}), "\n")
	fmt.Fprint(t.W, boards)
}

// sets shows where the states found and those listed differ.
func (t *Text) sets(r *proofs.Result) {
	if len(r.Sets.Extra) > 0 {
		fmt.Fprintln(t.W, indent+"found, but not listed:")
	}
	for i, s := range r.Sets.Extra {
		if i == shownStates {
			fmt.Fprintf(t.W, "%s… and %s\n", indent, term.Count(int64(len(r.Sets.Extra)-i), "more", "more"))
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

// text is the stretch of source at r.
func text(r diag.Range, sources map[string][]byte) string {
	src := sources[r.File]
	if r.End.Offset > len(src) || r.Start.Offset > r.End.Offset {
		return r.String()
	}
	return strings.Join(strings.Fields(string(src[r.Start.Offset:r.End.Offset])), " ")
}

// Summary says how many verdicts are as expected.
func (t *Text) Summary(results []*proofs.Result, failed int) {
	var good, open, checked, unchecked int
	for _, r := range results {
		switch r.Checked {
		case proofs.NotYet:
		case proofs.Unchecked:
			unchecked++
		default:
			checked++
		}
		if r.AsExpected() {
			good++
		} else if r.Inconclusive() {
			open++
		}
	}
	bad := len(results) - good - open
	line := fmt.Sprintf("%s: %d as expected", term.Count(int64(len(results)+failed), "claim", "claims"), good)
	color := term.Good
	for _, part := range []struct {
		n     int
		what  string
		color term.Color
	}{{open, "inconclusive", term.Open}, {bad, "not as expected", term.Bad}, {failed, "failed", term.Bad}} {
		if part.n > 0 {
			line += fmt.Sprintf(", %d %s", part.n, part.what)
			color = part.color
		}
	}
	fmt.Fprintln(t.W, t.Color.Paint(color, line+checkedText(checked, unchecked)))
}

// checkedText says how many verdicts nobody has checked, if there are such.
func checkedText(checked, unchecked int) string {
	if unchecked == 0 {
		return ""
	}
	return fmt.Sprintf("; %d checked, %d unchecked (*)", checked, unchecked)
}
