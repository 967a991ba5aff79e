package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/cmd/mancheck/internal/term"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/suite"
	"github.com/mancheck/mancheck/rules/resolve"
)

// itemRow is the line of a claim that has a verdict.
func itemRow(i *suite.Item) row {
	r := i.Result
	out := row{
		verdict: starred(r), name: r.Instance.Name(), label: i.Instance.Claim.Label, expect: expectation(i.Instance),
		scope: scopeText(resultScope(r)), shortScope: shortScope(i.Instance, resultScope(r)), engine: string(r.Engine),
		detail: detail(r), short: short(r), elapsed: r.Stats.Elapsed, untimed: i.Cached,
	}
	out.mark, out.color = mark(r)
	return out
}

// resultScope is what a verdict holds for; one that was interrupted before anything was done has no scope of its own.
func resultScope(r *proofs.Result) proofs.Scope {
	if len(r.Scope.Params)+len(r.Scope.Unbounded) == 0 {
		return proofs.ScopeOf(r.System)
	}
	return r.Scope
}

// mark is that of a verdict; one that is as expected, but speaks of nothing, is worth a warning.
func mark(r *proofs.Result) (string, term.Color) {
	if r.AsExpected() && r.Vacuous {
		return "!", term.Open
	}
	return verdictMark(r)
}

// expectation is only shown if it is that the claim is refuted.
func expectation(inst *resolve.Instance) string {
	if inst.Claim.Refuted {
		return "expected"
	}
	return ""
}

// detail says what was found, and of how many states.
func detail(r *proofs.Result) string {
	text := r.Reason
	if n := r.Stats.States; n > 0 && !strings.Contains(text, "state") {
		text = join(text, term.Count(n, "state", "states"))
	}
	if r.Vacuous {
		text = "vacuous: " + text
	}
	return text
}

func join(x, y string) string {
	if x == "" {
		return y
	}
	return x + ", " + y
}

// unresolved is the line of a claim without a verdict.
func unresolved(i *suite.Item) row {
	inst := i.Instance
	out := row{
		mark: "✗", color: term.Bad, verdict: "failed", name: instanceName(i), label: inst.Claim.Label, untimed: true,
		scope: Params(inst.System), shortScope: shortScope(inst, proofs.ScopeOf(inst.System)),
	}
	out.expect = expectation(inst)
	return out
}

// sweepRow is the one line of all instances of a claim.
func sweepRow(group []*suite.Item) row {
	first := group[0]
	out := itemRow(first)
	out.elapsed = 0
	var scopes []proofs.Scope
	for _, i := range group {
		out.elapsed += i.Result.Stats.Elapsed
		out.untimed = out.untimed && i.Cached
		if i.Result.Checked == proofs.Unchecked {
			out.verdict = starred(i.Result)
		}
		if string(i.Result.Engine) != out.engine {
			out.engine = "several"
		}
		scopes = append(scopes, i.Result.Scope)
	}
	merged := mergedScope(scopes)
	out.name, out.scope, out.shortScope = first.Instance.Claim.Name, scopeText(merged), shortScope(first.Instance, merged)
	out.detail, out.short = sweepDetail(group, out.detail), sweepShort(group)
	return out
}

func sweepShort(group []*suite.Item) string {
	var results []*proofs.Result
	for _, i := range group {
		results = append(results, i.Result)
	}
	return shortSweep(results)
}

// sweepDetail says what was found for all instances of a sweep.
func sweepDetail(group []*suite.Item, first string) string {
	text := term.Count(int64(len(group)), "instance", "instances")
	same, moves, states := true, span{}, span{}
	for _, i := range group {
		same = same && detail(i.Result) == first
		states.add(i.Result.Stats.States)
		if i.Result.Trace != nil {
			moves.add(int64(len(i.Result.Trace.Steps)))
		}
	}
	switch {
	case same:
		text = join(text, first)
	case moves.n == len(group):
		text = join(text, "plays of "+moves.String()+" moves")
	case states.lo > 0:
		text = join(text, states.String()+" states")
	}
	if group[0].Result.Vacuous && !same {
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

// String is lo..hi, or the number if it is but one.
func (s span) String() string {
	if s.lo == s.hi {
		return term.Number(s.lo)
	}
	return term.Number(s.lo) + ".." + term.Number(s.hi)
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
	if len(texts) == 1 {
		return p
	}
	if numbers && values.hi-values.lo+1 == int64(len(texts)) {
		p.Text = fmt.Sprintf("%d..%d", values.lo, values.hi)
	} else {
		p.Text = strings.Join(texts, "|")
	}
	return p
}

// Total writes how many items have each outcome.
func (t *Table) Total(rep *suite.Report) {
	line := fmt.Sprintf("%s: %d as expected", term.Count(int64(len(rep.Items)), "claim", "claims"), rep.Count(suite.AsExpected))
	if n := refuted(rep); n > 0 {
		line += fmt.Sprintf(" (%d refuted)", n)
	}
	color := term.Good
	for _, part := range []struct {
		n     int
		what  string
		color term.Color
	}{
		{rep.Count(suite.NotRun), "unchanged", ""},
		{vacuous(rep), "vacuous", term.Open},
		{rep.Count(suite.Inconclusive), "inconclusive", term.Open},
		{rep.Count(suite.NotAsExpected), "not as expected", term.Bad},
		{rep.Count(suite.Failed), "failed", term.Bad},
	} {
		if part.n > 0 {
			line += fmt.Sprintf(", %d %s", part.n, part.what)
			if part.color != "" {
				color = part.color
			}
		}
	}
	fmt.Fprintln(t.W, t.Color.Paint(color, line+checkedText(rep.Checked())))
}

// refuted counts the claims that are refuted as expected.
func refuted(rep *suite.Report) int {
	n := 0
	for _, i := range rep.Items {
		if i.Outcome() == suite.AsExpected && i.Result.Status == proofs.Refuted {
			n++
		}
	}
	return n
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
