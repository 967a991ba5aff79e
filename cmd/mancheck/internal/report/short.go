package report

import (
	"fmt"

	"github.com/mancheck/mancheck/cmd/mancheck/internal/term"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/rules"
	"github.com/mancheck/mancheck/rules/resolve"
)

// forms are the short ways to say what a verdict rests on, where a line has no room for its reason. The first that has something to say
// is taken. They are made of the verdict's data alone.
var forms = []func(*proofs.Result) string{
	shortVacuous, shortOpen, shortInduction, shortSets, shortCount, shortSteps, shortTermination, shortRelation, shortStrategy, shortPlay,
	shortSearch,
}

// short is what was found, in a few words.
func short(r *proofs.Result) string {
	for _, form := range forms {
		if text := form(r); text != "" {
			return text
		}
	}
	return ""
}

func shortVacuous(r *proofs.Result) string {
	if r.Vacuous {
		return "vacuous"
	}
	return ""
}

func shortOpen(r *proofs.Result) string {
	switch {
	case r.Status == proofs.Proved || r.Status == proofs.Refuted:
		return ""
	case r.Stats.States > 0:
		return "open at " + term.Count(r.Stats.States, "state", "states")
	}
	return "open"
}

func shortInduction(r *proofs.Result) string {
	if r.K > 0 {
		return fmt.Sprintf("k = %d", r.K)
	}
	return ""
}

// shortSets is about claims that list states; a count may come with the states counted, but lists none.
func shortSets(r *proofs.Result) string {
	if _, counted := r.Instance.Property.(*resolve.Count); counted || r.Sets == nil {
		return ""
	}
	text := ""
	if n := len(r.Sets.Missing); n > 0 {
		text = fmt.Sprintf("%d missing", n)
	}
	if n := len(r.Sets.Extra); n > 0 {
		text = join(text, fmt.Sprintf("%d extra", n))
	}
	if text == "" {
		text = stateCount(int64(len(r.Sets.Found)))
	}
	return text
}

// comparisons are the words of counts.
var comparisons = map[rules.Op]string{rules.Eq: "=", rules.Ne: "≠", rules.Lt: "<", rules.Le: "≤", rules.Gt: ">", rules.Ge: "≥"}

func shortCount(r *proofs.Result) string {
	p, ok := r.Instance.Property.(*resolve.Count)
	if !ok {
		return ""
	}
	text := comparisons[p.Op] + " " + term.Number(int64(p.Value))
	if r.Status == proofs.Refuted {
		text = "not " + text
	}
	return text
}

func shortSteps(r *proofs.Result) string {
	found := r.Status == proofs.Proved
	switch p := r.Instance.Property.(type) {
	case *resolve.EveryStep:
		if found {
			return "every step"
		}
		if p.All {
			return "a step"
		}
	case *resolve.StepTo:
		if found != p.Not {
			return "a step"
		}
		return "no such step"
	}
	return ""
}

func shortTermination(r *proofs.Result) string {
	p, ok := r.Instance.Property.(*resolve.Terminates)
	switch {
	case !ok:
	case r.Trace != nil:
		if before, cycle := lasso(r.Trace); cycle > 0 {
			return fmt.Sprintf("lasso %d+%d", before, cycle)
		}
	case p.Within >= 0:
		return "≤ " + term.Count(int64(p.Within), "move", "moves")
	case r.Stats.States > 0:
		return "ends, " + stateCount(r.Stats.States)
	}
	return ""
}

// lasso counts the moves of a play before the state that it ends in came first, and from there on. A play that repeats none has no cycle.
func lasso(t *rules.Trace) (before, cycle int) {
	n := len(t.Steps)
	if n == 0 {
		return 0, 0
	}
	last, at := t.Steps[n-1].State, t.Start
	for i := range n {
		if at.Equal(last) {
			return i, n - i
		}
		at = t.Steps[i].State
	}
	return n, 0
}

func shortRelation(r *proofs.Result) string {
	p, ok := r.Instance.Property.(*resolve.Relation)
	if !ok {
		return ""
	}
	if r.Status == proofs.Refuted {
		return differs(r)
	}
	how := map[resolve.RelationKind]string{resolve.Refines: "within", resolve.Equivalent: "same", resolve.Reverses: "reversed"}[p.Kind]
	return how + ", " + term.Count(r.Stats.Transitions, "step", "steps")
}

// differs says how many moves both sides have in common.
func differs(r *proofs.Result) string {
	if r.Trace == nil || r.Other == nil {
		return "differ"
	}
	return fmt.Sprintf("differ after %d", min(len(r.Trace.Steps), len(r.Other.Steps)))
}

func shortStrategy(r *proofs.Result) string {
	if _, ok := r.Instance.Property.(*resolve.StrategyWins); !ok {
		return ""
	}
	if r.Trace != nil {
		if before, cycle := lasso(r.Trace); cycle > 0 {
			return fmt.Sprintf("lasso %d+%d", before, cycle)
		}
		return "fails in " + term.Number(int64(len(r.Trace.Steps)))
	}
	return "wins, " + stateCount(r.Stats.States)
}

func shortPlay(r *proofs.Result) string {
	switch {
	case r.Trace == nil:
		return ""
	case len(r.Trace.Steps) == 0:
		return "a start"
	}
	return "play of " + term.Number(int64(len(r.Trace.Steps)))
}

// shortSearch is about searches that found nothing.
func shortSearch(r *proofs.Result) string {
	p, ok := r.Instance.Property.(*resolve.Reach)
	switch {
	case ok && p.Within >= 0:
		return "no play in " + term.Number(int64(p.Within))
	case r.Engine == proofs.Backward:
		return "closed, " + stateCount(int64(r.Stats.Closed))
	case r.Stats.States > 0:
		return stateCount(r.Stats.States)
	}
	return "none"
}

func stateCount(n int64) string { return term.Count(n, "state", "states") }

// shortScope has only the parameters that the claim speaks of: the others have their defaults.
func shortScope(inst *resolve.Instance, s proofs.Scope) string {
	out := ""
	for _, p := range s.Params {
		_, set := inst.Settings[p.Name]
		switch {
		case p.All:
			out = join(out, p.Name+" in "+p.Text)
		case set || p.Name == inst.Some:
			out = join(out, p.Name+"="+p.Text)
		}
	}
	for _, name := range s.Unbounded {
		out = join(out, "any "+name)
	}
	if out == "" && len(s.Params) > 0 {
		return "defaults"
	}
	return out
}

// shortSweep is what was found for all instances of a sweep, in a few words.
func shortSweep(results []*proofs.Result) string {
	n := fmt.Sprintf("%d × ", len(results))
	first := short(results[0])
	same, plays, moves, sizes := true, 0, span{}, span{}
	for _, r := range results {
		same = same && short(r) == first
		sizes.add(r.Stats.States)
		if r.Trace != nil {
			plays++
			moves.add(int64(len(r.Trace.Steps)))
		}
	}
	switch {
	case same:
		return n + first
	case plays == len(results):
		return n + "play of " + moves.String()
	case sizes.lo > 0:
		return n + sizes.String() + " states"
	}
	return term.Count(int64(len(results)), "instance", "instances")
}
