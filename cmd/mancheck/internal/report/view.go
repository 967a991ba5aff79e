// Package report writes what came of claims. view.go puts it into words, once for all; table.go
// with evidence.go writes them for people, and json.go for programs; junit.go, tap.go, sarif.go,
// github.go and summary.go are named after the formats of build servers and code hosts, which share
// finding.go. certified.go is about certificates.
package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mancheck/mancheck/cmd/mancheck/internal/term"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules"
)

// view is what is said of an item, in whatever format.
type view struct {
	mark    string
	color   term.Color
	verdict string
	name    string // tells it from the others of its file
	label   string
	expect  string // "expected" if it is to be refuted
	scope   string
	engine  string
	found   string
	elapsed time.Duration
	decided bool // now, and not taken from the cache
	starred bool // nobody has checked the verdict
}

// viewOf also serves for an item that is not decided yet, of which it has the name and the scope.
func viewOf(i *suite.Item) view {
	v := view{name: i.Name(), mark: "✗", color: term.Bad, verdict: "failed"}
	if inst := i.Instance; inst != nil {
		v.label, v.scope = inst.Claim.Label, scopeOf(i).Text("=")
		if inst.Claim.Refuted {
			v.expect = "expected"
		}
	}
	switch r := i.Result; {
	case i.Skipped:
		v.mark, v.color, v.verdict = "–", "", "unchanged"
	case i.Err != nil:
		v.found = faultLine(i)
	case r != nil:
		v.mark, v.color = mark(r)
		v.verdict, v.starred = verdict(r), r.Checked == proofs.Unchecked
		v.engine, v.found, v.elapsed, v.decided = string(r.Engine), found(r), r.Stats.Elapsed, !i.Cached
	}
	return v
}

// title is the name with the label.
func (v view) title() string {
	if v.label == "" {
		return v.name
	}
	return v.name + " " + strconv.Quote(v.label)
}

// word is the verdict with a quiet mark if nobody has checked it.
func (v view) word() string {
	if v.starred {
		return v.verdict + "*"
	}
	return v.verdict
}

