package agree

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/mancheck/mancheck/dsl/ast"
	"github.com/mancheck/mancheck/dsl/num"
	"github.com/mancheck/mancheck/proofs"
	"github.com/mancheck/mancheck/proofs/internal/judge"
	"github.com/mancheck/mancheck/proofs/verdict"
	"github.com/mancheck/mancheck/rules/build"
)

// classify compares one answer with the truth. The class is empty if they agree, or if one of them
// is open: an engine may always give up.
func classify(inst *build.Instance, a answer, truth judge.Instance) (class, detail string) {
	say := func(class string) (string, string) { return class, describe(a) + "; judge: " + tell(truth) }
	switch {
	case a.broken != "":
		return "panic", a.broken
	case a.late:
		return say("late")
	case a.err != nil:
		return failed(a, truth)
	case a.result.Status == proofs.Proved && truth.Truth == judge.False:
		return say("proved, but false")
	case a.result.Status == proofs.Refuted && truth.Truth == judge.True:
		return say("refuted, but true")
	case a.result.Status == proofs.Unknown && inst.System.Repetition != nil:
		return "", "" // which positions come back is not decided
	case a.result.Status == proofs.Unknown && leftOpen(a.result) && !strings.HasSuffix(a.engine, withLimits) && (truth.Truth == judge.True || truth.Truth == judge.False):
		return say("taken to depend on an open end")
	case a.result.Status == proofs.Unknown:
		return "", ""
	case truth.Truth == judge.Undecided:
		return say("a verdict on what is undecided")
	case truth.Truth == judge.Invalid && (a.result.Vacuous || !subjectKnown(a.result)):
		// a setup that no board satisfies, which not every engine can detect: nothing false is said
	case truth.Truth == judge.Invalid:
		return say("a verdict on a mistake")
	case truth.Truth == judge.Fault && noStep(inst, a.result):
		// the condition on one side is not evaluated if no step leads from or to the other side
	case truth.Truth == judge.Fault:
		return say("a verdict in spite of a fault")
	case a.result.Status == proofs.Proved && truth.Truth == judge.True && truth.Vacuous && !truth.Hollow && !a.result.Vacuous && subjectKnown(a.result):
		return say("not marked vacuous")
	case a.result.Status == proofs.Proved && truth.Truth == judge.True && a.result.Vacuous && !truth.Vacuous && !truth.Hollow && !reach(inst):
		return say("marked vacuous")
	}
	return "", ""
}

// leftOpen reports whether a claim is unknown because the rules leave open what a play is worth,
// and not because a limit kept the engine from deciding whether that matters.
func leftOpen(r *proofs.Result) bool {
	why := r.Open
	if at, is := why.(verdict.At); is {
		why = at.Rest.Is
	}
	end, is := why.(verdict.OpenEnd)
	return is && !end.Varies && end.Rest.Is == nil
}

// reach reports whether a claim is one about reachability: that is marked vacuous also where no
// state of the right shape satisfies its condition.
func reach(inst *build.Instance) bool {
	p, ok := inst.Property.(build.Safe)
	return ok && p.Safety(inst.System).Never != nil
}

// noStep reports whether a verdict says that there is no step of a kind.
func noStep(inst *build.Instance, r *proofs.Result) bool {
	p, is := inst.Property.(*build.StepTo)
	return is && (r.Status == proofs.Proved) == p.Not && !inst.Negated
}

// failed classifies an error, which is right only if the rules have a fault or the claim is a
// mistake.
func failed(a answer, truth judge.Instance) (class, detail string) {
	if strings.Contains(a.err.Error(), "internal error") {
		return "internal error", describe(a) + "; judge: " + tell(truth)
	}
	switch {
	case tooWide(a.err.Error()):
		return "", ""
	case strings.Contains(a.err.Error(), " seeds, and the setup has "):
		return "", "" // the judge does not ask whether a setup could have laid out the board of a list
	case truth.Truth == judge.Fault, truth.Truth == judge.Invalid, truth.Truth == judge.Open, truth.Faults, truth.Startless:
		return "", ""
	}
	return noCause, describe(a) + "; judge: " + tell(truth)
}

