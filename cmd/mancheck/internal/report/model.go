// Package report writes what came of claims. model.go is what there is to say of one, once for all
// formats, and sweep.go of the instances of a claim and of a whole run; table.go with evidence.go
// writes them for people, and json.go for programs; junit.go, tap.go, sarif.go, github.go and
// summary.go are named after the formats of build servers and code hosts, which share finding.go.
// certified.go is about certificates.
package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/mancheck/mancheck/cmd/mancheck/internal/term"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules"
)

// entry is the model of an item: what is said of it, in whatever format. Of verdicts the formats
// take nothing else but plays and states, which they draw.
type entry struct {
	item      *suite.Item
	outcome   suite.Outcome
	kind      string // what somebody should look at, or ""
	mark      string
	color     term.Color
	verdict   string
	name      string // tells it from the others of its file
	label     string
	expect    string // "expected" if it is to be refuted
	expected  string // the verdict that is; empty without one
	contrary  bool   // the verdict is another one
	scope     string
	engine    string
	reason    string // what the verdict rests on
	found     string // the same for a table
	notes     []string
	bounded   string   // what a bounded verdict means; empty for others
	unchecked string   // why nobody has checked the verdict; empty otherwise
	trusted   []string // what it rests on that is believed
	vacuous   bool
	elapsed   time.Duration
	decided   bool // now, and not taken from the cache
	starred   bool // nobody has checked the verdict
}

// entryOf also serves for an item that is not decided yet, of which it has the name and the scope.
func entryOf(i *suite.Item) entry {
	e := entry{item: i, outcome: i.Outcome(), kind: findingKind(i), name: i.Name(), mark: "✗", color: term.Bad, verdict: "failed"}
	if inst := i.Instance; inst != nil {
		e.label, e.scope = inst.Claim.Label, say.Scope(scopeOf(i), "=")
		if inst.Claim.Refuted {
			e.expect = "expected"
		}
	}
	switch r := i.Result; {
	case i.Skipped:
		e.mark, e.color, e.verdict = "–", "", "unchanged"
	case i.Err != nil:
		e.found = faultLine(i)
	case r != nil:
		e.decide(r)
	}
	return e
}

// decide adds what is said of a verdict.
func (e *entry) decide(r *proofs.Result) {
	e.mark, e.color = mark(r)
	e.verdict, e.starred = verdictWord(r), r.Checked == proofs.Unchecked
	e.expected, e.contrary = r.Expected().String(), r.Status != r.Expected()
	e.engine, e.reason, e.found, e.vacuous = string(r.Engine), r.Sentence(), found(r), r.Vacuous
	e.elapsed, e.decided = r.Stats.Elapsed, !e.item.Cached
	e.notes, e.unchecked = say.Notes(&r.Verdict), say.Gap(r.Gap)
	for _, t := range r.Trusted {
		e.trusted = append(e.trusted, say.Table(t))
	}
	if r.Status == proofs.Bounded {
		e.bounded = r.Words().Bounded
	}
}

// title is the name with the label.
func (e entry) title() string {
	if e.label == "" {
		return e.name
	}
	return e.name + " " + strconv.Quote(e.label)
}

// word is the verdict with a quiet mark if nobody has checked it.
func (e entry) word() string {
	if e.starred {
		return e.verdict + "*"
	}
	return e.verdict
}

func (e entry) time() string {
	if !e.decided {
		return "cached"
	}
	return fmt.Sprintf("%.2f s", e.elapsed.Seconds())
}

// mark is the sign of a verdict; one that is as expected, but speaks of nothing, is worth a
// warning.
func mark(r *proofs.Result) (string, term.Color) {
	switch {
	case r.AsExpected() && r.Vacuous:
		return "!", term.Open
	case r.AsExpected():
		return "✓", term.Good
	case r.Inconclusive():
		return "?", term.Open
	}
	return "✗", term.Bad
}

// verdictWord is the word for it; one that rests on a bound names it.
func verdictWord(r *proofs.Result) string {
	if r.Status == proofs.Bounded {
		return fmt.Sprintf("bounded %d", r.Bound)
	}
	return r.Status.String()
}

// found says what was found, and among how many states, if that is not said yet.
func found(r *proofs.Result) string {
	text := Grouped(r.Sentence())
	if n := r.Stats.States; n > 0 && !say.TellsStates(&r.Verdict) {
		text = join(text, numeral.Count(n, "state"))
	}
	if r.Vacuous {
		text = "vacuous: " + text
	}
	return text
}

// Grouped puts commas between the thousands of the numbers in a sentence, but not of those in a
// name, a setting or backquotes.
func Grouped(text string) string {
	words := strings.Split(text, " ")
	quoted := false
	for i, word := range words {
		digits := strings.TrimRight(word, ".,;:")
		if n, err := strconv.ParseUint(digits, 10, 63); err == nil && !quoted {
			words[i] = numeral.Number(int64(n)) + word[len(digits):]
		}
		quoted = quoted != (strings.Count(word, "`")%2 == 1)
	}
	return strings.Join(words, " ")
}

func join(x, y string) string {
	if x == "" {
		return y
	}
	return x + ", " + y
}

// scopeOf is what a verdict holds for, or would hold for.
func scopeOf(i *suite.Item) verdict.Scope {
	if r := i.Result; r != nil && len(r.Scope.Params)+len(r.Scope.Unbounded) > 0 {
		return r.Scope
	}
	return verdict.ScopeOf(i.Instance.System)
}

// Params is the parameters of a System in the words of a scope.
func Params(sys *rules.System) string { return say.Scope(verdict.ScopeOf(sys), "=") }