func (v view) time() string {
	if !v.decided {
		return "cached"
	}
	return fmt.Sprintf("%.2f s", v.elapsed.Seconds())
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

// verdict is the word for it; one that rests on a bound names it.
func verdict(r *proofs.Result) string {
	if r.Status == proofs.Bounded {
		return fmt.Sprintf("bounded %d", r.Bound)
	}
	return r.Status.String()
}

// found says what was found, and among how many states, if that is not said yet.
func found(r *proofs.Result) string {
	text := Grouped(r.Reason)
	if n := r.Stats.States; n > 0 && !strings.Contains(text, "state") && !strings.Contains(text, numeral.Number(n)) {
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
func scopeOf(i *suite.Item) proofs.Scope {
	if r := i.Result; r != nil && len(r.Scope.Params)+len(r.Scope.Unbounded) > 0 {
		return r.Scope
	}
	return proofs.ScopeOf(i.Instance.System)
}

// Params is the parameters of a System in the words of a scope.
func Params(sys *rules.System) string { return proofs.ScopeOf(sys).Text("=") }

// sweepView is what is said of all instances of a claim together. Undecided ones have a name and a
// scope.
func sweepView(group []*suite.Item) view {
	v := viewOf(group[0])
	v.elapsed, v.decided = 0, false
	var scopes []proofs.Scope
	for _, i := range group {
		one := viewOf(i)
		v.elapsed += one.elapsed
		v.decided, v.starred = v.decided || one.decided, v.starred || one.starred
		if one.engine != v.engine {
			v.engine = "several"
		}
		scopes = append(scopes, scopeOf(i))
	}
	v.name, v.scope, v.found = group[0].Instance.Claim.Name, mergedScope(scopes).Text("="), sweepFound(group)
	return v
}

func sweepFound(group []*suite.Item) string {
	if group[0].Result == nil {
		return ""
	}
	text, first := numeral.Count(int64(len(group)), "instance"), found(group[0].Result)
	same, moves, states := true, span{}, span{}
	for _, i := range group {
		same = same && found(i.Result) == first
		states.add(i.Result.Stats.States)
		if i.Result.Trace != nil {
			moves.add(int64(len(i.Result.Trace.Steps)))
		}
	}
	switch {
	case same:
		return join(text, first)
	case moves.n == len(group):
		text = join(text, "plays of "+moves.String()+" moves")
	case states.lo > 0:
		text = join(text, states.String()+" states")
	}
	if group[0].Result.Vacuous {
		text = "vacuous: " + text
	}
	return text
}

// span is the least and the greatest of n numbers.
type span struct {
	n      int
	lo, hi int64
}

func (s *span) add(v int64) {
	if s.n == 0 || v < s.lo {
		s.lo = v
	}
	s.hi = max(s.hi, v)
	s.n++
}

// String is lo..hi, or the number if there is only one.
func (s span) String() string {
	if s.lo == s.hi {
		return numeral.Number(s.lo)
	}
	return numeral.Number(s.lo) + ".." + numeral.Number(s.hi)
}

// mergedScope has, for each parameter, all the values that it has in scopes.
func mergedScope(scopes []proofs.Scope) proofs.Scope {
	out := scopes[0]
	out.Params = nil
	for _, p := range scopes[0].Params {
		out.Params = append(out.Params, mergedParam(p, scopes))
	}
	return out
}

func mergedParam(p proofs.ScopeParam, scopes []proofs.Scope) proofs.ScopeParam {
	var values span
	var texts []string
	numbers := !p.Bool && !p.All
	for _, s := range scopes {
		for _, q := range s.Params {
			if q.Name == p.Name && !slices.Contains(texts, q.Text) {
				texts = append(texts, q.Text)
				values.add(int64(q.N))
				numbers = numbers && !q.Bool && !q.All
			}
		}
	}
	switch {
	case len(texts) == 1:
	case numbers && values.hi-values.lo+1 == int64(len(texts)):
		p.Text = fmt.Sprintf("%d..%d", values.lo, values.hi)
	default:
		p.Text = strings.Join(texts, "|")
	}
	return p
}

// tally says how many items have each outcome. Its color is that of the worst.
func tally(rep *suite.Report) (string, term.Color) {
	refuted, vacuous := 0, vacuous(rep)
	for _, i := range rep.Items {
		if i.Outcome() == suite.AsExpected && i.Result.Status == proofs.Refuted {
			refuted++
		}
	}
	text := fmt.Sprintf("%s: %d as expected", numeral.Count(int64(len(rep.Items)), "claim"), rep.Count(suite.AsExpected))
	if refuted > 0 {
		text += fmt.Sprintf(" (%d refuted)", refuted)
	}
	text, color := summed(text, []part{
		{rep.Count(suite.NotRun), "unchanged", term.Good},
		{vacuous, "vacuous", term.Open},
		{rep.Count(suite.Inconclusive), "inconclusive", term.Open},
		{rep.Count(suite.NotAsExpected), "not as expected", term.Bad},
		{rep.Count(suite.Failed), "failed", term.Bad},
	})
	if checked, unchecked := rep.Checked(); unchecked > 0 {
		text += fmt.Sprintf("; %d checked, %d unchecked (*)", checked, unchecked)
	}
	return text, color
}

// trusted says which endgame tables verdicts rest on.
func trusted(rep *suite.Report) []string {
	counts, names := map[string]int64{}, []string{}
	for _, i := range rep.Items {
		if i.Result == nil {
			continue
		}
		for _, s := range i.Result.Tables {
			if counts[s.String()]++; counts[s.String()] == 1 {
				names = append(names, s.String())
			}
		}
	}
	for n, name := range names {
		names[n] = fmt.Sprintf("%s rest on %s", numeral.Count(counts[name], "verdict"), name)
		if counts[name] == 1 {
			names[n] = strings.Replace(names[n], "rest", "rests", 1)
		}
	}
	return names
}

// part is how many of something there are, and the colour that this gives to a summary.
type part struct {
	n     int
	what  string
	color term.Color
}

// summed adds the parts that there are to a text. The colour is that of the last one.
func summed(text string, parts []part) (string, term.Color) {
	color := term.Good
	for _, p := range parts {
		if p.n > 0 {
			text += fmt.Sprintf(", %d %s", p.n, p.what)
			color = p.color
		}
	}
	return text, color
}

// vacuous counts the claims that are as expected, but speak of nothing.
func vacuous(rep *suite.Report) int {
	n := 0
	for _, i := range rep.Items {
		if i.Outcome() == suite.AsExpected && i.Result.Vacuous {
			n++
		}
	}
	return n
}