// computed is the message of a calculation with too large a result.
var computed = regexp.MustCompile(`(-?\d+) ([-+*]) (-?\d+) is beyond the range of numbers`)

// tooWide reports whether an error is about a number beyond the range, and the number is indeed.
// The judge has no range, so it cannot report this itself.
func tooWide(text string) bool {
	m := computed.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	a, _ := new(big.Int).SetString(m[1], 10)
	b, _ := new(big.Int).SetString(m[3], 10)
	switch m[2] {
	case "+":
		a.Add(a, b)
	case "-":
		a.Sub(a, b)
	case "*":
		a.Mul(a, b)
	}
	return a.CmpAbs(big.NewInt(num.Most)) > 0
}

const noCause = "an error without cause"

// contradiction returns two engines whose verdicts contradict each other, which is a finding even
// if the judge has no answer.
func contradiction(answers []answer) (class, engine, detail string) {
	var yes, no *answer
	for i := range answers {
		a := &answers[i]
		switch {
		case a.result == nil:
		case a.result.Status == proofs.Proved:
			yes = a
		case a.result.Status == proofs.Refuted:
			no = a
		}
	}
	if yes == nil || no == nil {
		return "", "", ""
	}
	return "contradiction", yes.engine + " and " + no.engine, describe(*yes) + "; " + describe(*no)
}

// describe shows an answer in a finding.
func describe(a answer) string {
	switch {
	case a.err != nil:
		return fmt.Sprintf("%s: error: %v", a.engine, a.err)
	case a.result == nil:
		return a.engine + ": nothing"
	}
	x := fmt.Sprintf("%s: %s by %s, %s", a.engine, a.result.Status, a.result.Engine, a.result.Sentence())
	if a.result.Vacuous {
		x += " (vacuous)"
	}
	return x
}

// tell shows the judge's answer in a finding.
func tell(t judge.Instance) string {
	x := t.Truth.String()
	if t.Vacuous {
		x += " (vacuous)"
	}
	if t.Faults {
		x += " (faults)"
	}
	return x + ", " + t.Why
}

// KindOf names the kind of a claim.
func KindOf(c *ast.Claim) string {
	switch p := c.Property.(type) {
	case *ast.Reach:
		return p.Kind
	case *ast.NeverStuck:
		return "never stuck"
	case *ast.Terminates:
		return "terminates"
	case *ast.Neighbours:
		if p.Pre {
			return "predecessors"
		}
		return "successors"
	case *ast.StepTo:
		return "step"
	case *ast.EveryStep:
		if p.All {
			return "every step, all states"
		}
		return "every step"
	case *ast.Count:
		return "count " + p.Set
	case *ast.UniqueWinnable:
		return "unique winnable"
	case *ast.WinningStarts:
		return "winning starts"
	case *ast.StrategyWins:
		return "strategy wins"
	case *ast.Relation:
		return p.Kind
	case *ast.Value:
		return "value"
	case *ast.Winner:
		return "winner"
	case *ast.Best:
		return "best"
	case *ast.Force:
		return "force"
	case *ast.CanGoOn, nil: // the parser makes a Terminates of it
		return "nothing"
	}
	panic(fmt.Sprintf("internal error: no name for a %T", c.Property))
}

// subjectKnown reports whether Vacuous is known; otherwise a note says what is not.
func subjectKnown(r *proofs.Result) bool {
	return !slices.ContainsFunc(r.Notes, func(n verdict.Note) bool {
		switch n {
		case verdict.StartUnknown, verdict.AnyStartUnknown, verdict.MatchUnknown, verdict.ReachedUnknown:
			return true
		}
		return false
	})
}
