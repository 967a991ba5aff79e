package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/cmd/internal/term"
	"github.com/mancheck/mancheck/internal/lists"
	"github.com/mancheck/mancheck/internal/numeral"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/say"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/proofs/verdict"
)

// sweepEntry returns the entry for all instances of a claim together. If they are undecided it has
// only a name and a scope.
func sweepEntry(group []*suite.Item) entry {
	v := entryOf(group[0])
	v.elapsed, v.decided = 0, false
	var scopes []verdict.Scope
	for _, i := range group {
		one := entryOf(i)
		v.elapsed += one.elapsed
		v.decided, v.starred = v.decided || one.decided, v.starred || one.starred
		if one.Engine != v.Engine {
			v.Engine = "several"
		}
		scopes = append(scopes, scopeOf(i))
	}
	claim := group[0].Instance.Claim
	v.Name, v.Scope, v.Found = claim.Name, mergedScope(scopes, claim.StartingAt), sweepFound(group)
	return v
}

// sweepFound says what was found about all instances: the same thing, or else the range of their
// plays or states.
func sweepFound(group []*suite.Item) string {
	if group[0].Result == nil {
		return ""
	}
	text, first := numeral.Count(int64(len(group)), "instance"), group[0].Result
	same, moves, states := true, span{}, span{}
	for _, i := range group {
		same = same && foundAlike(&i.Result.Verdict, &first.Verdict)
		states.add(i.Result.Stats.States)
		if i.Result.Trace != nil {
			moves.add(int64(len(i.Result.Trace.Steps)))
		}
	}
	switch {
	case same:
		return join(text, found(first))
	case moves.n == len(group):
		text = join(text, "plays of "+moves.String()+" moves")
	case states.lo > 0:
		text = join(text, states.String()+" states")
	}
	if first.OfNothing() {
		text = "vacuous: " + text
	}
	return text
}

// foundAlike reports whether found returns the same text for two verdicts.
func foundAlike(a, b *verdict.Verdict) bool {
	tells := say.TellsStates(a)
	return verdict.SameFigures(a, b) && tells == say.TellsStates(b) && (tells || a.Stats.States == b.Stats.States)
}

// span has the least and the greatest of n numbers.
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

// String returns lo..hi, or the number if there is only one.
func (s span) String() string {
	if s.lo == s.hi {
		return numeral.Number(s.lo)
	}
	return numeral.Number(s.lo) + ".." + numeral.Number(s.hi)
}

// mergedScope returns, for each parameter, all values that it has in the scopes; and the position
// that games begin at, if it is not empty.
func mergedScope(scopes []verdict.Scope, position string) string {
	items := lists.Map(scopes[0].Params, func(p verdict.Param) string { return mergedParam(p, scopes) })
	rest := verdict.Scope{Unbounded: scopes[0].Unbounded}
	if text := say.ScopeFrom(rest, position, "="); text != "" {
		items = append(items, text)
	}
	return strings.Join(items, ", ")
}

// mergedParam returns the values of one parameter: as a range if they are consecutive numbers, and
// otherwise one by one.
func mergedParam(p verdict.Param, scopes []verdict.Scope) string {
	var values span
	var list []verdict.Param
	numbers := !p.Bool && !p.All
	for _, s := range scopes {
		for _, q := range s.Params {
			if q.Name == p.Name && !slices.Contains(list, q) {
				list = append(list, q)
				values.add(int64(q.N))
				numbers = numbers && !q.Bool && !q.All
			}
		}
	}
	text := strings.Join(lists.Map(list, say.Value), "|")
	if numbers && len(list) > 1 && values.hi-values.lo+1 == int64(len(list)) {
		text = fmt.Sprintf("%d..%d", values.lo, values.hi)
	}
	if p.All {
		return "every " + p.Name + " in " + text
	}
	return p.Name + "=" + text
}

// tally counts the items by outcome, in words. Its colour is that of the worst outcome.
func tally(rep *suite.Report) (string, term.Color) {
	refuted := lists.Count(rep.Items, func(i *suite.Item) bool { return i.Outcome() == suite.AsExpected && i.Result.Status == proofs.Refuted })
	text := fmt.Sprintf("%s: %d as expected", numeral.Count(int64(len(rep.Items)), "claim"), rep.Count(suite.AsExpected))
	if refuted > 0 {
		text += fmt.Sprintf(" (%d refuted)", refuted)
	}
	text, color := summed(text, []part{
		{rep.Unchanged(), "unchanged", term.Good},
		{rep.Count(suite.NotRun) - rep.Unchanged(), "left out", term.Good},
		{vacuous(rep), "vacuous", term.Open},
		{rep.Count(suite.Inconclusive), "inconclusive", term.Open},
		{rep.Count(suite.NotAsExpected), "not as expected", term.Bad},
		{rep.Count(suite.Failed), "failed", term.Bad},
	})
	if checked, unchecked := rep.Checked(); unchecked > 0 {
		text += fmt.Sprintf("; %d checked, %d unchecked (*)", checked, unchecked)
	}
	if rep.Part != nil {
		text += "; " + partOf(rep.Part)
	}
	return text, color
}

// partOf says what a report is a part of. The digest tells whether two are parts of the same.
func partOf(p *suite.Part) string {
	return fmt.Sprintf("shard %d of %d of %s (%s)", p.Index, p.Of, numeral.Count(int64(p.Items), "claim"), p.Digest[:12])
}

// trusted says on which endgame tables verdicts rely.
func trusted(rep *suite.Report) []string {
	decided := lists.Filter(rep.Items, func(i *suite.Item) bool { return i.Result != nil })
	all := lists.Flat(decided, func(i *suite.Item) []verdict.Table { return i.Result.Trusted })
	return lists.Map(lists.Distinct(all), func(t verdict.Table) string {
		n, rest := lists.Count(all, func(other verdict.Table) bool { return other == t }), "rest"
		if n == 1 {
			rest = "rests"
		}
		return fmt.Sprintf("%s %s on %s", numeral.Count(int64(n), "verdict"), rest, say.Table(t))
	})
}

// part is a number of things in a summary, with the colour that the summary gets if there are any.
type part struct {
	n     int
	what  string
	color term.Color
}

// summed adds the parts that are not zero to a text. The colour is that of the last one added.
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

// vacuous counts the claims that are as expected, but vacuously.
func vacuous(rep *suite.Report) int {
	return lists.Count(rep.Items, func(i *suite.Item) bool { return i.Outcome() == suite.AsExpected && i.Result.OfNothing() })
}
